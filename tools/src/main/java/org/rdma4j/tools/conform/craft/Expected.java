package org.rdma4j.tools.conform.craft;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** What a packet of the peer's must be. What is not said may have any value. */
public final class Expected {

    /** Stands for every syndrome that acknowledges, whatever credits it grants. */
    private static final int ANY_ACK = -1;

    private final int opcode;
    private final int psn;
    private Integer syndrome;
    private Integer msn;
    private Long original;
    private byte[] payload;
    private Integer length;
    private Boolean ackReq;
    private Reth reth;

    public Expected(int opcode, int psn) {
        this.opcode = opcode;
        this.psn = psn;
        if (opcode == Opcode.RC_ACKNOWLEDGE || Opcode.isReadResponse(opcode)) {
            syndrome = Opcode.hasAeth(opcode) ? ANY_ACK : null;
        }
    }

    public int psn() {
        return psn;
    }

    public Expected syndrome(int value) {
        syndrome = value;
        return this;
    }

    public Expected msn(int value) {
        msn = value & 0xFF_FFFF;
        return this;
    }

    public Expected original(long value) {
        original = value;
        return this;
    }

    public Expected payload(byte[] bytes) {
        payload = bytes;
        return this;
    }

    /** So many bytes, whichever. */
    public Expected length(int bytes) {
        length = bytes;
        return this;
    }

    public Expected ackReq(boolean value) {
        ackReq = value;
        return this;
    }

    public Expected reth(Reth value) {
        reth = value;
        return this;
    }

    /** @return what of the packet is not as it is said here, or {@code null} where all is */
    public String mismatch(Packet seen) {
        Bth bth = seen.bth();
        if (bth.opcode() != opcode) {
            return "it is a " + Opcode.name(bth.opcode()) + ", not a " + Opcode.name(opcode);
        }
        List<String> wrong = new ArrayList<>();
        compare(wrong, "PSN", hex(psn), hex(bth.psn()));
        compare(wrong, "AckReq", ackReq, bth.ackReq());
        Aeth aeth = seen.extension(Aeth.class).orElse(null);
        if (aeth != null && syndrome != null) {
            boolean same = syndrome == ANY_ACK ? Syndrome.isAck(aeth.syndrome()) : syndrome == aeth.syndrome();
            if (!same) {
                wrong.add("syndrome " + Syndrome.toString(aeth.syndrome()) + " in place of " + syndromeText());
            }
        }
        compare(wrong, "MSN", msn, aeth == null ? null : (Integer) aeth.msn());
        compare(
                wrong,
                "original value",
                original,
                seen.extension(AtomicAckEth.class).map(AtomicAckEth::original).orElse(null));
        compare(wrong, "RETH", reth, seen.extension(Reth.class).orElse(null));
        compare(wrong, "payload length", length, (int) seen.payload().byteSize());
        if (payload != null) {
            byte[] body = seen.payload().toArray(ValueLayout.JAVA_BYTE);
            if (!Arrays.equals(payload, body)) {
                wrong.add("payload of " + body.length + " bytes in place of " + payload.length
                        + ", first difference at byte " + Arrays.mismatch(payload, body));
            }
        }
        return wrong.isEmpty() ? null : String.join("; ", wrong);
    }

    private String syndromeText() {
        return syndrome == ANY_ACK ? "an ACK's" : Syndrome.toString(syndrome);
    }

    private static void compare(List<String> wrong, String what, Object expected, Object seen) {
        if (expected != null && !Objects.equals(expected, seen)) {
            wrong.add(what + " " + seen + " in place of " + expected);
        }
    }

    private static String hex(int psn) {
        return String.format("0x%06x", psn);
    }

    @Override
    public String toString() {
        return Opcode.name(opcode) + " with PSN " + hex(psn)
                + (syndrome == null ? "" : " and " + syndromeText() + " syndrome");
    }
}
