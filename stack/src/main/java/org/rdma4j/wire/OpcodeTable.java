package org.rdma4j.wire;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What follows from an opcode, worked out once for all 256 of them. */
final class OpcodeTable {

    static final int REQUEST = 1;
    static final int RESPONSE = 1 << 1;
    static final int FIRST = 1 << 2;
    static final int MIDDLE = 1 << 3;
    static final int LAST = 1 << 4;
    static final int ONLY = 1 << 5;
    static final int PAYLOAD = 1 << 6;
    static final int SEND = 1 << 7;
    static final int WRITE = 1 << 8;
    static final int READ_RESPONSE = 1 << 9;

    static final short[] FLAGS = new short[256];
    static final byte[] HEADER_LENGTH = absent();

    static final byte[] XRCETH = absent();
    static final byte[] DETH = absent();
    static final byte[] FETH = absent();
    static final byte[] RETH = absent();
    static final byte[] ATOMIC_ETH = absent();
    static final byte[] AETH = absent();
    static final byte[] ATOMIC_ACK_ETH = absent();
    static final byte[] IMM_DT = absent();
    static final byte[] IETH = absent();

    static final String[] NAME = new String[256];
    static final String[] SHORT_NAME = new String[256];

    /** Every extension header in the order in which they follow the BTH. */
    private enum Extension {
        XRC_ETH(Xrceth.LENGTH),
        D_ETH(Deth.LENGTH),
        F_ETH(Feth.LENGTH),
        R_ETH(Reth.LENGTH),
        ATOMIC(AtomicEth.LENGTH),
        A_ETH(Aeth.LENGTH),
        ATOMIC_ACK(AtomicAckEth.LENGTH),
        IMMEDIATE(ImmDt.LENGTH),
        I_ETH(Ieth.LENGTH);

        private final int length;

        Extension(int length) {
            this.length = length;
        }

        private byte[] offsets() {
            return switch (this) {
                case XRC_ETH -> XRCETH;
                case D_ETH -> DETH;
                case F_ETH -> FETH;
                case R_ETH -> RETH;
                case ATOMIC -> ATOMIC_ETH;
                case A_ETH -> AETH;
                case ATOMIC_ACK -> ATOMIC_ACK_ETH;
                case IMMEDIATE -> IMM_DT;
                case I_ETH -> IETH;
            };
        }
    }

