package org.rdma4j.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.UdpHeader;

/**
 * The 40 bytes that a datagram's receive starts with (11.4.1.2): the GRH of RoCE v1 and the IPv6 header of RoCE v2 as they
 * are, an IPv4 header in the last 20 bytes behind 20 of zero (annex A17). Made anew from what the link tells, and only for
 * datagrams; fields that the link cannot see are 0.
 */
final class GrhArea {

    /** What stands in the area ({@code rdma_network_type}). */
    static final int GRH = 1;

    static final int IPV4 = 2;
    static final int IPV6 = 3;

    private static final int IPV4_AT = Grh.LENGTH - Ipv4Header.LENGTH;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final long IPV4_MAPPED = 0xFFFF;

    private final MemorySegment bytes = Arena.ofAuto().allocate(Grh.LENGTH, Long.BYTES);

    static int kind(PacketInfo info) {
        if (info.nextHeader != PacketInfo.UDP) {
            return GRH;
        }
        return info.localHigh == 0 && info.localLow >>> 32 == IPV4_MAPPED ? IPV4 : IPV6;
    }

    /** The area for a packet of so many bytes from BTH to pad; valid until the next call. */
    MemorySegment of(PacketInfo info, int transportLength) {
        int kind = kind(info);
        int payload = transportLength + Icrc.LENGTH + (kind == GRH ? 0 : UdpHeader.LENGTH);
        if (kind == IPV4) {
            for (long at = 0; at < IPV4_AT; at += Integer.BYTES) {
                bytes.set(ValueLayout.JAVA_INT, at, 0);
            }
            Ipv4Header.write(
                    bytes,
                    IPV4_AT,
                    info.trafficClass,
                    Ipv4Header.LENGTH + payload,
                    info.identification,
                    DONT_FRAGMENT,
                    info.hopLimit,
                    info.nextHeader,
                    (int) info.remoteLow,
                    (int) info.localLow);
        } else {
            Grh.write(
                    bytes,
                    0,
                    info.trafficClass,
                    info.flowLabel,
                    payload,
                    info.nextHeader,
                    info.hopLimit,
                    info.remoteHigh,
                    info.remoteLow,
                    info.localHigh,
                    info.localLow);
        }
        return bytes;
    }
}
