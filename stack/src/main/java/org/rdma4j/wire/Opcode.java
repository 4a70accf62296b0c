package org.rdma4j.wire;

/**
 * The opcodes of the BTH: the high three bits name the transport service, the low five the operation (IBTA volume 1,
 * table 38, annexes A14 for XRC, A17 for CNP, A19 for FLUSH and ATOMIC_WRITE). Numbers, not an enum, so that the packet
 * path reads them as they stand; everything that follows from an opcode is a look-up. Reliable datagram is left out:
 * nobody built it.
 */
public final class Opcode {

    public static final int RC_SEND_FIRST = 0x00;
    public static final int RC_SEND_MIDDLE = 0x01;
    public static final int RC_SEND_LAST = 0x02;
    public static final int RC_SEND_LAST_WITH_IMMEDIATE = 0x03;
    public static final int RC_SEND_ONLY = 0x04;
    public static final int RC_SEND_ONLY_WITH_IMMEDIATE = 0x05;
    public static final int RC_RDMA_WRITE_FIRST = 0x06;
    public static final int RC_RDMA_WRITE_MIDDLE = 0x07;
    public static final int RC_RDMA_WRITE_LAST = 0x08;
    public static final int RC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0x09;
    public static final int RC_RDMA_WRITE_ONLY = 0x0A;
    public static final int RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0x0B;
    public static final int RC_RDMA_READ_REQUEST = 0x0C;
    public static final int RC_RDMA_READ_RESPONSE_FIRST = 0x0D;
    public static final int RC_RDMA_READ_RESPONSE_MIDDLE = 0x0E;
    public static final int RC_RDMA_READ_RESPONSE_LAST = 0x0F;
    public static final int RC_RDMA_READ_RESPONSE_ONLY = 0x10;
    public static final int RC_ACKNOWLEDGE = 0x11;
    public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;
    public static final int RC_COMPARE_SWAP = 0x13;
    public static final int RC_FETCH_ADD = 0x14;
    public static final int RC_SEND_LAST_WITH_INVALIDATE = 0x16;
    public static final int RC_SEND_ONLY_WITH_INVALIDATE = 0x17;
    public static final int RC_FLUSH = 0x1C;
    public static final int RC_ATOMIC_WRITE = 0x1D;

    public static final int UC_SEND_FIRST = 0x20;
    public static final int UC_SEND_MIDDLE = 0x21;
    public static final int UC_SEND_LAST = 0x22;
    public static final int UC_SEND_LAST_WITH_IMMEDIATE = 0x23;
    public static final int UC_SEND_ONLY = 0x24;
    public static final int UC_SEND_ONLY_WITH_IMMEDIATE = 0x25;
    public static final int UC_RDMA_WRITE_FIRST = 0x26;
    public static final int UC_RDMA_WRITE_MIDDLE = 0x27;
    public static final int UC_RDMA_WRITE_LAST = 0x28;
    public static final int UC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0x29;
    public static final int UC_RDMA_WRITE_ONLY = 0x2A;
    public static final int UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0x2B;

    public static final int UD_SEND_ONLY = 0x64;
    public static final int UD_SEND_ONLY_WITH_IMMEDIATE = 0x65;

    public static final int XRC_SEND_FIRST = 0xA0;
    public static final int XRC_SEND_MIDDLE = 0xA1;
    public static final int XRC_SEND_LAST = 0xA2;
    public static final int XRC_SEND_LAST_WITH_IMMEDIATE = 0xA3;
    public static final int XRC_SEND_ONLY = 0xA4;
    public static final int XRC_SEND_ONLY_WITH_IMMEDIATE = 0xA5;
    public static final int XRC_RDMA_WRITE_FIRST = 0xA6;
    public static final int XRC_RDMA_WRITE_MIDDLE = 0xA7;
    public static final int XRC_RDMA_WRITE_LAST = 0xA8;
    public static final int XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0xA9;
    public static final int XRC_RDMA_WRITE_ONLY = 0xAA;
    public static final int XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0xAB;
    public static final int XRC_RDMA_READ_REQUEST = 0xAC;
    public static final int XRC_RDMA_READ_RESPONSE_FIRST = 0xAD;
    public static final int XRC_RDMA_READ_RESPONSE_MIDDLE = 0xAE;
    public static final int XRC_RDMA_READ_RESPONSE_LAST = 0xAF;
    public static final int XRC_RDMA_READ_RESPONSE_ONLY = 0xB0;
    public static final int XRC_ACKNOWLEDGE = 0xB1;
    public static final int XRC_ATOMIC_ACKNOWLEDGE = 0xB2;
    public static final int XRC_COMPARE_SWAP = 0xB3;
    public static final int XRC_FETCH_ADD = 0xB4;
    public static final int XRC_SEND_LAST_WITH_INVALIDATE = 0xB6;
    public static final int XRC_SEND_ONLY_WITH_INVALIDATE = 0xB7;
    public static final int XRC_FLUSH = 0xBC;
    public static final int XRC_ATOMIC_WRITE = 0xBD;

    /** Congestion notification packet. */
    public static final int CNP = 0x81;

    /** The service bits: reliable connection. */
    public static final int RC = 0x00;

    public static final int UC = 0x20;
    public static final int RD = 0x40;
    public static final int UD = 0x60;
    public static final int XRC = 0xA0;

    public static final int SERVICE_MASK = 0xE0;
    public static final int OPERATION_MASK = 0x1F;

    private Opcode() {}

