package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** {@code struct ip_mreqn}: which IPv4 group a socket joins, and on which interface. */
public final class IpMreqn {

    public static final int SIZE = 12;
    public static final int MULTIADDR = 0;
    public static final int ADDRESS = 4;
    public static final int IFINDEX = 8;

    private static final ValueLayout.OfInt ADDR_LAYOUT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private IpMreqn() {}

    /** The interface's index counts where it is not 0, its address otherwise. */
    public static void set(MemorySegment target, int group, int interfaceAddress, int interfaceIndex) {
        target.set(ADDR_LAYOUT, MULTIADDR, group);
        target.set(ADDR_LAYOUT, ADDRESS, interfaceAddress);
        target.set(JAVA_INT, IFINDEX, interfaceIndex);
    }
}
