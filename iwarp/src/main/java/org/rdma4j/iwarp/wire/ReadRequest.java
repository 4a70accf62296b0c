package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * RDMAP header of a Read Request, behind its untagged DDP header (RFC 5040, 4.4).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                       Data sink STag                          |  0
 * +---------------------------------------------------------------+
 * |               Data sink tagged offset (63..32)                |  4
 * +---------------------------------------------------------------+
 * |               Data sink tagged offset (31..0)                 |  8
 * +---------------------------------------------------------------+
 * |                  RDMA Read message size                       | 12
 * +---------------------------------------------------------------+
 * |                      Data source STag                         | 16
 * +---------------------------------------------------------------+
 * |              Data source tagged offset (63..32)               | 20
 * +---------------------------------------------------------------+
 * |              Data source tagged offset (31..0)                | 24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param sinkSTag where the response goes: the requester's buffer
 * @param sinkOffset and the place in it
 * @param size bytes to read, 0 to 2^32-1; with 0 the source is not looked at
 * @param sourceSTag what is read: the responder's buffer
 * @param sourceOffset and the place in it
 */
public record ReadRequest(int sinkSTag, long sinkOffset, long size, int sourceSTag, long sourceOffset) {

    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    public static final int SINK_S_TAG_OFFSET = 0;
    public static final int SINK_OFFSET_OFFSET = 4;
    public static final int SIZE_OFFSET = 12;
    public static final int SOURCE_S_TAG_OFFSET = 16;
    public static final int SOURCE_OFFSET_OFFSET = 20;

    public static int sinkSTag(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SINK_S_TAG_OFFSET);
    }

    public static long sinkOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SINK_OFFSET_OFFSET);
    }

    public static long size(MemorySegment segment, long offset) {
        return Integer.toUnsignedLong(segment.get(NetworkOrder.INT, offset + SIZE_OFFSET));
    }

    public static int sourceSTag(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SOURCE_S_TAG_OFFSET);
    }

    public static long sourceOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SOURCE_OFFSET_OFFSET);
    }

    public static void write(
            MemorySegment segment,
            long offset,
            int sinkSTag,
            long sinkOffset,
            long size,
            int sourceSTag,
            long sourceOffset) {
        segment.set(NetworkOrder.INT, offset + SINK_S_TAG_OFFSET, sinkSTag);
        segment.set(NetworkOrder.LONG, offset + SINK_OFFSET_OFFSET, sinkOffset);
        segment.set(NetworkOrder.INT, offset + SIZE_OFFSET, (int) size);
        segment.set(NetworkOrder.INT, offset + SOURCE_S_TAG_OFFSET, sourceSTag);
        segment.set(NetworkOrder.LONG, offset + SOURCE_OFFSET_OFFSET, sourceOffset);
    }

    public static ReadRequest parse(MemorySegment segment, long offset) {
        return new ReadRequest(
                sinkSTag(segment, offset),
                sinkOffset(segment, offset),
                size(segment, offset),
                sourceSTag(segment, offset),
                sourceOffset(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, sinkSTag, sinkOffset, size, sourceSTag, sourceOffset);
    }
}
