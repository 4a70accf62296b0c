package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Atomic extended transport header, in a COMPARE_SWAP or FETCH_ADD request (IBTA volume 1, 9.3.4).
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
 * |                Swap (or add) data (63..32)                    | 12
 * +---------------------------------------------------------------+
 * |                Swap (or add) data (31..0)                     | 16
 * +---------------------------------------------------------------+
 * |                   Compare data (63..32)                       | 20
 * +---------------------------------------------------------------+
 * |                   Compare data (31..0)                        | 24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * The operands are numbers in network order, whatever the order of the memory they are compared with.
 *
 * @param virtualAddress where the 8 bytes lie, a multiple of 8
 * @param rKey the key that allows the access
 * @param swapOrAdd what is stored, or added
 * @param compare what must be there for a swap; unused by FETCH_ADD
 */
public record AtomicEth(long virtualAddress, int rKey, long swapOrAdd, long compare) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    public static final int VIRTUAL_ADDRESS_OFFSET = 0;
    public static final int R_KEY_OFFSET = 8;
    public static final int SWAP_OR_ADD_OFFSET = 12;
    public static final int COMPARE_OFFSET = 20;

    public static long virtualAddress(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + VIRTUAL_ADDRESS_OFFSET);
    }

    public static int rKey(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + R_KEY_OFFSET);
    }

    public static long swapOrAdd(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SWAP_OR_ADD_OFFSET);
    }

    public static long compare(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + COMPARE_OFFSET);
    }

    public static void setVirtualAddress(MemorySegment segment, long offset, long virtualAddress) {
        segment.set(NetworkOrder.LONG, offset + VIRTUAL_ADDRESS_OFFSET, virtualAddress);
    }

    public static void setRKey(MemorySegment segment, long offset, int rKey) {
        segment.set(NetworkOrder.INT, offset + R_KEY_OFFSET, rKey);
    }

    public static void setSwapOrAdd(MemorySegment segment, long offset, long swapOrAdd) {
        segment.set(NetworkOrder.LONG, offset + SWAP_OR_ADD_OFFSET, swapOrAdd);
    }

    public static void setCompare(MemorySegment segment, long offset, long compare) {
        segment.set(NetworkOrder.LONG, offset + COMPARE_OFFSET, compare);
    }

    public static void write(
            MemorySegment segment, long offset, long virtualAddress, int rKey, long swapOrAdd, long compare) {
        setVirtualAddress(segment, offset, virtualAddress);
        setRKey(segment, offset, rKey);
        setSwapOrAdd(segment, offset, swapOrAdd);
        setCompare(segment, offset, compare);
    }

    public static AtomicEth parse(MemorySegment segment, long offset) {
        return new AtomicEth(
                virtualAddress(segment, offset),
                rKey(segment, offset),
                swapOrAdd(segment, offset),
                compare(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, virtualAddress, rKey, swapOrAdd, compare);
    }
}
