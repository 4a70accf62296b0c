package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** {@code struct msghdr}: what sendmsg sends, and where recvmsg puts it. */
public final class MsgHdr {

    public static final int NAME = 0;
    public static final int NAMELEN = 8;
    public static final int IOV = 16;
    public static final int IOVLEN = 24;
    public static final int CONTROL = 32;
    public static final int CONTROLLEN = 40;
    public static final int FLAGS = 48;
    public static final int SIZE = 56;

    private MsgHdr() {}

    /** The peer's socket address. recvmsg overwrites the length: set it anew before each call. */
    public static void setName(MemorySegment msghdr, long address, int length) {
        msghdr.set(JAVA_LONG, NAME, address);
        msghdr.set(JAVA_INT, NAMELEN, length);
    }

    public static void setIov(MemorySegment msghdr, long address, long count) {
        msghdr.set(JAVA_LONG, IOV, address);
        msghdr.set(JAVA_LONG, IOVLEN, count);
    }

    /** Control data; length 0 for none. recvmsg overwrites the length: set it anew before each call. */
    public static void setControl(MemorySegment msghdr, long address, long length) {
        msghdr.set(JAVA_LONG, CONTROL, address);
        msghdr.set(JAVA_LONG, CONTROLLEN, length);
    }

    /** Bytes of control data that recvmsg left. */
    public static int controlLength(MemorySegment msghdr) {
        return (int) msghdr.get(JAVA_LONG, CONTROLLEN);
    }

    /** What recvmsg says about the datagram, such as MSG_TRUNC. */
    public static int flags(MemorySegment msghdr) {
        return msghdr.get(JAVA_INT, FLAGS);
    }
}
