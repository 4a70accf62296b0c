package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;

/**
 * Follows a captured frame down to its BTH. It never throws for what the bytes are: a frame that is not RoCE is an {@link
 * OtherFrame}, one that says it is and breaks off is {@link Malformed}.
 */
public final class FrameParser {

    private static final int SLL_LENGTH = 16;
    private static final int SLL_PROTOCOL = 14;
    private static final int SLL2_LENGTH = 20;

    private final FrameBytes bytes;
    private long start;
    private int length;
    private final long end;
    private final int udpPort;
    private long ethernet = -1;

    private FrameParser(FrameBytes bytes, long start, int length, int udpPort) {
        this.bytes = bytes;
        this.start = start;
        this.length = length;
        this.end = start + length;
        this.udpPort = udpPort;
    }

    /**
     * Looks into a frame.
     *
     * @param start where the frame starts
     * @param length bytes of it that were captured, all of them within the segment
     * @param linkType what it starts with, see {@link LinkType}
     */
    public static ParsedFrame parse(MemorySegment segment, long start, int length, int linkType) {
        return parse(segment, start, length, linkType, UdpHeader.ROCE_V2_PORT);
    }

    /** As above, with another UDP port for RoCE v2. */
    public static ParsedFrame parse(MemorySegment segment, long start, int length, int linkType, int udpPort) {
        return parse(FrameBytes.of(segment), start, length, linkType, udpPort);
    }

    /** As above, of bytes that lie elsewhere. */
    public static ParsedFrame parse(FrameBytes bytes, long start, int length, int linkType, int udpPort) {
        FrameParser parser = new FrameParser(bytes, start, length, udpPort);
        return switch (linkType) {
            case LinkType.ETHERNET -> parser.ethernet();
            case LinkType.LINUX_SLL -> parser.cooked(SLL_LENGTH, SLL_PROTOCOL);
            case LinkType.LINUX_SLL2 -> parser.cooked(SLL2_LENGTH, 0);
            case LinkType.RAW, LinkType.IPV4, LinkType.IPV6 -> parser.raw();
            case LinkType.INFINIBAND -> parser.infiniBand();
            case LinkType.ERF -> parser.erf();
            default -> new OtherFrame(LinkType.name(linkType));
        };
    }

    private ParsedFrame erf() {
        int header = ErfHeader.length(bytes, start, end);
        if (header < 0) {
            return new OtherFrame("shorter than an ERF header");
        }
        int type = ErfHeader.type(bytes, start);
        int skip = header + (ErfHeader.isEthernet(type) ? ErfHeader.ETHERNET_PAD : 0);
        if (skip > length) {
            return new OtherFrame("shorter than an ERF header");
        }
        start += skip;
        length -= skip;
        if (ErfHeader.isEthernet(type)) {
            return ethernet();
        }
        if (ErfHeader.isInfiniBand(type)) {
            return infiniBand();
        }
        return ErfHeader.isIp(type) ? raw() : new OtherFrame("ERF type " + type);
    }

    private ParsedFrame ethernet() {
        if (length == 0) {
            return new OtherFrame("empty");
        }
        if (length < EthernetHeader.LENGTH) {
            return new OtherFrame("shorter than an Ethernet header");
        }
        ethernet = start;
        return network(bytes.uint16(start + EthernetHeader.ETHER_TYPE_OFFSET), start + EthernetHeader.LENGTH);
    }

    private ParsedFrame cooked(int headerLength, int protocolOffset) {
        if (length < headerLength) {
            return new OtherFrame("shorter than a Linux cooked header");
        }
        int etherType = bytes.uint16(start + protocolOffset);
        return network(etherType, start + headerLength);
    }

    private ParsedFrame raw() {
        if (length == 0) {
            return new OtherFrame("empty");
        }
        return switch (version(start)) {
            case 4 -> ipv4(start);
            case 6 -> ipv6(start);
            default -> new OtherFrame("neither IPv4 nor IPv6");
        };
    }

    /** Behind an Ethernet type: tags, then what they tag. */
    private ParsedFrame network(int firstType, long firstByte) {
        int etherType = firstType;
        long at = firstByte;
        while (VlanTag.isVlan(etherType)) {
            if (end - at < VlanTag.LENGTH) {
                return new OtherFrame("breaks off in a VLAN tag");
            }
            etherType = bytes.uint16(at + 2);
            at += VlanTag.LENGTH;
        }
        return switch (etherType) {
            case EthernetHeader.IPV4 -> ipv4(at);
            case EthernetHeader.IPV6 -> ipv6(at);
            case EthernetHeader.ROCE -> roceV1(at);
            case EthernetHeader.ARP -> new OtherFrame("ARP");
            default -> new OtherFrame(String.format("EtherType 0x%04x", etherType));
        };
    }

    /** The first half byte of IPv4, IPv6 and GRH alike. */
    private int version(long at) {
        return bytes.uint8(at) >> 4;
    }

