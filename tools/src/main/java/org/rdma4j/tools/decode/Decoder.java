package org.rdma4j.tools.decode;

import java.util.List;
import org.rdma4j.analysis.Analyzer;
import org.rdma4j.analysis.Finding;
import org.rdma4j.analysis.FindingKind;
import org.rdma4j.analysis.FlippedBit;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherFrame;
import org.rdma4j.wire.ParsedFrame;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;
import org.rdma4j.wire.Vcrc;

/** Follows one capture file frame by frame. */
public final class Decoder {

    private final Analyzer analyzer = new Analyzer();
    private final Exchanges exchanges = new Exchanges(analyzer);
    private final IwarpDecoder iwarp = new IwarpDecoder();
    private final CheckedFrame.Checker checker;
    private final Summary summary;
    private long frames;
    private long firstTimestamp;
    private IwarpFrame iwarpFrame;

    /** @param udpPort the port that means RoCE v2 */
    public Decoder(int udpPort, Summary summary) {
        this.checker = new CheckedFrame.Checker(udpPort);
        this.summary = summary;
    }

    public Analyzer analyzer() {
        return analyzer;
    }

    IwarpDecoder iwarp() {
        return iwarp;
    }

    /** What of iWARP became whole by the last frame; {@code null} for nothing. */
    IwarpFrame iwarpFrame() {
        return iwarpFrame;
    }

    /** The next frame of the file; {@code null} where it is not RoCE and says nothing about it. */
    public DecodedFrame next(CapturedPacket captured) {
        return next(checker.check(captured));
    }

    /** The same for one that was looked at by itself. */
    DecodedFrame next(CheckedFrame checked) {
        CapturedPacket captured = checked.captured();
        if (frames++ == 0) {
            firstTimestamp = captured.timestamp();
        }
        iwarpFrame = null;
        analyzer.other();
        summary.addFrame(captured);
        DecodedFrame decoded = checked.parsed() instanceof RoceFrame roce
                ? roce(captured, roce, checked.icrc())
                : other(captured, checked.parsed());
        if (decoded != null) {
            summary.add(decoded);
        }
        return decoded;
    }

    private DecodedFrame other(CapturedPacket captured, ParsedFrame parsed) {
        return switch (parsed) {
            case OtherFrame other -> {
                summary.addOther(other);
                yield null;
            }
            case TcpFrame tcp -> {
                summary.addOther(OtherFrame.ofProtocol(TcpHeader.PROTOCOL));
                exchanges.segment(tcp, frames, captured.timestamp());
                iwarpFrame = iwarp.segment(captured, tcp, frames, captured.timestamp() - firstTimestamp);
                yield analyzer.findings().isEmpty() ? null : decoded(captured, null, null, null, PacketPlace.NOWHERE);
            }
            case Malformed malformed -> malformed(captured, null, null, malformed);
            case RoceFrame _ -> throw new AssertionError("a RoCE frame is none of the others");
        };
    }

    private DecodedFrame roce(CapturedPacket captured, RoceFrame frame, IcrcVerdict icrc) {
        if (frame.transportLength() > CheckedFrame.LONGEST_PACKET) {
            Malformed train = new Malformed(
                    Rule.PAYLOAD_LENGTH,
                    frame.transportLength()
                            + " bytes, more than a packet holds: packets that the sender's kernel had not"
                            + " cut apart yet (segmentation offload); capture on the receiver's side, or first"
                            + " ip link set DEV gso_max_segs 1");
            return malformed(captured, null, null, train);
        }
        if (frame.payloadLength() < 0) {
            return frame.packet() instanceof Malformed why
                    ? malformed(captured, frame, icrc, why)
                    : malformed(captured, frame, icrc, new Malformed(Rule.TOO_SHORT, "its headers do not fit"));
        }
        if (frame.bthOffset() + frame.headerLength() > captured.length()) {
            Malformed cut = new Malformed(Rule.TOO_SHORT, "the capture kept only " + captured.length() + " bytes");
            return malformed(captured, null, null, cut);
        }
        PacketPlace place;
        if (icrc == IcrcVerdict.WRONG) {
            // A packet that was damaged on the way says nothing that could be relied on.
            analyzer.damaged(frames, captured.timestamp(), frame, () -> flipped(frame));
            place = PacketPlace.NOWHERE;
        } else {
            place = analyzer.packet(frames, captured.timestamp(), frame);
        }
        if (frame.encapsulation().isInfiniBand()) {
            vcrc(captured, frame);
        }
        return decoded(captured, frame, icrc, null, place);
    }

    private static String flipped(RoceFrame frame) {
        return "the ICRC is wrong: "
                + FlippedBit.of(frame)
                        .map(bit -> bit + " flipped on the way explains it")
                        .orElse("no single flipped bit explains it");
    }

    private void vcrc(CapturedPacket captured, RoceFrame frame) {
        long at = frame.icrcOffset() + Icrc.LENGTH;
        if (at + Vcrc.LENGTH > captured.length()) {
            return;
        }
        int expected = Vcrc.of(frame.segment(), frame.networkOffset(), at - frame.networkOffset());
        int found = Vcrc.read(frame.segment(), at);
        if (found != expected) {
            analyzer.found(
                    FindingKind.BAD_VCRC,
                    frames,
                    captured.timestamp(),
                    String.format("the VCRC is 0x%04x and should be 0x%04x: damaged on this link", found, expected));
        }
    }

    private DecodedFrame malformed(CapturedPacket captured, RoceFrame frame, IcrcVerdict icrc, Malformed why) {
        analyzer.found(FindingKind.MALFORMED, frames, captured.timestamp(), why.reason());
        return decoded(captured, frame, icrc, why, PacketPlace.NOWHERE);
    }

    private DecodedFrame decoded(
            CapturedPacket captured, RoceFrame frame, IcrcVerdict icrc, Malformed malformed, PacketPlace place) {
        long sinceFirst = captured.timestamp() - firstTimestamp;
        List<Finding> findings = analyzer.findings();
        return new DecodedFrame(frames, sinceFirst, captured, frame, icrc, malformed, place, findings);
    }
}
