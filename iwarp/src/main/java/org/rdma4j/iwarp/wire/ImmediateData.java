package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * The eight bytes of an Immediate Data message, behind its untagged DDP header; the message is never segmented (RFC
 * 7306, 6.2). Their meaning is the ULP's: verbs put their four bytes of immediate data first and zeros behind.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Immediate data (63..32)                   |  0
 * +---------------------------------------------------------------+
 * |                     Immediate data (31..0)                    |  4
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param data the eight bytes as a number in network order
 */
public record ImmediateData(long data) {

    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    public static long data(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset);
    }

    public static void setData(MemorySegment segment, long offset, long data) {
        segment.set(NetworkOrder.LONG, offset, data);
    }

    public static ImmediateData parse(MemorySegment segment, long offset) {
        return new ImmediateData(data(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        setData(segment, offset, data);
    }
}
