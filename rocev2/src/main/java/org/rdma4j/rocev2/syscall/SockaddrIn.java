package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** {@code struct sockaddr_in}: the family in native order, port and address in network order. */
public final class SockaddrIn {

    public static final int FAMILY = 0;
    public static final int PORT = 2;
    public static final int ADDR = 4;
    public static final int SIZE = 16;

    private static final ValueLayout.OfShort PORT_LAYOUT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt ADDR_LAYOUT = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private SockaddrIn() {}

    public static void set(MemorySegment sockaddr, int address, int port) {
        sockaddr.asSlice(0, SIZE).fill((byte) 0);
        sockaddr.set(JAVA_SHORT, FAMILY, (short) SocketOption.AF_INET);
        sockaddr.set(PORT_LAYOUT, PORT, (short) port);
        sockaddr.set(ADDR_LAYOUT, ADDR, address);
    }

    public static int port(MemorySegment sockaddr) {
        return Short.toUnsignedInt(sockaddr.get(PORT_LAYOUT, PORT));
    }

    public static int address(MemorySegment sockaddr) {
        return sockaddr.get(ADDR_LAYOUT, ADDR);
    }
}
