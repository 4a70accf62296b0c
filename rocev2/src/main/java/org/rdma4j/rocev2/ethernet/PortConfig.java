package org.rdma4j.rocev2.ethernet;

import org.rdma4j.rocev2.udp.LocalAddress;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.UdpHeader;
import org.rdma4j.wire.VlanTag;

/**
 * What an Ethernet port is.
 *
 * @param encapsulation RoCE v1, or v2 over IPv4 or IPv6
 * @param mac 48 bits
 * @param gid its one GID: v1's own, or the IP address
 * @param mtu of the interface: bytes behind the Ethernet header and its tag
 * @param vlanId 0 to 4095; -1 where frames have no tag
 * @param priority of the tag, 0 to 7
 * @param prefixLength bits of the address that say which peers are on this link; 0 where all are
 * @param gateway leads to the others; {@code null} where nothing does
 * @param isOwner true where nobody else answers for the address: the kernel does for its own ones
 * @param udpPort of RoCE v2
 */
public record PortConfig(
        Encapsulation encapsulation,
        long mac,
        Gid gid,
        int mtu,
        int vlanId,
        int priority,
        int prefixLength,
        Gid gateway,
        boolean isOwner,
        int udpPort) {

    /** The tag's number that says: a priority, and no VLAN. */
    public static final int PRIORITY_ONLY = 0;

    /** RoCE v1 with the GID that the MAC address gives. */
    public static PortConfig v1(long mac, int mtu, int vlanId, int priority) {
        Gid gid = LinkLocal.of(mac, vlanId);
        return new PortConfig(
                Encapsulation.ROCE_V1, mac, gid, mtu, vlanId, priority, 0, null, true, UdpHeader.ROCE_V2_PORT);
    }

    /** Bytes of the longest frame. */
    public int maxFrame() {
        return EthernetHeader.LENGTH + VlanTag.LENGTH + mtu;
    }

    int maxPathMtu() {
        return LocalAddress.maxPathMtu(mtu);
    }

    /** True for a peer that needs no gateway. */
    boolean isOnLink(Gid peer) {
        if (prefixLength == 0 || peer.isLinkLocal()) {
            return true;
        }
        int bits = gid.isIpv4() ? 96 + prefixLength : prefixLength;
        return isSame(gid.high(), peer.high(), bits) && isSame(gid.low(), peer.low(), bits - 64);
    }

    private static boolean isSame(long a, long b, int bits) {
        return bits <= 0 || (a ^ b) >>> Math.max(0, 64 - bits) == 0;
    }
}
