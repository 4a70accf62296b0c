package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** {@code struct sockaddr_ll}: an interface, and a MAC address of it. The protocol is in network order. */
public final class SockaddrLl {

    public static final int FAMILY = 0;
    public static final int PROTOCOL = 2;
    public static final int IFINDEX = 4;
    public static final int HATYPE = 8;
    public static final int PKTTYPE = 10;
    public static final int HALEN = 11;
    public static final int ADDR = 12;
    public static final int SIZE = 20;

    private static final ValueLayout.OfShort PROTOCOL_LAYOUT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SockaddrLl() {}

    /** For bind(2): all frames of a protocol on an interface. */
    public static void set(MemorySegment sockaddr, int interfaceIndex, int protocol) {
        sockaddr.asSlice(0, SIZE).fill((byte) 0);
        sockaddr.set(JAVA_SHORT, FAMILY, (short) SocketOption.AF_PACKET);
        sockaddr.set(PROTOCOL_LAYOUT, PROTOCOL, (short) protocol);
        sockaddr.set(JAVA_INT, IFINDEX, interfaceIndex);
    }

    public static int interfaceIndex(MemorySegment sockaddr) {
        return sockaddr.get(JAVA_INT, IFINDEX);
    }

    /** ARPHRD_: what kind of link it is. */
    public static int hardwareType(MemorySegment sockaddr) {
        return Short.toUnsignedInt(sockaddr.get(JAVA_SHORT, HATYPE));
    }

    /** The 48 bits of an Ethernet address. */
    public static long mac(MemorySegment sockaddr) {
        long mac = 0;
        for (int i = 0; i < 6; i++) {
            mac = mac << 8 | sockaddr.get(JAVA_BYTE, ADDR + i) & 0xFF;
        }
        return mac;
    }
}