    private ParsedFrame ipv4(long at) {
        if (end - at < Ipv4Header.LENGTH) {
            return new OtherFrame("breaks off in its IPv4 header");
        }
        if (version(at) != 4) {
            return new OtherFrame("IP version " + version(at) + " where 4 was announced");
        }
        int fragment = Ipv4Header.MORE_FRAGMENTS | Ipv4Header.FRAGMENT_OFFSET_MASK;
        boolean isFragment = (bytes.uint16(at + Ipv4Header.FLAGS_OFFSET) & fragment) != 0;
        int headerLength = 4 * (bytes.uint8(at) & 0xF);
        int protocol = bytes.uint8(at + Ipv4Header.PROTOCOL_OFFSET);
        long packetEnd = at + bytes.uint16(at + Ipv4Header.TOTAL_LENGTH_OFFSET);
        if (protocol == TcpHeader.PROTOCOL && !isFragment) {
            return tcp(false, at, at + headerLength, packetEnd);
        }
        if (protocol != UdpHeader.PROTOCOL) {
            return OtherFrame.ofProtocol(protocol);
        }
        if (headerLength != Ipv4Header.LENGTH) {
            return new OtherFrame("UDP behind IPv4 options, which RoCE has not");
        }
        if (isFragment) {
            return new OtherFrame("a fragment of an IPv4 packet");
        }
        return udp(Encapsulation.ROCE_V2_IPV4, at, at + Ipv4Header.LENGTH, packetEnd);
    }

    private ParsedFrame ipv6(long at) {
        if (end - at < Ipv6Header.LENGTH) {
            return new OtherFrame("breaks off in its IPv6 header");
        }
        if (version(at) != 6) {
            return new OtherFrame("IP version " + version(at) + " where 6 was announced");
        }
        int nextHeader = bytes.uint8(at + Ipv6Header.NEXT_HEADER_OFFSET);
        long payload = at + Ipv6Header.LENGTH;
        long packetEnd = payload + bytes.uint16(at + Ipv6Header.PAYLOAD_LENGTH_OFFSET);
        if (nextHeader == TcpHeader.PROTOCOL) {
            return tcp(true, at, payload, packetEnd);
        }
        return nextHeader == UdpHeader.PROTOCOL
                ? udp(Encapsulation.ROCE_V2_IPV6, at, payload, packetEnd)
                : OtherFrame.ofProtocol(nextHeader);
    }

    private ParsedFrame tcp(boolean isIpv6, long network, long at, long packetEnd) {
        TcpFrame tcp = TcpFrame.parse(bytes.segment(), network, isIpv6, at, packetEnd, end);
        return tcp == null ? OtherFrame.ofProtocol(TcpHeader.PROTOCOL) : tcp;
    }

    private ParsedFrame udp(Encapsulation encapsulation, long network, long at, long packetEnd) {
        if (end - at < UdpHeader.LENGTH) {
            return new OtherFrame("breaks off in its UDP header");
        }
        int port = bytes.uint16(at + UdpHeader.DESTINATION_PORT_OFFSET);
        if (port != udpPort) {
            return new OtherFrame("UDP port " + port);
        }
        long udpEnd = at + bytes.uint16(at + UdpHeader.UDP_LENGTH_OFFSET);
        if (udpEnd > packetEnd) {
            return new Malformed(Rule.TOO_SHORT, "UDP ends " + (udpEnd - packetEnd) + " bytes behind its IP packet");
        }
        return transport(encapsulation, network, at + UdpHeader.LENGTH, udpEnd);
    }

    private ParsedFrame roceV1(long at) {
        if (end - at < Grh.LENGTH) {
            return new Malformed(Rule.TOO_SHORT, "breaks off in its GRH");
        }
        int nextHeader = bytes.uint8(at + Grh.NEXT_HEADER_OFFSET);
        if (version(at) != 6 || nextHeader != Grh.NEXT_HEADER_IBA) {
            return new OtherFrame(String.format("GRH of version %d with NxtHdr 0x%02x", version(at), nextHeader));
        }
        long bth = at + Grh.LENGTH;
        return transport(Encapsulation.ROCE_V1, at, bth, bth + bytes.uint16(at + Grh.PAYLOAD_LENGTH_OFFSET));
    }

    private ParsedFrame infiniBand() {
        if (length < Lrh.LENGTH) {
            return new Malformed(Rule.TOO_SHORT, "breaks off in its LRH");
        }
        MemorySegment lrh = bytes.segment();
        long packetEnd = start + 4L * Lrh.packetLength(lrh, start);
        long behind = start + Lrh.LENGTH;
        return switch (Lrh.nextHeader(lrh, start)) {
            case Lrh.LNH_IBA_LOCAL -> transport(Encapsulation.INFINIBAND_LOCAL, start, behind, packetEnd);
            case Lrh.LNH_IBA_GLOBAL -> {
                if (end - behind < Grh.LENGTH) {
                    yield new Malformed(Rule.TOO_SHORT, "breaks off in its GRH");
                }
                yield transport(Encapsulation.INFINIBAND_GLOBAL, start, behind + Grh.LENGTH, packetEnd);
            }
            default -> new OtherFrame("a raw packet on an InfiniBand link");
        };
    }

    /** The lower layer's own length decides: Ethernet pads short frames behind the ICRC. */
    private ParsedFrame transport(Encapsulation encapsulation, long network, long bth, long packetEnd) {
        if (packetEnd > end) {
            return new Malformed(
                    Rule.TOO_SHORT, "says " + (packetEnd - bth) + " bytes from BTH on, has " + (end - bth));
        }
        long transportLength = packetEnd - bth - Icrc.LENGTH;
        if (transportLength < Bth.LENGTH) {
            return new Malformed(Rule.TOO_SHORT, (packetEnd - bth) + " bytes do not hold a BTH and an ICRC");
        }
        if (transportLength % 4 != 0) {
            return new Malformed(
                    Rule.LENGTH_NOT_WORDS, transportLength + " bytes from BTH to pad are no multiple of 4");
        }
        return new RoceFrame(bytes, start, length, encapsulation, ethernet, network, bth, (int) transportLength);
    }
}
