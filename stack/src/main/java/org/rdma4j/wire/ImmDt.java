package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Immediate data, in the last or only packet of a SEND or WRITE with immediate, behind every other header (IBTA volume
 * 1, 9.3.6).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                        Immediate data                         |  0
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param data four bytes that the completion delivers, read as a number in network order
 */
public record ImmDt(int data) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    public static final int DATA_OFFSET = 0;

    public static int data(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + DATA_OFFSET);
    }

    public static void write(MemorySegment segment, long offset, int data) {
        segment.set(NetworkOrder.INT, offset + DATA_OFFSET, data);
    }

    public static ImmDt parse(MemorySegment segment, long offset) {
        return new ImmDt(data(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, data);
    }
}
