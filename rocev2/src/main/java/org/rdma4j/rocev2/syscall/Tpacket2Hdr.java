package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * {@code struct tpacket2_hdr}: what a ring's slot starts with. The status says whose the slot is, so it is read before
 * all else of the slot and written behind all else.
 */
public final class Tpacket2Hdr {

    public static final int STATUS = 0;
    public static final int LEN = 4;
    public static final int SNAPLEN = 8;
    public static final int MAC = 12;
    public static final int NET = 14;
    public static final int SEC = 16;
    public static final int NSEC = 20;
    public static final int VLAN_TCI = 24;
    public static final int VLAN_TPID = 26;
    public static final int SIZE = 32;

    /** Where the frame starts in a slot of a transmit ring: {@code TPACKET2_HDRLEN - sizeof(struct sockaddr_ll)}. */
    public static final int TRANSMIT_DATA = 32;

    /** Bytes of a receive slot in front of the frame at most, but for those of PACKET_RESERVE: {@code TPACKET2_HDRLEN} and a gap. */
    public static final int RECEIVE_ROOM = 52 + 32;

    public static final int TP_STATUS_KERNEL = 0;
    public static final int TP_STATUS_USER = 1;
    public static final int TP_STATUS_VLAN_VALID = 1 << 4;
    public static final int TP_STATUS_VLAN_TPID_VALID = 1 << 6;

    public static final int TP_STATUS_AVAILABLE = 0;
    public static final int TP_STATUS_SEND_REQUEST = 1;

    private static final VarHandle STATUS_HANDLE = JAVA_INT.varHandle();

    private Tpacket2Hdr() {}

    public static int status(MemorySegment ring, long at) {
        return (int) STATUS_HANDLE.getAcquire(ring, at + STATUS);
    }

    public static void setStatus(MemorySegment ring, long at, int status) {
        STATUS_HANDLE.setRelease(ring, at + STATUS, status);
    }

    /** Bytes of the frame on the wire. */
    public static int length(MemorySegment ring, long at) {
        return ring.get(JAVA_INT, at + LEN);
    }

    public static void setLength(MemorySegment ring, long at, int length) {
        ring.set(JAVA_INT, at + LEN, length);
    }

    /** Bytes of the frame in the slot. */
    public static int captured(MemorySegment ring, long at) {
        return ring.get(JAVA_INT, at + SNAPLEN);
    }

    /** When the frame went by, nanoseconds since 1970. */
    public static long nanos(MemorySegment ring, long at) {
        return Integer.toUnsignedLong(ring.get(JAVA_INT, at + SEC)) * 1_000_000_000L + ring.get(JAVA_INT, at + NSEC);
    }

    /** Where the Ethernet header is, from the slot's start. */
    public static int frameOffset(MemorySegment ring, long at) {
        return Short.toUnsignedInt(ring.get(JAVA_SHORT, at + MAC));
    }

    /** The tag that the kernel took out: priority, DEI, VID. */
    public static int vlanControl(MemorySegment ring, long at) {
        return Short.toUnsignedInt(ring.get(JAVA_SHORT, at + VLAN_TCI));
    }

    public static int vlanProtocol(MemorySegment ring, long at) {
        return Short.toUnsignedInt(ring.get(JAVA_SHORT, at + VLAN_TPID));
    }
}
