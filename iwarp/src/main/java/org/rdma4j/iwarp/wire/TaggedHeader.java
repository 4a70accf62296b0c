package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * DDP header of a tagged segment, of Write and Read Response: the payload goes to where it says (RFC 5041, 4.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 *                                 +-------------------------------+
 *                                 |     control ({@link DdpControl})      |  0
 * +-------------------------------+-------------------------------+
 * |                             STag                              |  2
 * +---------------------------------------------------------------+
 * |                   Tagged offset (63..32)                      |  6
 * +---------------------------------------------------------------+
 * |                   Tagged offset (31..0)                       | 10
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param control 16 bits: T, L, versions and opcode
 * @param sTag the steering tag of the buffer
 * @param taggedOffset where in it the segment's first byte goes
 */
public record TaggedHeader(int control, int sTag, long taggedOffset) {

    /** Bytes on the wire. */
    public static final int LENGTH = 14;

    public static final int CONTROL_OFFSET = 0;
    public static final int S_TAG_OFFSET = 2;
    public static final int TAGGED_OFFSET_OFFSET = 6;

    /** The control field, the same two bytes in tagged and untagged segments. */
    public static int control(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + CONTROL_OFFSET) & 0xFFFF;
    }

    public static int sTag(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + S_TAG_OFFSET);
    }

    public static long taggedOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TAGGED_OFFSET_OFFSET);
    }

    public static void write(MemorySegment segment, long offset, int control, int sTag, long taggedOffset) {
        segment.set(NetworkOrder.SHORT, offset + CONTROL_OFFSET, (short) control);
        segment.set(NetworkOrder.INT, offset + S_TAG_OFFSET, sTag);
        segment.set(NetworkOrder.LONG, offset + TAGGED_OFFSET_OFFSET, taggedOffset);
    }

    public static TaggedHeader parse(MemorySegment segment, long offset) {
        return new TaggedHeader(control(segment, offset), sTag(segment, offset), taggedOffset(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, control, sTag, taggedOffset);
    }
}
