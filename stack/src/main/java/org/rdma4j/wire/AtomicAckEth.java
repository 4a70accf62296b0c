package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Atomic acknowledge extended transport header, behind the AETH of an ATOMIC_ACKNOWLEDGE (IBTA volume 1, 9.3.5.3).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |               Original remote data (63..32)                   |  0
 * +---------------------------------------------------------------+
 * |               Original remote data (31..0)                    |  4
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param original what was in the memory before the operation
 */
public record AtomicAckEth(long original) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    public static final int ORIGINAL_OFFSET = 0;

    public static long original(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + ORIGINAL_OFFSET);
    }

    public static void write(MemorySegment segment, long offset, long original) {
        segment.set(NetworkOrder.LONG, offset + ORIGINAL_OFFSET, original);
    }

    public static AtomicAckEth parse(MemorySegment segment, long offset) {
        return new AtomicAckEth(original(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, original);
    }
}
