package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/** {@code struct packet_mreq}: a MAC address that an interface is to take besides its own. */
public final class PacketMreq {

    public static final int IFINDEX = 0;
    public static final int TYPE = 4;
    public static final int ALEN = 6;
    public static final int ADDRESS = 8;
    public static final int SIZE = 16;

    public static final short PACKET_MR_PROMISC = 1;
    public static final short PACKET_MR_MULTICAST = 0;

    private PacketMreq() {}

    public static void set(MemorySegment request, int interfaceIndex, short type, long mac) {
        request.set(JAVA_INT, IFINDEX, interfaceIndex);
        request.set(JAVA_SHORT, TYPE, type);
        request.set(JAVA_SHORT, ALEN, (short) 6);
        for (int i = 0; i < 8; i++) {
            request.set(JAVA_BYTE, ADDRESS + i, i < 6 ? (byte) (mac >>> 40 - 8 * i) : 0);
        }
    }
}
