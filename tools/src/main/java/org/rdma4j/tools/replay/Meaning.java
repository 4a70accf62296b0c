package org.rdma4j.tools.replay;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/**
 * What a packet of the peer's means, apart from the numbers that another run has otherwise. Credits are left out: they tell
 * how many receives were posted at that moment.
 *
 * @param psn counted from the first one of its requests, or of those that it answers
 * @param syndrome {@link Syndrome#ACK_UNLIMITED} for every acknowledge; {@link #NONE} without AETH
 * @param msn {@link #NONE} without AETH
 * @param others the other extension headers
 */
record Meaning(int opcode, int psn, int syndrome, int msn, List<ExtensionHeader> others, ByteBuffer payload) {

    static final int NONE = -1;

    /** @param firstPsn the PSN that relative ones count from */
    static Meaning of(Packet packet, int firstPsn, Set<Ignored> ignored) {
        Aeth aeth = packet.extension(Aeth.class).orElse(null);
        byte[] payload = packet.payload().toArray(ValueLayout.JAVA_BYTE);
        return new Meaning(
                packet.bth().opcode(),
                Psn.difference(packet.bth().psn(), firstPsn),
                aeth == null ? NONE : Syndrome.isAck(aeth.syndrome()) ? Syndrome.ACK_UNLIMITED : aeth.syndrome(),
                aeth == null || ignored.contains(Ignored.MSN) ? NONE : aeth.msn(),
                packet.extensions().stream()
                        .filter(header -> !(header instanceof Aeth))
                        .map(header -> plain(header, ignored))
                        .toList(),
                ByteBuffer.wrap(ignored.contains(Ignored.PAYLOAD) ? new byte[payload.length] : payload));
    }

    private static ExtensionHeader plain(ExtensionHeader header, Set<Ignored> ignored) {
        return switch (header) {
            case Deth deth -> new Deth(deth.qKey(), 0);
            case AtomicAckEth _ when ignored.contains(Ignored.PAYLOAD) -> new AtomicAckEth(0);
            default -> header;
        };
    }

    boolean isRequest() {
        return Opcode.isRequest(opcode);
    }

    /** An acknowledge that says nothing but how far its sender has come. */
    boolean isPlainAck() {
        return Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE && syndrome == Syndrome.ACK_UNLIMITED;
    }

    boolean isRnr() {
        return syndrome != NONE && Syndrome.isRnrNak(syndrome);
    }

    /** The last PSN that this acknowledges: a NAK's own is the first that it does not (9.7.5.1.1). */
    int acknowledges() {
        boolean isPositive = syndrome == NONE || syndrome == Syndrome.ACK_UNLIMITED;
        return isPositive ? psn : psn - 1;
    }

    /** For people. */
    String text() {
        StringJoiner text = new StringJoiner(" ");
        boolean isAcknowledge = Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE && syndrome != NONE;
        text.add(isAcknowledge ? Syndrome.toString(syndrome) : Opcode.shortName(opcode));
        if (msn != NONE) {
            text.add("MSN " + msn);
        }
        for (ExtensionHeader header : others) {
            text.add(
                    switch (header) {
                        case Reth reth ->
                            String.format(
                                    Locale.ROOT,
                                    "of %d bytes at 0x%x, R_Key 0x%08x",
                                    reth.dmaLength(),
                                    reth.virtualAddress(),
                                    reth.rKey());
                        case Deth deth -> String.format(Locale.ROOT, "Q_Key 0x%08x", deth.qKey());
                        case AtomicAckEth ack -> String.format(Locale.ROOT, "original 0x%x", ack.original());
                        case ImmDt imm -> String.format(Locale.ROOT, "immediate 0x%08x", imm.data());
                        default -> header.toString();
                    });
        }
        if (payload.hasRemaining()) {
            text.add(payload.remaining() + " B");
        }
        return text.toString();
    }

    /** What differs where both look the same. */
    String payloadDifference(Meaning other) {
        int at = payload.mismatch(other.payload);
        boolean onlyContents = at >= 0 && text().equals(other.text());
        return onlyContents
                ? String.format(
                        Locale.ROOT, ": byte %d is 0x%02x and was 0x%02x", at, other.payload.get(at), payload.get(at))
                : "";
    }
}
