package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Neighbor solicitation and advertisement (RFC 4861, 4.3 and 4.4): IPv6's question who has an address, and the answer.
 * ICMPv6 behind an IPv6 header whose hop limit is 255.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+---------------+-------------------------------+
 * |      Type     |    Code (0)   |           Checksum            |  0
 * +-+-+-+---------+---------------+-------------------------------+
 * |R|S|O|                      Reserved                           |  4
 * +-+-+-+---------------------------------------------------------+
 * |                   Target address (16 bytes)                   |  8
 * +---------------+---------------+-------------------------------+
 * |  Option type  | Length (in 8) |      Link-layer address       | 24
 * +---------------+---------------+                               +
 * |                                                               | 28
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param type {@link #SOLICITATION} or {@link #ADVERTISEMENT}
 * @param flags of an advertisement: {@link #SOLICITED}, {@link #OVERRIDE}
 * @param target the address that is asked for
 * @param mac the sender's own, in a solicitation's source or an advertisement's target option
 */
public record NeighborMessage(int type, int flags, Gid target, long mac) {

    /** Bytes of a message with its one option, as this record emits it. */
    public static final int LENGTH = 32;

    /** Bytes of a message without options, the least that is one. */
    public static final int SHORTEST = 24;

    /** ICMPv6 in an IPv6 header. */
    public static final int NEXT_HEADER = 58;

    /** What proves that no router passed the message on. */
    public static final int HOP_LIMIT = 255;

    public static final int SOLICITATION = 135;
    public static final int ADVERTISEMENT = 136;

    /** The answer to a solicitation. */
    public static final int SOLICITED = 1 << 30;

    /** What it says is newer than what is known. */
    public static final int OVERRIDE = 1 << 29;

    public static final int CHECKSUM_OFFSET = 2;
    public static final int FLAGS_OFFSET = 4;
    public static final int TARGET_OFFSET = 8;

    private static final int SOURCE_LINK_LAYER_ADDRESS = 1;
    private static final int TARGET_LINK_LAYER_ADDRESS = 2;

    /** ff02::1, all nodes of the link. */
    public static final Gid ALL_NODES = new Gid(0xFF02L << 48, 1);

    /** The group that the owner of an address listens to (RFC 4291, 2.7.1): ff02::1:ff00:0 and its last 24 bits. */
    public static Gid solicitedNode(long low) {
        return new Gid(ALL_NODES.high(), 0x1_FF00_0000L | low & 0xFF_FFFF);
    }

    /** The Ethernet address of an IPv6 group (RFC 2464, 7): 33:33 and its last 32 bits. */
    public static long groupMac(long low) {
        return 0x3333L << 32 | low & 0xFFFF_FFFFL;
    }

    public static int type(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) & 0xFF;
    }

    public static int flags(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + FLAGS_OFFSET);
    }

    public static long targetHigh(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TARGET_OFFSET);
    }

    public static long targetLow(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + TARGET_OFFSET + 8);
    }

    /** What RFC 4861, 7.1 asks of both messages but for their options: code, length, hop limit, checksum and target. */
    public static boolean isValid(MemorySegment segment, long ipv6, long offset, int length) {
        return length >= SHORTEST
                && segment.get(NetworkOrder.BYTE, offset + 1) == 0
                && Ipv6Header.hopLimit(segment, ipv6) == HOP_LIMIT
                && targetHigh(segment, offset) >>> 56 != 0xFF
                && expectedChecksum(segment, ipv6, offset, length)
                        == (segment.get(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET) & 0xFFFF);
    }

    /**
     * The sender's Ethernet address.
     *
     * @param length bytes of the message, at least {@link #SHORTEST}
     * @return -1 where the message does not carry it, or its options break off
     */
    public static long mac(MemorySegment segment, long offset, int length) {
        int wanted = type(segment, offset) == SOLICITATION ? SOURCE_LINK_LAYER_ADDRESS : TARGET_LINK_LAYER_ADDRESS;
        long found = -1;
        int at = SHORTEST;
        while (at + 8 <= length) {
            int words = segment.get(NetworkOrder.BYTE, offset + at + 1) & 0xFF;
            if (words == 0 || at + 8 * words > length) {
                return -1;
            }
            if (words == 1 && (segment.get(NetworkOrder.BYTE, offset + at) & 0xFF) == wanted) {
                found = segment.get(NetworkOrder.LONG, offset + at) & 0xFFFF_FFFF_FFFFL;
            }
            at += 8 * words;
        }
        return at == length ? found : -1;
    }

    /** The checksum over pseudo header and message (RFC 8200, 8.1), whatever stands in its field. */
    public static int expectedChecksum(MemorySegment segment, long ipv6, long offset, int length) {
        long sum = InternetChecksum.sum(segment, ipv6 + Ipv6Header.SOURCE_OFFSET, 2L * Gid.LENGTH)
                + InternetChecksum.sum(segment, offset, length)
                - (segment.get(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET) & 0xFFFF);
        return InternetChecksum.of(sum + length + NEXT_HEADER);
    }

    /** @param length bytes of the message, at least {@link #SHORTEST} */
    public static NeighborMessage parse(MemorySegment segment, long offset, int length) {
        return new NeighborMessage(
                type(segment, offset),
                flags(segment, offset),
                new Gid(targetHigh(segment, offset), targetLow(segment, offset)),
                mac(segment, offset, length));
    }

    /** Writes the message with its checksum, behind the IPv6 header that stands at {@code ipv6} already. */
    public void emit(MemorySegment segment, long ipv6, long offset) {
        segment.set(NetworkOrder.INT, offset, type << 24);
        segment.set(NetworkOrder.INT, offset + FLAGS_OFFSET, flags);
        segment.set(NetworkOrder.LONG, offset + TARGET_OFFSET, target.high());
        segment.set(NetworkOrder.LONG, offset + TARGET_OFFSET + 8, target.low());
        int option = type == SOLICITATION ? SOURCE_LINK_LAYER_ADDRESS : TARGET_LINK_LAYER_ADDRESS;
        segment.set(NetworkOrder.LONG, offset + SHORTEST, (long) option << 56 | 1L << 48 | mac);
        int checksum = expectedChecksum(segment, ipv6, offset, LENGTH);
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) checksum);
    }
}
