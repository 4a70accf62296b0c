package org.rdma4j.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedPacket;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/** The packets of a run, one a line, for the message of a test that fails. */
final class Ladder {

    private static final int LONGEST = 200;

    private final VirtualClock clock;
    private final List<String> lines = new ArrayList<>();

    Ladder(VirtualClock clock) {
        this.clock = clock;
    }

    void sentByPeer(ParsedPacket packet, Rule decision) {
        add("peer --> device  " + describe(packet) + "   [" + decision + "]");
    }

    void sentByDevice(ParsedPacket packet) {
        add("peer <-- device  " + describe(packet));
    }

    void note(String text) {
        add(text);
    }

    private void add(String text) {
        lines.add(String.format(Locale.ROOT, "%12.4f ms  %s", clock.millis(), text));
    }

    @Override
    public String toString() {
        int from = Math.max(0, lines.size() - LONGEST);
        String skipped = from == 0 ? "" : "  ... " + from + " lines before\n";
        return skipped + String.join("\n", lines.subList(from, lines.size()));
    }

    static String describe(ParsedPacket parsed) {
        return switch (parsed) {
            case Malformed malformed -> "malformed: " + malformed.reason();
            case Packet packet -> describe(packet);
        };
    }

    private static String describe(Packet packet) {
        StringBuilder text = new StringBuilder(Opcode.shortName(packet.bth().opcode()));
        text.append(String.format(" psn=%06x", packet.bth().psn()));
        text.append(packet.bth().ackReq() ? " ackReq" : "").append(packet.bth().solicited() ? " SE" : "");
        for (ExtensionHeader header : packet.extensions()) {
            text.append(' ').append(describe(header));
        }
        return text.append(" len=").append(packet.payload().byteSize()).toString();
    }

    private static String describe(ExtensionHeader header) {
        return switch (header) {
            case Reth reth ->
                String.format("va=%x rkey=%08x dma=%d", reth.virtualAddress(), reth.rKey(), reth.dmaLength());
            case Aeth aeth -> "{" + Syndrome.toString(aeth.syndrome()) + " msn=" + aeth.msn() + "}";
            case ImmDt imm -> String.format("imm=%08x", imm.data());
            case Ieth ieth -> String.format("inv=%08x", ieth.rKey());
            case AtomicEth atomic -> atomic.toString();
            case AtomicAckEth original -> String.format("original=%x", original.original());
            default -> header.toString();
        };
    }
}
