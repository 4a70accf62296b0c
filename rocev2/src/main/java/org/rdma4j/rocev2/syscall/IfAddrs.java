package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** {@code struct ifaddrs}: one address of one interface, in a list of them. */
public final class IfAddrs {

    public static final int NEXT = 0;
    public static final int NAME = 8;
    public static final int FLAGS = 16;
    public static final int ADDR = 24;
    public static final int NETMASK = 32;
    public static final int SIZE = 56;

    private static final int LONGEST_NAME = 16;

    private IfAddrs() {}

    /** The list's element at a machine address. */
    public static MemorySegment at(long address) {
        return view(address, SIZE);
    }

    /** The address of the next element; 0 behind the last. */
    public static long next(MemorySegment element) {
        return element.get(JAVA_LONG, NEXT);
    }

    public static String name(MemorySegment element) {
        return view(element.get(JAVA_LONG, NAME), LONGEST_NAME).getString(0);
    }

    public static int flags(MemorySegment element) {
        return element.get(JAVA_INT, FLAGS);
    }

    /** The socket address, of any family; {@code null} where there is none. */
    public static MemorySegment address(MemorySegment element) {
        long address = element.get(JAVA_LONG, ADDR);
        return address == 0 ? null : view(address, SockaddrIn6.SIZE);
    }

    /** The mask as a socket address; {@code null} where there is none. */
    public static MemorySegment netmask(MemorySegment element) {
        long address = element.get(JAVA_LONG, NETMASK);
        return address == 0 ? null : view(address, SockaddrIn6.SIZE);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment view(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }
}
