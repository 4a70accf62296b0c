package org.rdma4j.tools.decode;

import java.util.List;
import org.rdma4j.iwarp.capture.CapturedUnit;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.wire.TcpFrame;

/**
 * A captured TCP segment by which something of iWARP became whole.
 *
 * @param number its place in the file, 1 for the first frame
 * @param sinceFirst nanoseconds since the file's first frame
 * @param captured what the file holds
 * @param tcp where its parts lie
 * @param units what became whole, in the order of the stream; never empty
 * @param findings what there is to say about them
 */
record IwarpFrame(
        long number,
        long sinceFirst,
        CapturedPacket captured,
        TcpFrame tcp,
        List<CapturedUnit> units,
        List<IwarpFinding> findings) {

    /** True for the unit behind which to say what there is to say about the frame. */
    boolean endsWith(CapturedUnit unit) {
        return units.getLast() == unit;
    }
}
