package org.rdma4j.link.tap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.RoceFrame;

/** Draws what crosses links as a ladder, while it happens. Links that are driven by several threads may share one. */
public final class LadderTap {

    private final Ladder ladder;
    private final int udpPort;

    public LadderTap(Ladder ladder) {
        this(ladder, LinkOptions.ROCE_V2_PORT);
    }

    /** @param udpPort the port that the links use for RoCE v2 */
    public LadderTap(Ladder ladder, int udpPort) {
        this.ladder = ladder;
        this.udpPort = udpPort;
    }

    /** A tap for a link: what it sends, of which no decision is known, and what it receives. */
    public FrameTap both() {
        return new Side(true);
    }

    /** A tap for a link whose peers have one too: only what it receives, so that each packet is drawn once. */
    public FrameTap arrivals() {
        return new Side(false);
    }

    private synchronized void draw(long now, MemorySegment frame, long offset, int length, Rule decision) {
        if (FrameParser.parse(frame, offset, length, LinkType.ETHERNET, udpPort) instanceof RoceFrame roce) {
            ladder.packet(now, roce, decision);
        }
    }

    private final class Side implements FrameTap {

        private final boolean bothWays;

        Side(boolean bothWays) {
            this.bothWays = bothWays;
        }

        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            if (bothWays) {
                draw(now, frame, offset, length, null);
            }
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            draw(now, frame, offset, length, decision);
        }
    }
}
