package org.rdma4j.wire;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A global identifier: 128 bits in network order, read as two longs. RoCE v2 makes it from an IP address; an IPv4
 * address stands in it as {@code ::ffff:a.b.c.d} (annex A17).
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record Gid(long high, long low) {

    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    /** The GID of nothing: all zeros. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final long IPV4_MAPPED = 0x0000_FFFF_0000_0000L;

    /** What stands above the low 28 bits of a mapped IPv4 multicast address. */
    private static final long MAPPED_GROUPS = 0xF_FFFEL;

    /** The GID of an IP address, an IPv4 one in its mapped form. */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (bytes.length == 4) {
            return ofIpv4(buffer.getInt());
        }
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /** The GID of an IPv4 address given as its 32 bits. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, lowOfIpv4(address));
    }

    /** The last eight bytes of an IPv4 address's GID. */
    static long lowOfIpv4(int address) {
        return IPV4_MAPPED | Integer.toUnsignedLong(address);
    }

    /** Sixteen bytes, network order. */
    public static Gid of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /** True for fe80::/10, which names a station of one link only. */
    public boolean isLinkLocal() {
        return high >>> 54 == 0xFE80 >>> 6;
    }

    /** True where this GID stands for an IPv4 address. */
    public boolean isIpv4() {
        return high == 0 && (low & 0xFFFF_FFFF_0000_0000L) == IPV4_MAPPED;
    }

    /** True where this GID names a multicast group: ff00::/8, or 224.0.0.0/4 in its mapped form (annex A17). */
    public boolean isMulticast() {
        return isMulticast(high, low);
    }

    /** The same for a GID in halves. */
    public static boolean isMulticast(long high, long low) {
        return high >>> 56 == 0xFF || high == 0 && low >>> 28 == MAPPED_GROUPS;
    }

    /** The 32 bits of the IPv4 address; only where {@link #isIpv4()}. */
    public int ipv4() {
        return (int) low;
    }

    /** The sixteen bytes in network order. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /** The IP address that this GID stands for: an {@link Inet4Address} for a mapped one. */
    public InetAddress toAddress() {
        try {
            return isIpv4()
                    ? InetAddress.getByAddress(
                            ByteBuffer.allocate(4).putInt(ipv4()).array())
                    : InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** As an IP address is written; IPv4 in its dotted form behind {@code ::ffff:}. */
    @Override
    public String toString() {
        return isIpv4() ? "::ffff:" + IpText.of(toAddress()) : IpText.of(toAddress());
    }
}
