package org.rdma4j.tools.decode;

import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.FrameBytes;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.IcrcCheck;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.ParsedFrame;
import org.rdma4j.wire.RoceFrame;

/**
 * A captured frame with what it tells by itself, whatever came before it.
 *
 * @param captured what the file holds
 * @param parsed what it turned out to be
 * @param icrc the verdict on a RoCE packet's ICRC; {@code null} for any other frame and for what is longer than a packet
 */
record CheckedFrame(CapturedPacket captured, ParsedFrame parsed, IcrcVerdict icrc) {

    /** BTH, XRCETH, RETH, ImmDt and 4096 bytes. */
    static final int LONGEST_PACKET = 12 + 4 + 16 + 4 + 4096;

    /** Longer than any frame that holds a RoCE packet; what claims more is not filled up. */
    private static final int LONGEST_FRAME = 1 << 17;

    /** Looks at one frame after the other. Not for several threads. */
    static final class Checker {

        private final int udpPort;
        private final IcrcCheck icrcCheck = new IcrcCheck();

        /** @param udpPort the port that means RoCE v2 */
        Checker(int udpPort) {
            this.udpPort = udpPort;
        }

        CheckedFrame check(CapturedPacket captured) {
            ParsedFrame parsed = parse(captured);
            return new CheckedFrame(captured, parsed, parsed instanceof RoceFrame roce ? icrc(captured, roce) : null);
        }

        private ParsedFrame parse(CapturedPacket captured) {
            FrameBytes bytes = FrameBytes.of(captured.array(), captured.offset(), captured.length());
            ParsedFrame asCaptured = FrameParser.parse(bytes, 0, captured.length(), captured.linkType(), udpPort);
            if (!(asCaptured instanceof Malformed)
                    || !captured.cutShort()
                    || captured.originalLength() > LONGEST_FRAME) {
                return asCaptured;
            }
            // The capture kept the first bytes of each frame only: zeros stand for the rest, so that the headers can be
            // told.
            byte[] filled = new byte[(int) captured.originalLength()];
            System.arraycopy(captured.array(), captured.offset(), filled, 0, captured.length());
            return FrameParser.parse(FrameBytes.of(filled), 0, filled.length, captured.linkType(), udpPort);
        }

        private IcrcVerdict icrc(CapturedPacket captured, RoceFrame frame) {
            if (frame.transportLength() > LONGEST_PACKET) {
                return null;
            }
            if (frame.icrcOffset() + Icrc.LENGTH > captured.length()) {
                return IcrcVerdict.CUT_OFF;
            }
            return icrcCheck.isRight(frame) ? IcrcVerdict.RIGHT : IcrcVerdict.WRONG;
        }
    }
}
