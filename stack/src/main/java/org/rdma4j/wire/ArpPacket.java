package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * ARP for IPv4 over Ethernet (RFC 826): who has this address? Behind an Ethernet header of type {@link
 * EthernetHeader#ARP}.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |      Hardware type (1)        |     Protocol type (0x0800)    |  0
 * +---------------+---------------+-------------------------------+
 * | Hw length (6) | Pr length (4) |           Operation           |  4
 * +---------------+---------------+-------------------------------+
 * |                    Sender MAC (6 bytes)                       |  8
 * +                               +-------------------------------+
 * |                               |     Sender address (4 bytes)  | 12
 * +-------------------------------+-------------------------------+
 * |                               |       Target MAC (6 bytes)    | 16
 * +-------------------------------+                               +
 * |                                                               | 20
 * +---------------------------------------------------------------+
 * |                    Target address (4 bytes)                   | 24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param operation {@link #REQUEST} or {@link #REPLY}
 * @param senderMac 48 bits
 * @param senderAddress IPv4
 * @param targetMac 48 bits; 0 in a request
 * @param targetAddress IPv4
 */
public record ArpPacket(int operation, long senderMac, int senderAddress, long targetMac, int targetAddress) {

    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    public static final int REQUEST = 1;
    public static final int REPLY = 2;

    public static final int OPERATION_OFFSET = 6;
    public static final int SENDER_MAC_OFFSET = 8;
    public static final int SENDER_ADDRESS_OFFSET = 14;
    public static final int TARGET_MAC_OFFSET = 18;
    public static final int TARGET_ADDRESS_OFFSET = 24;

    /** Ethernet, IPv4, and the lengths of their addresses. */
    private static final int HARDWARE_AND_PROTOCOL = 0x0001_0800;

    private static final int LENGTHS = 0x0604;

    /** False for other hardware or another protocol, whose addresses have other lengths. */
    public static boolean isIpv4OverEthernet(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset) == HARDWARE_AND_PROTOCOL
                && segment.get(NetworkOrder.SHORT, offset + 4) == LENGTHS;
    }

    public static int operation(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + OPERATION_OFFSET) & 0xFFFF;
    }

    public static long senderMac(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SENDER_MAC_OFFSET) >>> 16;
    }

    public static int senderAddress(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SENDER_ADDRESS_OFFSET);
    }

    public static long targetMac(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TARGET_MAC_OFFSET) >>> 16;
    }

    public static int targetAddress(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + TARGET_ADDRESS_OFFSET);
    }

    public static ArpPacket parse(MemorySegment segment, long offset) {
        return new ArpPacket(
                operation(segment, offset),
                senderMac(segment, offset),
                senderAddress(segment, offset),
                targetMac(segment, offset),
                targetAddress(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, HARDWARE_AND_PROTOCOL);
        segment.set(NetworkOrder.INT, offset + 4, LENGTHS << 16 | operation & 0xFFFF);
        segment.set(NetworkOrder.LONG, offset + SENDER_MAC_OFFSET, senderMac << 16 | senderAddress >>> 16);
        segment.set(NetworkOrder.SHORT, offset + SENDER_ADDRESS_OFFSET + 2, (short) senderAddress);
        segment.set(NetworkOrder.LONG, offset + TARGET_MAC_OFFSET, targetMac << 16 | targetAddress >>> 16);
        segment.set(NetworkOrder.SHORT, offset + TARGET_ADDRESS_OFFSET + 2, (short) targetAddress);
    }
}
