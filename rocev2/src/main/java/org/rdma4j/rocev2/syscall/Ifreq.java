package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** {@code struct ifreq}: a question about an interface, and its answer. */
public final class Ifreq {

    public static final int NAME = 0;
    public static final int MTU = 16;
    public static final int SIZE = 40;

    /** IFNAMSIZ: bytes of a name with its zero. */
    public static final int NAME_SIZE = 16;

    private Ifreq() {}

    public static void setName(MemorySegment request, String name) {
        request.fill((byte) 0);
        request.setString(NAME, name);
    }

    public static int mtu(MemorySegment request) {
        return request.get(JAVA_INT, MTU);
    }
}
