package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** {@code struct iovec}: one piece of memory, in an array of them. */
public final class IoVec {

    public static final int BASE = 0;
    public static final int LEN = 8;
    public static final int SIZE = 16;

    /** UIO_MAXIOV: entries that one call takes. */
    public static final int MAX = 1024;

    private IoVec() {}

    public static void set(MemorySegment array, int index, long address, long length) {
        long at = (long) index * SIZE;
        array.set(JAVA_LONG, at + BASE, address);
        array.set(JAVA_LONG, at + LEN, length);
    }

    public static long base(MemorySegment array, int index) {
        return array.get(JAVA_LONG, (long) index * SIZE + BASE);
    }

    public static long length(MemorySegment array, int index) {
        return array.get(JAVA_LONG, (long) index * SIZE + LEN);
    }
}
