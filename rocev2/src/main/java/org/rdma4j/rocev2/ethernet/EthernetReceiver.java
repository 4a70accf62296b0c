package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.FrameBytes;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;
import org.rdma4j.wire.VlanTag;

/**
 * Takes frames apart. What is not for this port is none of its business: other stations' frames, other VLANs, other
 * protocols, other addresses. What is for it and broken is counted, and shown to the tap with the rule it breaks.
 *
 * <p>Where a packet ends its IP header or GRH says, never the frame, which Ethernet pads. All 32 bits of the ICRC are
 * checked, over the headers as they came. The UDP checksum is not looked at: it may be 0, and the ICRC covers more.
 */
final class EthernetReceiver implements FrameHandler {

    private static final int SHORTEST = Bth.LENGTH + Icrc.LENGTH;
    private static final long IPV4_MAPPED = 0xFFFFL << 32;

    private final PortConfig config;
    private final Neighbors neighbors;
    private final Groups groups;
    private final LinkCounters counters;
    private final PacketInfo info = new PacketInfo();
    private final RoceIcrc icrc;
    private final CRC32 crc = new CRC32();

    private FrameTap tap;
    private PacketHandler handler;
    private long now;
    private int packets;

    private MemorySegment memory;
    private ByteBuffer view;
    private long start;
    private int length;
    private int end;

    /** The headers say something that no RoCE sender needs to say. The ICRC is then worked out from what they say. */
    private boolean isUnusual;

    EthernetReceiver(PortConfig config, Neighbors neighbors, Groups groups, LinkCounters counters) {
        this.config = config;
        this.groups = groups;
        this.neighbors = neighbors;
        this.counters = counters;
        this.icrc = new RoceIcrc(config.encapsulation());
        info.nextHeader = config.encapsulation().hasUdp() ? UdpHeader.PROTOCOL : Grh.NEXT_HEADER_IBA;
    }

    void tap(FrameTap next) {
        tap = next;
    }

    /** What the frames that follow are for. */
    void begin(PacketHandler next, long time) {
        handler = next;
        now = time;
        packets = 0;
    }

    /** Packets taken since {@link #begin}. */
    int packets() {
        return packets;
    }

    @Override
    public void onFrame(MemorySegment segment, ByteBuffer bytes, long at, int frameLength) {
        if (frameLength < EthernetHeader.LENGTH) {
            return;
        }
        long destination = EthernetHeader.destination(segment, at);
        boolean forUs = destination == config.mac();
        if (!forUs && !EthernetHeader.isGroup(destination)) {
            return;
        }
        memory = segment;
        view = bytes;
        start = at;
        length = frameLength;
        end = (int) at + frameLength;
        int etherType = EthernetHeader.etherType(segment, at);
        int network = (int) at + EthernetHeader.LENGTH;
        int vlanId = PortConfig.PRIORITY_ONLY;
        if (etherType == VlanTag.CUSTOMER) {
            if (frameLength < EthernetHeader.LENGTH + VlanTag.LENGTH) {
                return;
            }
            vlanId = VlanTag.id(segment, at + EthernetHeader.ETHER_TYPE_OFFSET);
            etherType = EthernetHeader.etherType(segment, at + VlanTag.LENGTH);
            network += VlanTag.LENGTH;
        }
        if (vlanId != Math.max(config.vlanId(), PortConfig.PRIORITY_ONLY)) {
            return;
        }
        switch (etherType) {
            case EthernetHeader.IPV4 -> ipv4(network, forUs);
            case EthernetHeader.IPV6 -> ipv6(network, forUs);
            case EthernetHeader.ROCE -> grh(network, forUs);
            case EthernetHeader.ARP -> arp(network);
            default -> {}
        }
    }

    private void arp(int at) {
        if (end - at >= ArpPacket.LENGTH) {
            show(Rule.ACCEPTED);
            neighbors.onArp(memory, at, now);
        }
    }

    private void ipv4(int at, boolean forUs) {
        if (config.encapsulation() != Encapsulation.ROCE_V2_IPV4
                || end - at < Ipv4Header.LENGTH + UdpHeader.LENGTH
                || Ipv4Header.version(memory, at) != 4
                || Ipv4Header.headerWords(memory, at) != Ipv4Header.LENGTH / 4 // RoCE has no options
                || Ipv4Header.protocol(memory, at) != UdpHeader.PROTOCOL
                || !isAddressee(forUs, 0, IPV4_MAPPED | Ipv4Header.destination(memory, at) & 0xFFFF_FFFFL)
                || isFragment(Ipv4Header.flagsAndOffset(memory, at))
                || UdpHeader.destinationPort(memory, at + Ipv4Header.LENGTH) != config.udpPort()) {
            return;
        }
        info.remoteHigh = 0;
        info.remoteLow = IPV4_MAPPED | Ipv4Header.source(memory, at) & 0xFFFF_FFFFL;
        info.trafficClass = Ipv4Header.trafficClass(memory, at);
        info.hopLimit = Ipv4Header.timeToLive(memory, at);
        info.identification = Ipv4Header.identification(memory, at);
        if (Ipv4Header.expectedChecksum(memory, at) != Ipv4Header.checksum(memory, at)) {
            malformed(Rule.IP_CHECKSUM, end - at);
            return;
        }
        // Some FPGA designs leave it clear.
        isUnusual = Ipv4Header.flagsAndOffset(memory, at) != Ipv4Header.DONT_FRAGMENT;
        udp(at, at + Ipv4Header.LENGTH, at + Ipv4Header.totalLength(memory, at));
    }

