package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * RDMA extended transport header, in the first or only packet of a WRITE, in a READ request, in FLUSH and ATOMIC_WRITE
 * (IBTA volume 1, 9.3.3).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                  Virtual address (63..32)                     |  0
 * +---------------------------------------------------------------+
 * |                  Virtual address (31..0)                      |  4
 * +---------------------------------------------------------------+
 * |                            R_Key                              |  8
 * +---------------------------------------------------------------+
 * |                         DMA length                            | 12
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param virtualAddress where the access starts, in the responder's terms
 * @param rKey the key that allows it
 * @param dmaLength bytes of the whole message, 0 to 2^32-1; above 2^31 is an invalid request
 */
public record Reth(long virtualAddress, int rKey, long dmaLength) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    public static final int VIRTUAL_ADDRESS_OFFSET = 0;
    public static final int R_KEY_OFFSET = 8;
    public static final int DMA_LENGTH_OFFSET = 12;

    public static long virtualAddress(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + VIRTUAL_ADDRESS_OFFSET);
    }

    public static int rKey(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + R_KEY_OFFSET);
    }

    public static long dmaLength(MemorySegment segment, long offset) {
        return Integer.toUnsignedLong(segment.get(NetworkOrder.INT, offset + DMA_LENGTH_OFFSET));
    }

    public static void setVirtualAddress(MemorySegment segment, long offset, long virtualAddress) {
        segment.set(NetworkOrder.LONG, offset + VIRTUAL_ADDRESS_OFFSET, virtualAddress);
    }

    public static void setRKey(MemorySegment segment, long offset, int rKey) {
        segment.set(NetworkOrder.INT, offset + R_KEY_OFFSET, rKey);
    }

    public static void setDmaLength(MemorySegment segment, long offset, long dmaLength) {
        segment.set(NetworkOrder.INT, offset + DMA_LENGTH_OFFSET, (int) dmaLength);
    }

    public static void write(MemorySegment segment, long offset, long virtualAddress, int rKey, long dmaLength) {
        setVirtualAddress(segment, offset, virtualAddress);
        setRKey(segment, offset, rKey);
        setDmaLength(segment, offset, dmaLength);
    }

    public static Reth parse(MemorySegment segment, long offset) {
        return new Reth(virtualAddress(segment, offset), rKey(segment, offset), dmaLength(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, virtualAddress, rKey, dmaLength);
    }
}
