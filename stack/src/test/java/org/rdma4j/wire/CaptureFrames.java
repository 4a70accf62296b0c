package org.rdma4j.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.vectors.Captures;

/** The frames of the test captures. */
final class CaptureFrames {

    private CaptureFrames() {}

    /** Every packet of a pcap or pcapng file. */
    static List<CapturedPacket> packets(byte[] file) {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open("test", new ByteArrayInputStream(file))) {
            reader.forEachRemaining(packets::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packets;
    }

    static ParsedFrame parse(CapturedPacket packet) {
        return FrameParser.parse(packet.bytes(), 0, packet.length(), packet.linkType());
    }

    /** Every RoCE frame of a capture. */
    static Stream<RoceFrame> roceFrames(Captures.Capture capture) {
        return packets(capture.bytes()).stream()
                .map(CaptureFrames::parse)
                .filter(RoceFrame.class::isInstance)
                .map(RoceFrame.class::cast);
    }

    /** The frame's own bytes, for those that want to change them. */
    static byte[] bytes(RoceFrame frame) {
        return frame.segment().asSlice(frame.start(), frame.length()).toArray(NetworkOrder.BYTE);
    }

    /** A frame from bytes that must be one. */
    static RoceFrame frame(byte[] bytes, int linkType) {
        return (RoceFrame) FrameParser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, linkType);
    }
}
