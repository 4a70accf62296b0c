package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * RDMAP header of an atomic request, behind its untagged DDP header (RFC 7306, 5.2.1).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------------------------------+-------+
 * |                       reserved                        |AOpCode|  0
 * +-------------------------------------------------------+-------+
 * |                      Request identifier                       |  4
 * +---------------------------------------------------------------+
 * |                         Remote STag                           |  8
 * +---------------------------------------------------------------+
 * |                    Remote tagged offset (64 bits)             | 12
 * +---------------------------------------------------------------+
 * |                    Add or swap data (64 bits)                 | 20
 * +---------------------------------------------------------------+
 * |                    Add or swap mask (64 bits)                 | 28
 * +---------------------------------------------------------------+
 * |                    Compare data (64 bits)                     | 36
 * +---------------------------------------------------------------+
 * |                    Compare mask (64 bits)                     | 44
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param operation {@link #FETCH_ADD} or {@link #COMPARE_SWAP}
 * @param identifier what the response names this request by
 * @param sTag the buffer that holds the 8 bytes
 * @param taggedOffset where in it they lie, a multiple of 8
 * @param data what is added, or stored
 * @param mask the bits of it that count; in an add, a 1 ends a field: no carry leaves it
 * @param compare what must be there for a swap; unused by an add
 * @param compareMask the bits of it that count
 */
public record AtomicRequest(
        int operation,
        int identifier,
        int sTag,
        long taggedOffset,
        long data,
        long mask,
        long compare,
        long compareMask) {

    /** Bytes on the wire. */
    public static final int LENGTH = 52;

    public static final int FETCH_ADD = 0;
    public static final int COMPARE_SWAP = 2;

    public static final int OPERATION_OFFSET = 0;
    public static final int IDENTIFIER_OFFSET = 4;
    public static final int S_TAG_OFFSET = 8;
    public static final int TAGGED_OFFSET_OFFSET = 12;
    public static final int DATA_OFFSET = 20;
    public static final int MASK_OFFSET = 28;
    public static final int COMPARE_OFFSET = 36;
    public static final int COMPARE_MASK_OFFSET = 44;

    private static final int OPERATION_MASK = 0x0F;

    public static int operation(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + OPERATION_OFFSET) & OPERATION_MASK;
    }

    public static int identifier(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + IDENTIFIER_OFFSET);
    }

    public static int sTag(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + S_TAG_OFFSET);
    }

    public static long taggedOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TAGGED_OFFSET_OFFSET);
    }

    public static long data(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DATA_OFFSET);
    }

    public static long mask(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + MASK_OFFSET);
    }

    public static long compare(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + COMPARE_OFFSET);
    }

    public static long compareMask(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + COMPARE_MASK_OFFSET);
    }

    public static void write(
            MemorySegment segment,
            long offset,
            int operation,
            int identifier,
            int sTag,
            long taggedOffset,
            long data,
            long mask,
            long compare,
            long compareMask) {
        segment.set(NetworkOrder.INT, offset + OPERATION_OFFSET, operation & OPERATION_MASK);
        segment.set(NetworkOrder.INT, offset + IDENTIFIER_OFFSET, identifier);
        segment.set(NetworkOrder.INT, offset + S_TAG_OFFSET, sTag);
        segment.set(NetworkOrder.LONG, offset + TAGGED_OFFSET_OFFSET, taggedOffset);
        segment.set(NetworkOrder.LONG, offset + DATA_OFFSET, data);
        segment.set(NetworkOrder.LONG, offset + MASK_OFFSET, mask);
        segment.set(NetworkOrder.LONG, offset + COMPARE_OFFSET, compare);
        segment.set(NetworkOrder.LONG, offset + COMPARE_MASK_OFFSET, compareMask);
    }

    public static AtomicRequest parse(MemorySegment segment, long offset) {
        return new AtomicRequest(
                operation(segment, offset),
                identifier(segment, offset),
                sTag(segment, offset),
                taggedOffset(segment, offset),
                data(segment, offset),
                mask(segment, offset),
                compare(segment, offset),
                compareMask(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, operation, identifier, sTag, taggedOffset, data, mask, compare, compareMask);
    }
}