    /** The operations, shared by RC and XRC; UC and UD have some of them. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is made by List.of
    private enum Operation {
        SEND_FIRST(Opcode.RC_SEND_FIRST, REQUEST | SEND | FIRST | PAYLOAD),
        SEND_MIDDLE(Opcode.RC_SEND_MIDDLE, REQUEST | SEND | MIDDLE | PAYLOAD),
        SEND_LAST(Opcode.RC_SEND_LAST, REQUEST | SEND | LAST | PAYLOAD),
        SEND_LAST_WITH_IMMEDIATE(
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE, REQUEST | SEND | LAST | PAYLOAD, Extension.IMMEDIATE),
        SEND_ONLY(Opcode.RC_SEND_ONLY, REQUEST | SEND | ONLY | PAYLOAD),
        SEND_ONLY_WITH_IMMEDIATE(
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, REQUEST | SEND | ONLY | PAYLOAD, Extension.IMMEDIATE),
        RDMA_WRITE_FIRST(Opcode.RC_RDMA_WRITE_FIRST, REQUEST | WRITE | FIRST | PAYLOAD, Extension.R_ETH),
        RDMA_WRITE_MIDDLE(Opcode.RC_RDMA_WRITE_MIDDLE, REQUEST | WRITE | MIDDLE | PAYLOAD),
        RDMA_WRITE_LAST(Opcode.RC_RDMA_WRITE_LAST, REQUEST | WRITE | LAST | PAYLOAD),
        RDMA_WRITE_LAST_WITH_IMMEDIATE(
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, REQUEST | WRITE | LAST | PAYLOAD, Extension.IMMEDIATE),
        RDMA_WRITE_ONLY(Opcode.RC_RDMA_WRITE_ONLY, REQUEST | WRITE | ONLY | PAYLOAD, Extension.R_ETH),
        RDMA_WRITE_ONLY_WITH_IMMEDIATE(
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
                REQUEST | WRITE | ONLY | PAYLOAD,
                Extension.R_ETH,
                Extension.IMMEDIATE),
        RDMA_READ_REQUEST(Opcode.RC_RDMA_READ_REQUEST, REQUEST | ONLY, Extension.R_ETH),
        RDMA_READ_RESPONSE_FIRST(
                Opcode.RC_RDMA_READ_RESPONSE_FIRST, RESPONSE | READ_RESPONSE | FIRST | PAYLOAD, Extension.A_ETH),
        RDMA_READ_RESPONSE_MIDDLE(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, RESPONSE | READ_RESPONSE | MIDDLE | PAYLOAD),
        RDMA_READ_RESPONSE_LAST(
                Opcode.RC_RDMA_READ_RESPONSE_LAST, RESPONSE | READ_RESPONSE | LAST | PAYLOAD, Extension.A_ETH),
        RDMA_READ_RESPONSE_ONLY(
                Opcode.RC_RDMA_READ_RESPONSE_ONLY, RESPONSE | READ_RESPONSE | ONLY | PAYLOAD, Extension.A_ETH),
        ACKNOWLEDGE(Opcode.RC_ACKNOWLEDGE, RESPONSE | ONLY, Extension.A_ETH),
        ATOMIC_ACKNOWLEDGE(Opcode.RC_ATOMIC_ACKNOWLEDGE, RESPONSE | ONLY, Extension.A_ETH, Extension.ATOMIC_ACK),
        COMPARE_SWAP(Opcode.RC_COMPARE_SWAP, REQUEST | ONLY, Extension.ATOMIC),
        FETCH_ADD(Opcode.RC_FETCH_ADD, REQUEST | ONLY, Extension.ATOMIC),
        SEND_LAST_WITH_INVALIDATE(
                Opcode.RC_SEND_LAST_WITH_INVALIDATE, REQUEST | SEND | LAST | PAYLOAD, Extension.I_ETH),
        SEND_ONLY_WITH_INVALIDATE(
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE, REQUEST | SEND | ONLY | PAYLOAD, Extension.I_ETH),
        FLUSH(Opcode.RC_FLUSH, REQUEST | ONLY, Extension.F_ETH, Extension.R_ETH),
        ATOMIC_WRITE(Opcode.RC_ATOMIC_WRITE, REQUEST | ONLY | PAYLOAD, Extension.R_ETH);

        private final int code;
        private final int flags;
        private final List<Extension> extensions;

        Operation(int code, int flags, Extension... extensions) {
            this.code = code;
            this.flags = flags;
            this.extensions = List.of(extensions);
        }

        private String shortName() {
            return name().replace("RDMA_", "")
                    .replace("WITH_", "")
                    .replace("ACKNOWLEDGE", "ACK")
                    .replace("RESPONSE", "resp")
                    .replace("REQUEST", "req")
                    .replace("FIRST", "first")
                    .replace("MIDDLE", "middle")
                    .replace("LAST", "last")
                    .replace("ONLY", "only")
                    .replace("IMMEDIATE", "imm")
                    .replace("INVALIDATE", "inv")
                    .replace('_', ' ');
        }
    }

    static {
        for (int opcode = 0; opcode < 256; opcode++) {
            NAME[opcode] = String.format("reserved 0x%02x", opcode);
            SHORT_NAME[opcode] = NAME[opcode];
        }
        for (Operation operation : Operation.values()) {
            define(Opcode.RC, "RC", operation);
            if (operation.code <= Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE) {
                define(Opcode.UC, "UC", operation);
            }
            if (operation == Operation.SEND_ONLY || operation == Operation.SEND_ONLY_WITH_IMMEDIATE) {
                define(Opcode.UD, "UD", operation, Extension.D_ETH);
            }
            if ((operation.flags & REQUEST) != 0) {
                define(Opcode.XRC, "XRC", operation, Extension.XRC_ETH);
            } else {
                define(Opcode.XRC, "XRC", operation);
            }
        }
        NAME[Opcode.CNP] = "CNP";
        SHORT_NAME[Opcode.CNP] = "CNP";
        FLAGS[Opcode.CNP] = ONLY | PAYLOAD;
        HEADER_LENGTH[Opcode.CNP] = Bth.LENGTH;
    }

    private OpcodeTable() {}

    private static byte[] absent() {
        byte[] offsets = new byte[256];
        Arrays.fill(offsets, (byte) -1);
        return offsets;
    }

    private static void define(int service, String serviceName, Operation operation, Extension... ofService) {
        int opcode = service | operation.code;
        NAME[opcode] = serviceName + " " + operation.name();
        SHORT_NAME[opcode] = serviceName + " " + operation.shortName();
        FLAGS[opcode] = (short) operation.flags;
        int end = Bth.LENGTH;
        Set<Extension> extensions = EnumSet.noneOf(Extension.class);
        extensions.addAll(operation.extensions);
        extensions.addAll(List.of(ofService));
        for (Extension extension : extensions) {
            extension.offsets()[opcode] = (byte) end;
            end += extension.length;
        }
        HEADER_LENGTH[opcode] = (byte) end;
    }
}
