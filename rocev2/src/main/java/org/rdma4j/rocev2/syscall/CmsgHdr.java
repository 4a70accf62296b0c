package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** {@code struct cmsghdr}: one item of control data, its data behind it. Items start at multiples of 8. */
public final class CmsgHdr {

    public static final int LEN = 0;
    public static final int LEVEL = 8;
    public static final int TYPE = 12;

    /** Where the data starts: {@code CMSG_LEN(0)}. */
    public static final int DATA = 16;

    /** Bytes of an item whose data has at most eight: {@code CMSG_SPACE(1)} to {@code CMSG_SPACE(8)}. */
    public static final int SPACE = 24;

    private CmsgHdr() {}

    /** Writes the header of an item with {@code dataLength} bytes of data. */
    public static void set(MemorySegment control, long at, int level, int type, int dataLength) {
        control.set(JAVA_LONG, at + LEN, DATA + (long) dataLength);
        control.set(JAVA_INT, at + LEVEL, level);
        control.set(JAVA_INT, at + TYPE, type);
    }

    /** Bytes of header and data, the padding behind not counted. */
    public static int length(MemorySegment control, long at) {
        return (int) control.get(JAVA_LONG, at + LEN);
    }

    public static int level(MemorySegment control, long at) {
        return control.get(JAVA_INT, at + LEVEL);
    }

    public static int type(MemorySegment control, long at) {
        return control.get(JAVA_INT, at + TYPE);
    }

    /** Where the item behind one of this length starts: {@code CMSG_NXTHDR}. */
    public static long next(long at, int length) {
        return at + ((length + 7) & ~7);
    }
}
