package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Ethernet II header (IEEE 802.3, 3.1.1). Where its type is a VLAN protocol, a {@link VlanTag}'s remaining bytes follow.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                    Destination (6 bytes)                      |  0
 * +                               +-------------------------------+
 * |                               |       Source (6 bytes)        |  4
 * +-------------------------------+                               +
 * |                                                               |  8
 * +-------------------------------+-------------------------------+
 * |          EtherType            |                                 12
 * +-------------------------------+
 * </pre>
 *
 * @param destination 48 bits
 * @param source 48 bits
 * @param etherType 16 bits
 */
public record EthernetHeader(long destination, long source, int etherType) {

    /** Bytes on the wire, without tags. */
    public static final int LENGTH = 14;

    /** The shortest frame without its FCS; shorter ones are padded with bytes that belong to nobody. */
    public static final int MINIMUM_FRAME = 60;

    public static final int IPV4 = 0x0800;
    public static final int ARP = 0x0806;
    public static final int IPV6 = 0x86DD;

    /** RoCE v1 (annex A16). */
    public static final int ROCE = 0x8915;

    public static final int DESTINATION_OFFSET = 0;
    public static final int SOURCE_OFFSET = 6;
    public static final int ETHER_TYPE_OFFSET = 12;

    /** Every station. */
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    private static final long MASK_48 = 0xFFFF_FFFF_FFFFL;

    /** The first bytes of a made-up address: locally administered, one station. */
    private static final long LOCAL_PREFIX = 0x0200L << 32;

    public static long destination(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DESTINATION_OFFSET) >>> 16;
    }

    public static long source(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SOURCE_OFFSET - 2) & MASK_48;
    }

    public static int etherType(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + ETHER_TYPE_OFFSET) & 0xFFFF;
    }

    public static void setDestination(MemorySegment segment, long offset, long destination) {
        segment.set(NetworkOrder.INT, offset + DESTINATION_OFFSET, (int) (destination >>> 16));
        segment.set(NetworkOrder.SHORT, offset + DESTINATION_OFFSET + 4, (short) destination);
    }

    public static void write(MemorySegment segment, long offset, long destination, long source, int etherType) {
        segment.set(NetworkOrder.LONG, offset + DESTINATION_OFFSET, destination << 16 | source >>> 32 & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + SOURCE_OFFSET + 2, (int) source);
        segment.set(NetworkOrder.SHORT, offset + ETHER_TYPE_OFFSET, (short) etherType);
    }

    /**
     * The header with an 802.1Q tag in it, where {@code vlanId} is not negative.
     *
     * @return bytes written
     */
    public static int write(
            MemorySegment segment,
            long offset,
            long destination,
            long source,
            int vlanPriority,
            int vlanId,
            int etherType) {
        if (vlanId < 0) {
            write(segment, offset, destination, source, etherType);
            return LENGTH;
        }
        write(segment, offset, destination, source, VlanTag.CUSTOMER);
        long tag = offset + ETHER_TYPE_OFFSET;
        VlanTag.write(segment, tag, VlanTag.CUSTOMER, vlanPriority, false, vlanId);
        segment.set(NetworkOrder.SHORT, tag + VlanTag.LENGTH, (short) etherType);
        return LENGTH + VlanTag.LENGTH;
    }

    public static EthernetHeader parse(MemorySegment segment, long offset) {
        return new EthernetHeader(destination(segment, offset), source(segment, offset), etherType(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, destination, source, etherType);
    }

    /**
     * The address for a port that has no Ethernet: that which a link-local GID was made from, else a locally
     * administered one that ends in the GID's last four bytes, {@code 02:00:a:b:c:d} for IPv4 {@code a.b.c.d}.
     */
    public static long macOf(long gidHigh, long gidLow) {
        boolean linkLocal = gidHigh == 0xFE80_0000_0000_0000L && (gidLow >>> 24 & 0xFFFF) == 0xFFFE;
        if (linkLocal) {
            return (gidLow >>> 40 ^ 0x02_0000) << 24 | gidLow & 0xFF_FFFF;
        }
        return LOCAL_PREFIX | gidLow & 0xFFFF_FFFFL;
    }

    /** True for a group of stations, the broadcast address included. */
    public static boolean isGroup(long mac) {
        return (mac >>> 40 & 1) != 0;
    }

    /** {@code 02:00:0a:00:00:01}. */
    public static String macToString(long mac) {
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            text.append(Character.forDigit((int) (mac >> shift + 4 & 0xF), 16));
            text.append(Character.forDigit((int) (mac >> shift & 0xF), 16));
            text.append(shift > 0 ? ":" : "");
        }
        return text.toString();
    }
}
