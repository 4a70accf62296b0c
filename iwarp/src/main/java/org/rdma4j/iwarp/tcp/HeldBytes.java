package org.rdma4j.iwarp.tcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Room for bytes of FPDUs that are not whole yet: for those connections that have such bytes, and no longer. Pieces of
 * memory by powers of two that go from one connection to the next.
 */
final class HeldBytes {

    private static final int SMALLEST_SHIFT = 8;
    private static final int CLASSES = 12; // 256 bytes to 512 KB

    private final ArrayDeque<MemorySegment>[] free = classes();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<MemorySegment>[] classes() {
        ArrayDeque[] classes = new ArrayDeque[CLASSES];
        Arrays.setAll(classes, _ -> new ArrayDeque<>());
        return classes;
    }

    /** Room for at least so many bytes. */
    MemorySegment take(int bytes) {
        int index = index(bytes);
        MemorySegment known = free[index].pollLast();
        return known != null ? known : Arena.ofAuto().allocate(1L << SMALLEST_SHIFT + index, Long.BYTES);
    }

    void give(MemorySegment memory) {
        free[index((int) memory.byteSize())].addLast(memory);
    }

    private static int index(int bytes) {
        return Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1) - SMALLEST_SHIFT);
    }
}
