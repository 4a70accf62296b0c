package org.rdma4j.rocev2.ethernet;

import org.rdma4j.wire.Gid;

/**
 * RoCE v1's own GIDs (annex A16): link-local, made from the MAC address by EUI-64, so that whoever has the GID has the
 * MAC. In a VLAN the drivers of the field put its number where {@code ff:fe} stands otherwise.
 *
 * <pre>
 *   fe80 0000 0000 0000 | mac[0]^2 mac[1] mac[2] | ff fe, or VID | mac[3] mac[4] mac[5]
 * </pre>
 */
final class LinkLocal {

    private static final long PREFIX = 0xFE80L << 48;
    private static final long UNIVERSAL_LOCAL = 0x02_0000;
    private static final int NO_VLAN = 0xFFFE;
    private static final int VLANS = 0x1000;

    private LinkLocal() {}

    /** @param vlanId negative or 0 where there is none */
    static Gid of(long mac, int vlanId) {
        long middle = vlanId > 0 ? vlanId : NO_VLAN;
        return new Gid(PREFIX, (mac >>> 24 ^ UNIVERSAL_LOCAL) << 40 | middle << 24 | mac & 0xFF_FFFF);
    }

    /** True where {@link #mac} has a meaning. */
    static boolean holdsMac(long high, long low) {
        int middle = (int) (low >>> 24) & 0xFFFF;
        return high == PREFIX && (middle == NO_VLAN || middle < VLANS);
    }

    static long mac(long low) {
        return (low >>> 40 ^ UNIVERSAL_LOCAL) << 24 | low & 0xFF_FFFF;
    }
}
