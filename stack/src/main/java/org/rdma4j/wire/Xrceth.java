package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * XRC extended transport header, behind the BTH of every XRC request; responses have none (IBTA volume 1, annex A14).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+-----------------------------------------------+
 * |   reserved    |                   XRC SRQ                     |  0
 * +---------------+-----------------------------------------------+
 * </pre>
 *
 * @param reserved 8 bits, ignored by receivers
 * @param srqn the shared receive queue that the message is for, 24 bits
 */
public record Xrceth(int reserved, int srqn) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    public static final int SRQN_OFFSET = 0;

    public Xrceth(int srqn) {
        this(0, srqn);
    }

    public static int srqn(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SRQN_OFFSET) & NetworkOrder.MASK_24;
    }

    /** Writes the reserved byte as 0. */
    public static void write(MemorySegment segment, long offset, int srqn) {
        segment.set(NetworkOrder.INT, offset + SRQN_OFFSET, srqn & NetworkOrder.MASK_24);
    }

    public static Xrceth parse(MemorySegment segment, long offset) {
        return new Xrceth(segment.get(NetworkOrder.BYTE, offset + SRQN_OFFSET) & 0xFF, srqn(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset + SRQN_OFFSET, reserved << 24 | srqn & NetworkOrder.MASK_24);
    }
}
