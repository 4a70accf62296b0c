package org.rdma4j.tools.demo;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.capture.CapturedConnections;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.tools.decode.IwarpLadder;
import org.rdma4j.trace.Ladder;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.TcpFrame;

/** Draws the units of iWARP that arrive at either device, while it happens. */
final class IwarpLadderTap implements FrameTap {

    private final IwarpLadder ladder;
    private final CapturedConnections connections = new CapturedConnections();

    IwarpLadderTap(Ladder ladder) {
        this.ladder = new IwarpLadder(ladder);
    }

    @Override
    public void sent(long now, MemorySegment frame, long offset, int length) {
        // The other device's tap sees it arrive.
    }

    @Override
    public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
        if (FrameParser.parse(frame, offset, length, LinkType.ETHERNET, LinkOptions.ROCE_V2_PORT)
                instanceof TcpFrame tcp) {
            connections.segment(tcp).forEach(unit -> ladder.unit(0, now, tcp, unit));
        }
    }
}
