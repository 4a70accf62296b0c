package org.rdma4j.analysis;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.ExtensionHeader;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/** Frames of a conversation between 10.0.0.1, queue pair 0x11, and 10.0.0.2, queue pair 0x12. */
public final class TestFrames {

    public static final Gid LEFT = Gid.ofIpv4(0x0A000001);
    public static final Gid RIGHT = Gid.ofIpv4(0x0A000002);
    private static final int LEFT_QP = 0x11;
    private static final int RIGHT_QP = 0x12;

    private TestFrames() {}

    /** From left to right. */
    public static RoceFrame request(int opcode, int psn, int payload, ExtensionHeader... extensions) {
        return frame(LEFT, RIGHT, RIGHT_QP, opcode, psn, true, payload, extensions);
    }

    /** From right to left. */
    public static RoceFrame response(int opcode, int psn, int payload, ExtensionHeader... extensions) {
        return frame(RIGHT, LEFT, LEFT_QP, opcode, psn, false, payload, extensions);
    }

    public static RoceFrame acknowledge(int psn, int syndrome, int msn) {
        return response(org.rdma4j.wire.Opcode.RC_ACKNOWLEDGE, psn, 0, new Aeth(syndrome, msn));
    }

    public static RoceFrame frame(
            Gid from,
            Gid to,
            int destQp,
            int opcode,
            int psn,
            boolean ackReq,
            int payload,
            ExtensionHeader... extensions) {
        Bth bth = new Bth(
                opcode, false, true, -payload & 3, 0, 0xFFFF, false, false, 0, destQp, ackReq, 0, psn & 0xFFFFFF);
        Packet packet = Packet.of(bth, List.of(extensions), MemorySegment.ofArray(new byte[payload]));
        byte[] bytes = FrameBuilder.roceV2(from)
                .gids(from, to)
                .udpPorts(0xC001, 4791)
                .build(MemorySegment.ofArray(packet.toBytes()), 0, packet.length());
        return parse(bytes);
    }

    public static RoceFrame parse(byte[] bytes) {
        return (RoceFrame) FrameParser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, LinkType.ETHERNET);
    }

    public static Packet packet(RoceFrame frame) {
        return (Packet) frame.packet();
    }
}