    /** The service bits: {@link #RC}, {@link #UC}, {@link #RD}, {@link #UD}, {@link #XRC}, 0x80 for CNP. */
    public static int service(int opcode) {
        return opcode & SERVICE_MASK;
    }

    /** The operation bits, the same number in every service: {@code RC_SEND_ONLY} for each kind of SEND_ONLY. */
    public static int operation(int opcode) {
        return opcode & OPERATION_MASK;
    }

    /** True where the specification gives no meaning to this number. */
    public static boolean isReserved(int opcode) {
        return OpcodeTable.HEADER_LENGTH[opcode] < 0;
    }

    /** Bytes of the BTH and all extension headers; -1 where the opcode is reserved. */
    public static int headerLength(int opcode) {
        return OpcodeTable.HEADER_LENGTH[opcode];
    }

    /** As the field spells it, {@code RC SEND_FIRST}; {@code reserved 0x15} where the opcode has no meaning. */
    public static String name(int opcode) {
        return OpcodeTable.NAME[opcode];
    }

    /** Short enough for a ladder: {@code RC SEND first}, {@code RC READ resp last}. */
    public static String shortName(int opcode) {
        return OpcodeTable.SHORT_NAME[opcode];
    }

    /** True for packets that a requester sends: SEND, WRITE, READ request, atomics, FLUSH, datagrams. */
    public static boolean isRequest(int opcode) {
        return has(opcode, OpcodeTable.REQUEST);
    }

    /** True for packets that a responder sends: READ responses and acknowledges. */
    public static boolean isResponse(int opcode) {
        return has(opcode, OpcodeTable.RESPONSE);
    }

    /** The first of several packets of a message. */
    public static boolean isFirst(int opcode) {
        return has(opcode, OpcodeTable.FIRST);
    }

    public static boolean isMiddle(int opcode) {
        return has(opcode, OpcodeTable.MIDDLE);
    }

    /** The last of several packets of a message. */
    public static boolean isLast(int opcode) {
        return has(opcode, OpcodeTable.LAST);
    }

    /** A message in one packet: every ONLY, and READ requests, atomics, FLUSH, ATOMIC_WRITE and acknowledges too. */
    public static boolean isOnly(int opcode) {
        return has(opcode, OpcodeTable.ONLY);
    }

    /** A message starts with this packet. */
    public static boolean isFirstOrOnly(int opcode) {
        return has(opcode, OpcodeTable.FIRST | OpcodeTable.ONLY);
    }

    /** A message ends with this packet. */
    public static boolean isLastOrOnly(int opcode) {
        return has(opcode, OpcodeTable.LAST | OpcodeTable.ONLY);
    }

    public static boolean isSend(int opcode) {
        return has(opcode, OpcodeTable.SEND);
    }

    public static boolean isWrite(int opcode) {
        return has(opcode, OpcodeTable.WRITE);
    }

    public static boolean isReadResponse(int opcode) {
        return has(opcode, OpcodeTable.READ_RESPONSE);
    }

    /** COMPARE_SWAP and FETCH_ADD. */
    public static boolean isAtomic(int opcode) {
        return hasAtomicEth(opcode);
    }

    /** True where bytes may follow the headers. */
    public static boolean hasPayload(int opcode) {
        return has(opcode, OpcodeTable.PAYLOAD);
    }

    public static boolean hasReth(int opcode) {
        return OpcodeTable.RETH[opcode] >= 0;
    }

    public static boolean hasAeth(int opcode) {
        return OpcodeTable.AETH[opcode] >= 0;
    }

    public static boolean hasImm(int opcode) {
        return OpcodeTable.IMM_DT[opcode] >= 0;
    }

    public static boolean hasIeth(int opcode) {
        return OpcodeTable.IETH[opcode] >= 0;
    }

    public static boolean hasAtomicEth(int opcode) {
        return OpcodeTable.ATOMIC_ETH[opcode] >= 0;
    }

    public static boolean hasAtomicAckEth(int opcode) {
        return OpcodeTable.ATOMIC_ACK_ETH[opcode] >= 0;
    }

    public static boolean hasDeth(int opcode) {
        return OpcodeTable.DETH[opcode] >= 0;
    }

    public static boolean hasXrceth(int opcode) {
        return OpcodeTable.XRCETH[opcode] >= 0;
    }

    public static boolean hasFeth(int opcode) {
        return OpcodeTable.FETH[opcode] >= 0;
    }

    /** Bytes from the start of the BTH to this header; -1 where the opcode has none. So too for the others below. */
    public static int rethOffset(int opcode) {
        return OpcodeTable.RETH[opcode];
    }

    public static int aethOffset(int opcode) {
        return OpcodeTable.AETH[opcode];
    }

    public static int immOffset(int opcode) {
        return OpcodeTable.IMM_DT[opcode];
    }

    public static int iethOffset(int opcode) {
        return OpcodeTable.IETH[opcode];
    }

    public static int atomicEthOffset(int opcode) {
        return OpcodeTable.ATOMIC_ETH[opcode];
    }

    public static int atomicAckEthOffset(int opcode) {
        return OpcodeTable.ATOMIC_ACK_ETH[opcode];
    }

    public static int dethOffset(int opcode) {
        return OpcodeTable.DETH[opcode];
    }

    public static int xrcethOffset(int opcode) {
        return OpcodeTable.XRCETH[opcode];
    }

    public static int fethOffset(int opcode) {
        return OpcodeTable.FETH[opcode];
    }

    private static boolean has(int opcode, int flags) {
        return (OpcodeTable.FLAGS[opcode] & flags) != 0;
    }
}
