package org.rdma4j.tools.conform.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.craft.Frame;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;

/** What crossed the wire in one run: as a capture file, and drawn. */
final class Evidence {

    /** Longer stories are cut in the drawing, never in the capture. */
    private static final int DRAWN = 60;

    private Evidence() {}

    static byte[] pcapng(Result result, Instant started) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PcapngWriter writer =
                new PcapngWriter(bytes, "rdma4j conform " + result.check().id())) {
            int index = writer.addInterface(LinkType.ETHERNET, "the hand-played side");
            long epoch = started.getEpochSecond() * 1_000_000_000 + started.getNano();
            long first =
                    result.frames().isEmpty() ? 0 : result.frames().getFirst().nanos();
            List<String> comment = List.of(result.check().toString());
            for (Frame frame : result.frames()) {
                int length = (int) frame.bytes().byteSize();
                writer.write(
                        index,
                        epoch + frame.nanos() - first,
                        frame.isSent() ? PcapngWriter.OUTBOUND : PcapngWriter.INBOUND,
                        frame.bytes(),
                        0,
                        length,
                        length,
                        comment);
                comment = List.of();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static String ladder(Result result) {
        StringBuilder text = new StringBuilder();
        Ladder ladder = new Ladder(line -> text.append(line).append('\n'));
        StreamLadder iwarp = new StreamLadder(ladder);
        List<Frame> frames = result.frames();
        for (Frame frame : frames.subList(0, Math.min(DRAWN, frames.size()))) {
            var parsed = FrameParser.parse(frame.bytes(), 0, (int) frame.bytes().byteSize(), LinkType.ETHERNET);
            long nanos = frame.nanos() - frames.getFirst().nanos();
            switch (parsed) {
                case RoceFrame roce -> ladder.packet(nanos, roce, Rule.ACCEPTED);
                case TcpFrame tcp -> iwarp.frame(nanos, tcp);
                default -> {
                    if (frame.isSent()) { // the check's own, or the link's ARP
                        text.append(String.format(
                                Locale.ROOT,
                                "%11.3f  ── a frame of %d bytes that is no packet of RoCE ──▶%n",
                                nanos / 1e3,
                                frame.bytes().byteSize()));
                    }
                }
            }
        }
        if (frames.size() > DRAWN) {
            text.append("(").append(frames.size() - DRAWN).append(" more packets are in the capture)\n");
        }
        return text.toString();
    }
}
