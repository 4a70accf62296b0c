package org.rdma4j.conformance;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.stream.Collectors;
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

/** The newest packets of a run, one a line, for the message of a test that fails. Made of text only when it is read. */
final class Ladder {

    private static final int LONGEST = 200;

    private record Line(double millis, String text, MemorySegment packet, Rule decision) {
        @Override
        public String toString() {
            String what = packet == null ? text : text + describe(Packet.parse(packet, 0, (int) packet.byteSize()));
            String why = decision == null ? "" : "   [" + decision + "]";
            return String.format(Locale.ROOT, "%12.4f ms  %s%s", millis, what, why);
        }
    }

    private final VirtualClock clock;
    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private long dropped;

    Ladder(VirtualClock clock) {
        this.clock = clock;
    }

    void sentByPeer(MemorySegment packet, Rule decision) {
        add("peer --> device  ", packet, decision);
    }

    void sentByDevice(MemorySegment packet) {
        add("peer <-- device  ", packet, null);
    }

    void note(String text) {
        add(text, null, null);
    }

    private void add(String text, MemorySegment packet, Rule decision) {
        if (lines.size() == LONGEST) {
            lines.removeFirst();
            dropped++;
        }
        lines.add(new Line(clock.millis(), text, packet, decision));
    }

    @Override
    public String toString() {
        String before = dropped == 0 ? "" : "  ... " + dropped + " lines before\n";
        return before + lines.stream().map(Line::toString).collect(Collectors.joining("\n"));
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
