package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Datagram extended transport header, behind the BTH of every UD packet (IBTA volume 1, 9.3.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                            Q_Key                              |  0
 * +---------------+-----------------------------------------------+
 * |   reserved    |                   Source QP                   |  4
 * +---------------+-----------------------------------------------+
 * </pre>
 *
 * @param qKey must match that of the receiving queue pair
 * @param reserved 8 bits, ignored by receivers
 * @param sourceQp the sender, 24 bits
 */
public record Deth(int qKey, int reserved, int sourceQp) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    public static final int Q_KEY_OFFSET = 0;
    public static final int SOURCE_QP_OFFSET = 4;

    public Deth(int qKey, int sourceQp) {
        this(qKey, 0, sourceQp);
    }

    public static int qKey(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + Q_KEY_OFFSET);
    }

    public static int sourceQp(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SOURCE_QP_OFFSET) & NetworkOrder.MASK_24;
    }

    public static void setQKey(MemorySegment segment, long offset, int qKey) {
        segment.set(NetworkOrder.INT, offset + Q_KEY_OFFSET, qKey);
    }

    /** Writes the reserved byte as 0. */
    public static void setSourceQp(MemorySegment segment, long offset, int sourceQp) {
        segment.set(NetworkOrder.INT, offset + SOURCE_QP_OFFSET, sourceQp & NetworkOrder.MASK_24);
    }

    public static void write(MemorySegment segment, long offset, int qKey, int sourceQp) {
        setQKey(segment, offset, qKey);
        setSourceQp(segment, offset, sourceQp);
    }

    public static Deth parse(MemorySegment segment, long offset) {
        int reserved = segment.get(NetworkOrder.BYTE, offset + SOURCE_QP_OFFSET) & 0xFF;
        return new Deth(qKey(segment, offset), reserved, sourceQp(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, qKey, sourceQp);
        segment.set(NetworkOrder.BYTE, offset + SOURCE_QP_OFFSET, (byte) reserved);
    }
}
