package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** {@code struct sockaddr_in6}, aligned to 4: family and scope in native order, port and address in network order. */
public final class SockaddrIn6 {

    public static final int FAMILY = 0;
    public static final int PORT = 2;
    public static final int FLOWINFO = 4;
    public static final int ADDR = 8;
    public static final int SCOPE_ID = 24;
    public static final int SIZE = 28;

    private static final ValueLayout.OfShort PORT_LAYOUT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong ADDR_LAYOUT =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private SockaddrIn6() {}

    /** @param scope the interface's index for a link-local address, else 0 */
    public static void set(MemorySegment sockaddr, long high, long low, int port, int scope) {
        sockaddr.asSlice(0, SIZE).fill((byte) 0);
        sockaddr.set(JAVA_SHORT, FAMILY, (short) SocketOption.AF_INET6);
        sockaddr.set(PORT_LAYOUT, PORT, (short) port);
        sockaddr.set(ADDR_LAYOUT, ADDR, high);
        sockaddr.set(ADDR_LAYOUT, ADDR + 8, low);
        sockaddr.set(JAVA_INT, SCOPE_ID, scope);
    }

    public static int port(MemorySegment sockaddr) {
        return Short.toUnsignedInt(sockaddr.get(PORT_LAYOUT, PORT));
    }

    public static long high(MemorySegment sockaddr) {
        return sockaddr.get(ADDR_LAYOUT, ADDR);
    }

    public static long low(MemorySegment sockaddr) {
        return sockaddr.get(ADDR_LAYOUT, ADDR + 8);
    }
}
