package org.rdma4j.iwarp.capture;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rdma4j.analysis.RecentMap;
import org.rdma4j.wire.TcpEnds;
import org.rdma4j.wire.TcpFrame;
import org.rdma4j.wire.TcpHeader;

/**
 * The TCP connections of a capture, as far as they are iWARP: fed with every TCP segment, it tells what became whole by
 * each. A connection is iWARP where a direction starts with the key of an MPA frame (RFC 5044, 7.1.1).
 */
public final class CapturedConnections {

    /** So many connections are kept in mind; the one that was silent for the longest goes first. */
    private static final int MOST = 4096;

    private final Map<TcpEnds, CapturedDirection> directions = new RecentMap<>(2 * MOST);

    /** A TCP segment of a frame. @return as below */
    public List<CapturedUnit> segment(TcpFrame tcp) {
        boolean syn = (tcp.flags() & TcpHeader.SYN) != 0;
        return segment(tcp.ends(), tcp.sequence(), syn, tcp.payload(), tcp.payloadLength());
    }

    /**
     * A TCP segment.
     *
     * @param sequence its sequence number
     * @param syn it has the SYN flag
     * @param payload what the capture kept of its payload
     * @param length bytes of payload that it had on the wire
     * @return what of MPA became whole by it, in the order of the stream; mostly nothing or one
     */
    public List<CapturedUnit> segment(TcpEnds ends, int sequence, boolean syn, MemorySegment payload, long length) {
        if (length == 0 && !syn) {
            return List.of();
        }
        CapturedDirection peer = directions.computeIfAbsent(ends.back(), any -> new CapturedDirection());
        CapturedDirection direction = directions.computeIfAbsent(ends, any -> new CapturedDirection());
        List<CapturedUnit> units = new ArrayList<>(1);
        direction.segment(sequence, syn, payload, length, peer, units);
        return units;
    }

    /** Bytes of iWARP that the end of the capture cut off: of frames and FPDUs that did not become whole. */
    public long left() {
        return directions.values().stream()
                .filter(direction -> !direction.isOver())
                .mapToLong(CapturedDirection::left)
                .sum();
    }
}
