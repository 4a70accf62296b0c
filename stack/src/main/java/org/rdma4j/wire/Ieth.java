package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Invalidate extended transport header, in the last or only packet of a SEND with invalidate (IBTA volume 1, 9.3.7).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                            R_Key                              |  0
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param rKey the key that the responder is to invalidate
 */
public record Ieth(int rKey) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    public static final int R_KEY_OFFSET = 0;

    public static int rKey(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + R_KEY_OFFSET);
    }

    public static void write(MemorySegment segment, long offset, int rKey) {
        segment.set(NetworkOrder.INT, offset + R_KEY_OFFSET, rKey);
    }

    public static Ieth parse(MemorySegment segment, long offset) {
        return new Ieth(rKey(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, rKey);
    }
}
