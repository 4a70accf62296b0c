package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** {@code struct ipv6_mreq}: which IPv6 group a socket joins, and on which interface. */
public final class Ipv6Mreq {

    public static final int SIZE = 20;
    public static final int MULTIADDR = 0;
    public static final int INTERFACE = 16;

    private static final ValueLayout.OfLong ADDR_LAYOUT = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private Ipv6Mreq() {}

    public static void set(MemorySegment target, long groupHigh, long groupLow, int interfaceIndex) {
        target.set(ADDR_LAYOUT, MULTIADDR, groupHigh);
        target.set(ADDR_LAYOUT, MULTIADDR + Long.BYTES, groupLow);
        target.set(JAVA_INT, INTERFACE, interfaceIndex);
    }
}
