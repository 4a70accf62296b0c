package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A whole frame that carries a transport packet, as {@link FrameParser} found it: where its parts lie, and what its
 * network headers say. The bytes stay where they are; the frame is valid as long as they are.
 *
 * @param segment the memory that holds it
 * @param start where the frame starts
 * @param length bytes of the frame as captured, with whatever stands behind the ICRC
 * @param encapsulation what lies below the BTH
 * @param ethernetOffset where the Ethernet header starts; -1 where the capture has none
 * @param networkOffset where the IP header, the GRH of RoCE v1 or the LRH starts
 * @param bthOffset where the BTH starts
 * @param transportLength bytes from BTH to pad, without the ICRC: at least 12, a multiple of 4
 */
public record RoceFrame(
        MemorySegment segment,
        long start,
        int length,
        Encapsulation encapsulation,
        long ethernetOffset,
        long networkOffset,
        long bthOffset,
        int transportLength)
        implements ParsedFrame {

    /** Where the ICRC starts. */
    public long icrcOffset() {
        return bthOffset + transportLength;
    }

    /** The ICRC as it stands in the frame, comparable to {@link #expectedIcrc()}. */
    public int icrc() {
        return Icrc.read(segment, icrcOffset());
    }

    /** The ICRC that the frame should have. */
    public int expectedIcrc() {
        return Icrc.of(this);
    }

    public boolean icrcIsRight() {
        return icrc() == expectedIcrc();
    }

    /** The packet as a value. */
    public ParsedPacket packet() {
        return Packet.parse(segment, bthOffset, transportLength);
    }

    /** The outer VLAN tag, where there is one. */
    public Optional<VlanTag> vlan() {
        return ethernetOffset >= 0 && VlanTag.isVlan(EthernetHeader.etherType(segment, ethernetOffset))
                ? Optional.of(VlanTag.parse(segment, ethernetOffset + EthernetHeader.ETHER_TYPE_OFFSET))
                : Optional.empty();
    }

    /** Where the GRH or IPv6 header starts; only where there is one. */
    private long grhOffset() {
        return encapsulation == Encapsulation.INFINIBAND_GLOBAL ? networkOffset + Lrh.LENGTH : networkOffset;
    }

    /** Who sent it; a LID, in the last bytes, where there is no GID. */
    public Gid source() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> Gid.ofIpv4(Ipv4Header.source(segment, networkOffset));
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL ->
                new Gid(Grh.sgidHigh(segment, grhOffset()), Grh.sgidLow(segment, grhOffset()));
            case INFINIBAND_LOCAL -> new Gid(0, Lrh.sourceLid(segment, networkOffset));
        };
    }

    /** Who it is for; a LID, in the last bytes, where there is no GID. */
    public Gid destination() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> Gid.ofIpv4(Ipv4Header.destination(segment, networkOffset));
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL ->
                new Gid(Grh.dgidHigh(segment, grhOffset()), Grh.dgidLow(segment, grhOffset()));
            case INFINIBAND_LOCAL -> new Gid(0, Lrh.destinationLid(segment, networkOffset));
        };
    }

    /** DSCP and ECN, 0 where there is no such field. */
    public int trafficClass() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> Ipv4Header.trafficClass(segment, networkOffset);
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> Grh.trafficClass(segment, grhOffset());
            case INFINIBAND_LOCAL -> 0;
        };
    }

    /** TTL or hop limit, 0 where there is no such field. */
    public int hopLimit() {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> Ipv4Header.timeToLive(segment, networkOffset);
            case ROCE_V1, ROCE_V2_IPV6, INFINIBAND_GLOBAL -> Grh.hopLimit(segment, grhOffset());
            case INFINIBAND_LOCAL -> 0;
        };
    }

    /** UDP source port, 0 where there is no UDP. */
    public int udpSourcePort() {
        return encapsulation.hasUdp() ? UdpHeader.sourcePort(segment, bthOffset - UdpHeader.LENGTH) : 0;
    }

    /** The IPv4 identification, which the ICRC covers; 0 where there is none. */
    public int identification() {
        return encapsulation == Encapsulation.ROCE_V2_IPV4 ? Ipv4Header.identification(segment, networkOffset) : 0;
    }
}
