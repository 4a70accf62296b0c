package org.rdma4j.tools.decode;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;
import org.rdma4j.wire.VlanTag;

/** The headers in front of a BTH, field by field. */
final class NetworkHeaders {

    private NetworkHeaders() {}

    static List<Header> of(RoceFrame frame) {
        List<Header> headers = new ArrayList<>();
        MemorySegment segment = frame.segment();
        if (frame.ethernetOffset() >= 0) {
            ethernet(segment, frame.ethernetOffset(), headers);
        }
        switch (frame.encapsulation()) {
            case ROCE_V1 -> headers.add(grh(Grh.parse(segment, frame.networkOffset())));
            case ROCE_V2_IPV4 -> headers.add(ipv4(segment, frame.networkOffset()));
            case ROCE_V2_IPV6 -> headers.add(ipv6(Ipv6Header.parse(segment, frame.networkOffset())));
            case INFINIBAND_LOCAL -> headers.add(lrh(Lrh.parse(segment, frame.networkOffset())));
            case INFINIBAND_GLOBAL -> {
                headers.add(lrh(Lrh.parse(segment, frame.networkOffset())));
                headers.add(grh(Grh.parse(segment, frame.networkOffset() + Lrh.LENGTH)));
            }
        }
        if (frame.encapsulation().hasUdp()) {
            headers.add(udp(UdpHeader.parse(segment, frame.bthOffset() - UdpHeader.LENGTH)));
        }
        return headers;
    }

    /** The ends of a packet as people name them. */
    static String end(RoceFrame frame, Gid gid) {
        return frame.encapsulation() == Encapsulation.INFINIBAND_LOCAL ? "LID " + gid.low() : text(gid);
    }

    private static String text(Gid gid) {
        return IpText.of(gid.toAddress());
    }

    private static void ethernet(MemorySegment segment, long offset, List<Header> headers) {
        EthernetHeader ethernet = EthernetHeader.parse(segment, offset);
        headers.add(new Header("Ethernet")
                .text("Destination", EthernetHeader.macToString(ethernet.destination()))
                .text("Source", EthernetHeader.macToString(ethernet.source()))
                .hex("EtherType", ethernet.etherType(), 4));
        int etherType = ethernet.etherType();
        for (long tag = offset + EthernetHeader.ETHER_TYPE_OFFSET; VlanTag.isVlan(etherType); tag += VlanTag.LENGTH) {
            VlanTag vlan = VlanTag.parse(segment, tag);
            etherType = EthernetHeader.etherType(segment, tag + VlanTag.LENGTH - EthernetHeader.ETHER_TYPE_OFFSET);
            headers.add(new Header("VLAN")
                    .hex("TPID", vlan.protocol(), 4)
                    .number("PCP", vlan.priority())
                    .bit("DEI", vlan.dropEligible())
                    .number("VID", vlan.id())
                    .hex("EtherType", etherType, 4));
        }
    }

    private static Header ipv4(MemorySegment segment, long offset) {
        Ipv4Header ip = Ipv4Header.parse(segment, offset);
        boolean isRight = ip.checksum() == Ipv4Header.expectedChecksum(segment, offset);
        return new Header("IPv4")
                .number("Version", ip.version())
                .number("IHL", ip.headerWords())
                .number("DSCP", ip.trafficClass() >> 2)
                .number("ECN", ip.trafficClass() & 3, ecn(ip.trafficClass()))
                .number("TotalLength", ip.totalLength())
                .hex("Identification", ip.identification(), 4)
                .hex("Flags", ip.flagsAndOffset(), 4, flags(ip.flagsAndOffset()))
                .number("TTL", ip.timeToLive())
                .number("Protocol", ip.protocol())
                .hex("Checksum", ip.checksum(), 4, isRight ? "right" : "WRONG")
                .text("Source", text(Gid.ofIpv4(ip.source())))
                .text("Destination", text(Gid.ofIpv4(ip.destination())));
    }

    private static String flags(int flags) {
        return (flags & Ipv4Header.DONT_FRAGMENT) != 0 ? "DF" : "";
    }

    private static String ecn(int trafficClass) {
        return switch (trafficClass & 3) {
            case 1 -> "ECT(1)";
            case 2 -> "ECT(0)";
            case 3 -> "CE";
            default -> "";
        };
    }

    private static Header ipv6(Ipv6Header ip) {
        return ipv6Like("IPv6", ip.version(), ip.trafficClass(), ip.flowLabel())
                .number("PayloadLength", ip.payloadLength())
                .number("NextHeader", ip.nextHeader())
                .number("HopLimit", ip.hopLimit())
                .text("Source", text(ip.source()))
                .text("Destination", text(ip.destination()));
    }

    private static Header grh(Grh grh) {
        return ipv6Like("GRH", grh.version(), grh.trafficClass(), grh.flowLabel())
                .number("PayLen", grh.payloadLength())
                .hex("NxtHdr", grh.nextHeader(), 2)
                .number("HopLmt", grh.hopLimit())
                .text("SGID", text(grh.sgid()))
                .text("DGID", text(grh.dgid()));
    }

    private static Header ipv6Like(String name, int version, int trafficClass, int flowLabel) {
        return new Header(name)
                .number("Version", version)
                .number("DSCP", trafficClass >> 2)
                .number("ECN", trafficClass & 3, ecn(trafficClass))
                .hex("FlowLabel", flowLabel, 5);
    }

    private static Header lrh(Lrh lrh) {
        return new Header("LRH")
                .number("VL", lrh.virtualLane())
                .number("LVer", lrh.linkVersion())
                .number("SL", lrh.serviceLevel())
                .number("LNH", lrh.nextHeader())
                .number("DLID", lrh.destinationLid())
                .number("PktLen", lrh.packetLength(), String.format(Locale.ROOT, "%d bytes", 4 * lrh.packetLength()))
                .number("SLID", lrh.sourceLid());
    }

    private static Header udp(UdpHeader udp) {
        return new Header("UDP")
                .number("SourcePort", udp.sourcePort())
                .number("DestinationPort", udp.destinationPort())
                .number("Length", udp.udpLength())
                .hex("Checksum", udp.checksum(), 4, udp.checksum() == 0 ? "none" : "");
    }
}
