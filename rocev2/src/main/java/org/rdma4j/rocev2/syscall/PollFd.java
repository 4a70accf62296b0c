package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/** {@code struct pollfd}, in an array of them. */
public final class PollFd {

    public static final int FD = 0;
    public static final int EVENTS = 4;
    public static final int REVENTS = 6;
    public static final int SIZE = 8;

    public static final short POLLIN = 1;
    public static final short POLLOUT = 4;

    private PollFd() {}

    public static void set(MemorySegment array, int index, int fd, short events) {
        long at = (long) index * SIZE;
        array.set(JAVA_INT, at + FD, fd);
        array.set(JAVA_SHORT, at + EVENTS, events);
        array.set(JAVA_SHORT, at + REVENTS, (short) 0);
    }

    public static short revents(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, (long) index * SIZE + REVENTS);
    }
}
