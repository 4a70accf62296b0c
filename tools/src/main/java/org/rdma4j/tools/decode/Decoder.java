package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.trace.PacketPlace;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Streams;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherFrame;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedFrame;
import org.rdma4j.wire.RoceFrame;

/** Follows one capture file frame by frame. */
final class Decoder {

    /** Longer than any frame that holds a RoCE packet; what claims more is not filled up. */
    private static final int LONGEST_FRAME = 1 << 17;

    /** BTH, XRCETH, RETH, ImmDt and 4096 bytes. */
    private static final int LONGEST_PACKET = 12 + 4 + 16 + 4 + 4096;

    private final int udpPort;
    private final Streams streams = new Streams();
    private final Summary summary;
    private long frames;
    private long firstTimestamp;

    /** @param udpPort the port that means RoCE v2 */
    Decoder(int udpPort, Summary summary) {
        this.udpPort = udpPort;
        this.summary = summary;
    }

    /** The next frame of the file; {@code null} where it is not RoCE. */
    DecodedFrame next(CapturedPacket captured) {
        if (frames++ == 0) {
            firstTimestamp = captured.timestamp();
        }
        DecodedFrame decoded = switch (parse(captured)) {
            case OtherFrame other -> {
                summary.addOther(other);
                yield null;
            }
            case Malformed malformed -> decoded(captured, null, null, null, malformed, PacketPlace.NOWHERE);
            case RoceFrame frame -> roce(captured, frame);
        };
        if (decoded != null) {
            summary.add(decoded);
        }
        return decoded;
    }

    private ParsedFrame parse(CapturedPacket captured) {
        MemorySegment bytes = captured.bytes();
        ParsedFrame asCaptured = FrameParser.parse(bytes, 0, captured.length(), captured.linkType(), udpPort);
        if (!(asCaptured instanceof Malformed) || !captured.cutShort() || captured.originalLength() > LONGEST_FRAME) {
            return asCaptured;
        }
        // The capture kept the first bytes of each frame only: zeros stand for the rest, so that the headers can be
        // told.
        MemorySegment filled = MemorySegment.ofArray(new byte[(int) captured.originalLength()]);
        MemorySegment.copy(bytes, 0, filled, 0, captured.length());
        return FrameParser.parse(filled, 0, (int) captured.originalLength(), captured.linkType(), udpPort);
    }

    private DecodedFrame roce(CapturedPacket captured, RoceFrame frame) {
        if (frame.transportLength() > LONGEST_PACKET) {
            Malformed train = new Malformed(
                    Rule.PAYLOAD_LENGTH,
                    frame.transportLength()
                            + " bytes, more than a packet holds: packets that the sender's kernel had not"
                            + " cut apart yet (segmentation offload); capture on the receiver's side, or first"
                            + " ip link set DEV gso_max_segs 1");
            return decoded(captured, null, null, null, train, PacketPlace.NOWHERE);
        }
        boolean isWhole = frame.icrcOffset() + Icrc.LENGTH <= captured.length();
        IcrcVerdict icrc = isWhole ? IcrcVerdict.of(frame) : IcrcVerdict.CUT_OFF;
        return switch (frame.packet()) {
            case Malformed malformed -> decoded(captured, frame, icrc, null, malformed, PacketPlace.NOWHERE);
            case Packet packet -> {
                boolean headersAreThere = frame.bthOffset() + packet.headerLength() <= captured.length();
                if (!headersAreThere) {
                    Malformed cut =
                            new Malformed(Rule.TOO_SHORT, "the capture kept only " + captured.length() + " bytes");
                    yield decoded(captured, null, null, null, cut, PacketPlace.NOWHERE);
                }
                // A packet that was damaged on the way says nothing that could be relied on.
                boolean isDamaged = icrc == IcrcVerdict.WRONG;
                PacketPlace place = isDamaged ? PacketPlace.NOWHERE : streams.place(frame, packet);
                yield decoded(captured, frame, icrc, packet, null, place);
            }
        };
    }

    private DecodedFrame decoded(
            CapturedPacket captured,
            RoceFrame frame,
            IcrcVerdict icrc,
            Packet packet,
            Malformed malformed,
            PacketPlace place) {
        long sinceFirst = captured.timestamp() - firstTimestamp;
        return new DecodedFrame(frames, sinceFirst, captured, frame, icrc, packet, malformed, place);
    }
}
