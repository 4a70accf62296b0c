package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;

/**
 * By how much the checksums of a damaged packet were wrong, in ones' complement (RFC 1624): what was flipped on the way
 * makes the same difference whatever else the packet holds.
 */
record ChecksumDamage(int ip, int udp) {

    static final ChecksumDamage NONE = new ChecksumDamage(0, 0);

    private static final int ALL_ONES = 0xFFFF;

    static ChecksumDamage of(RoceFrame frame) {
        MemorySegment bytes = frame.segment();
        int ip = 0;
        int udp = 0;
        if (isIpv4(frame)) {
            long network = frame.networkOffset();
            ip = minus(Ipv4Header.checksum(bytes, network), Ipv4Header.expectedChecksum(bytes, network));
        }
        if (hasChecksum(frame)) {
            udp = minus(UdpHeader.checksum(bytes, udpOffset(frame)), expected(frame));
        }
        return new ChecksumDamage(ip, udp);
    }

    /** Writes the checksums of a frame whose other bytes are as they will be. A UDP checksum that is left out stays so. */
    void writeChecksums(RoceFrame frame) {
        MemorySegment bytes = frame.segment();
        if (isIpv4(frame)) {
            long network = frame.networkOffset();
            int right = Ipv4Header.expectedChecksum(bytes, network);
            bytes.set(NetworkOrder.SHORT, network + Ipv4Header.CHECKSUM_OFFSET, (short) plus(right, ip));
        }
        if (hasChecksum(frame)) {
            int sum = plus(expected(frame), udp);
            UdpHeader.setChecksum(bytes, udpOffset(frame), sum == 0 ? ALL_ONES : sum);
        }
    }

    private static boolean isIpv4(RoceFrame frame) {
        return frame.encapsulation() == Encapsulation.ROCE_V2_IPV4;
    }

    private static boolean hasChecksum(RoceFrame frame) {
        return frame.encapsulation().hasUdp() && UdpHeader.checksum(frame.segment(), udpOffset(frame)) != 0;
    }

    private static long udpOffset(RoceFrame frame) {
        return frame.bthOffset() - UdpHeader.LENGTH;
    }

    private static int expected(RoceFrame frame) {
        return UdpHeader.expectedChecksum(
                frame.segment(),
                udpOffset(frame),
                NetworkAddresses.addresses(frame.networkOffset(), isIpv4(frame)),
                NetworkAddresses.addressesLength(isIpv4(frame)));
    }

    private static int minus(int left, int right) {
        return plus(left, ~right & ALL_ONES) % ALL_ONES;
    }

    private static int plus(int left, int right) {
        int sum = left + right;
        return (sum & ALL_ONES) + (sum >>> 16);
    }
}