    private static boolean isFragment(int flagsAndOffset) {
        return (flagsAndOffset & (Ipv4Header.MORE_FRAGMENTS | Ipv4Header.FRAGMENT_OFFSET_MASK)) != 0;
    }

    private void ipv6(int at, boolean forUs) {
        if (end - at < Ipv6Header.LENGTH || Ipv6Header.version(memory, at) != 6) {
            return;
        }
        int payloadEnd = at + Ipv6Header.LENGTH + Ipv6Header.payloadLength(memory, at);
        int nextHeader = Ipv6Header.nextHeader(memory, at);
        if (nextHeader == NeighborMessage.NEXT_HEADER) {
            if (payloadEnd <= end) {
                show(Rule.ACCEPTED);
                neighbors.onIcmpV6(memory, at, payloadEnd - at - Ipv6Header.LENGTH, now);
            }
            return;
        }
        if (config.encapsulation() != Encapsulation.ROCE_V2_IPV6
                || nextHeader != UdpHeader.PROTOCOL
                || end - at < Ipv6Header.LENGTH + UdpHeader.LENGTH
                || !isAddressee(forUs, Ipv6Header.destinationHigh(memory, at), Ipv6Header.destinationLow(memory, at))
                || UdpHeader.destinationPort(memory, at + Ipv6Header.LENGTH) != config.udpPort()) {
            return;
        }
        readGrhLike(at);
        isUnusual = false;
        udp(at, at + Ipv6Header.LENGTH, payloadEnd);
    }

    private void udp(int network, int at, int packetEnd) {
        info.udpSourcePort = UdpHeader.sourcePort(memory, at);
        int udpEnd = at + UdpHeader.udpLength(memory, at);
        if (udpEnd > packetEnd) {
            malformed(Rule.TOO_SHORT, end - at - UdpHeader.LENGTH);
            return;
        }
        isUnusual |= udpEnd != packetEnd;
        transport(network, at + UdpHeader.LENGTH, udpEnd);
    }

    private void grh(int at, boolean forUs) {
        if (config.encapsulation() != Encapsulation.ROCE_V1) {
            return;
        }
        if (end - at < Grh.LENGTH) {
            if (forUs) {
                malformed(Rule.TOO_SHORT, 0);
            }
            return;
        }
        if (Grh.version(memory, at) != 6
                || Grh.nextHeader(memory, at) != Grh.NEXT_HEADER_IBA
                || !isAddressee(forUs, Grh.dgidHigh(memory, at), Grh.dgidLow(memory, at))) {
            return;
        }
        readGrhLike(at);
        isUnusual = false;
        info.udpSourcePort = 0;
        int bth = at + Grh.LENGTH;
        transport(at, bth, bth + Grh.payloadLength(memory, at));
    }

    /** A station's frame holds a packet for that station, a group's frame one for a group that is joined. */
    private boolean isAddressee(boolean forUs, long high, long low) {
        info.localHigh = high;
        info.localLow = low;
        return forUs
                ? low == config.gid().low() && high == config.gid().high()
                : Gid.isMulticast(high, low) && groups.contains(high, low);
    }

    private void readGrhLike(int at) {
        info.remoteHigh = Grh.sgidHigh(memory, at);
        info.remoteLow = Grh.sgidLow(memory, at);
        info.trafficClass = Grh.trafficClass(memory, at);
        info.hopLimit = Grh.hopLimit(memory, at);
        info.flowLabel = Grh.flowLabel(memory, at);
    }

    /** From BTH to ICRC. */
    private void transport(int network, int bth, int packetEnd) {
        int bytes = packetEnd - bth;
        if (packetEnd > end || bytes < SHORTEST) {
            malformed(Rule.TOO_SHORT, Math.max(0, Math.min(packetEnd, end) - bth));
        } else if ((bytes & 3) != 0) {
            malformed(Rule.LENGTH_NOT_WORDS, bytes);
        } else {
            count(bytes);
            Rule decision;
            if (icrcIsRight(network, bth, bytes - Icrc.LENGTH)) {
                decision = handler.onPacket(memory, bth, bytes - Icrc.LENGTH, info);
            } else {
                counters.icrcErrors++;
                decision = Rule.ICRC_MISMATCH;
            }
            show(decision);
        }
    }

    private boolean icrcIsRight(int network, int bth, int transportLength) {
        if (isUnusual) {
            return new RoceFrame(
                            FrameBytes.of(memory),
                            start,
                            length,
                            config.encapsulation(),
                            start,
                            network,
                            bth,
                            transportLength)
                    .icrcIsRight();
        }
        icrc.flow(
                info.remoteHigh,
                info.remoteLow,
                info.localHigh,
                info.localLow,
                info.udpSourcePort,
                config.encapsulation().hasUdp() ? config.udpPort() : 0);
        int icrcAt = bth + transportLength;
        crc.reset();
        crc.update(view.limit(icrcAt).position(bth + Bth.LENGTH));
        int expected = icrc.of(memory, bth, transportLength, info.identification, (int) crc.getValue());
        return expected == Icrc.read(memory, icrcAt);
    }

    private void malformed(Rule rule, int bytes) {
        count(bytes);
        counters.malformed++;
        show(rule);
    }

    private void count(int bytes) {
        packets++;
        counters.receivedPackets++;
        counters.receivedBytes += bytes;
    }

    private void show(Rule decision) {
        if (tap != null) {
            tap.received(now, memory, start, length, decision);
        }
    }
}
