package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;

/** Asks for neighbors and answers their questions: writes the frames of ARP (RFC 826) and neighbor discovery (RFC 4861). */
final class NeighborFrames {

    private static final int TAGGED = EthernetHeader.LENGTH + 4;
    private static final int LONGEST = TAGGED + Ipv6Header.LENGTH + NeighborMessage.LENGTH;

    private final PortConfig config;
    private final FrameOutlet outlet;

    NeighborFrames(PortConfig config, FrameOutlet outlet) {
        this.config = config;
        this.outlet = outlet;
    }

    /** Asks all, or the one that had the address last, for a neighbor's MAC. */
    void ask(Neighbor neighbor, boolean itself) {
        Gid target = new Gid(neighbor.high, neighbor.low);
        if (target.isIpv4()) {
            long to = itself ? neighbor.mac() : EthernetHeader.BROADCAST;
            arp(to, new ArpPacket(ArpPacket.REQUEST, config.mac(), config.gid().ipv4(), 0, target.ipv4()));
            return;
        }
        Gid group = NeighborMessage.solicitedNode(target.low());
        neighbor(
                itself ? neighbor.mac() : NeighborMessage.groupMac(group.low()),
                itself ? target : group,
                new NeighborMessage(NeighborMessage.SOLICITATION, 0, target, config.mac()));
    }

    /** The answer to an ARP request. */
    void answerArp(long mac, int address) {
        arp(mac, new ArpPacket(ArpPacket.REPLY, config.mac(), config.gid().ipv4(), mac, address));
    }

    /** The answer to a solicitation; one without a sender asks whether the address is free, and all are told. */
    void answerSolicitation(long mac, Gid sender) {
        boolean isProbe = sender.equals(Gid.ZERO);
        int flags = NeighborMessage.OVERRIDE | (isProbe ? 0 : NeighborMessage.SOLICITED);
        advertise(
                isProbe ? NeighborMessage.groupMac(NeighborMessage.ALL_NODES.low()) : mac,
                isProbe ? NeighborMessage.ALL_NODES : sender,
                flags);
    }

    /** Tells all, unasked, whose the port's address is: a gratuitous ARP (RFC 5227, 2.3), or an unsolicited advertisement. */
    void announce() {
        if (config.gid().isIpv4()) {
            int own = config.gid().ipv4();
            arp(EthernetHeader.BROADCAST, new ArpPacket(ArpPacket.REQUEST, config.mac(), own, 0, own));
        } else {
            Gid all = NeighborMessage.ALL_NODES;
            advertise(NeighborMessage.groupMac(all.low()), all, NeighborMessage.OVERRIDE);
        }
    }

    private void advertise(long mac, Gid to, int flags) {
        neighbor(mac, to, new NeighborMessage(NeighborMessage.ADVERTISEMENT, flags, config.gid(), config.mac()));
    }

    private void arp(long mac, ArpPacket packet) {
        long at = outlet.io().reserve(LONGEST);
        if (at < 0) {
            return;
        }
        MemorySegment memory = outlet.io().memory();
        int header = ethernet(memory, at, mac, EthernetHeader.ARP);
        packet.emit(memory, at + header);
        end(memory, at, header + ArpPacket.LENGTH);
    }

    private void neighbor(long mac, Gid to, NeighborMessage message) {
        long at = outlet.io().reserve(LONGEST);
        if (at < 0) {
            return;
        }
        MemorySegment memory = outlet.io().memory();
        int header = ethernet(memory, at, mac, EthernetHeader.IPV6);
        long ipv6 = at + header;
        new Ipv6Header(
                        6,
                        0,
                        0,
                        NeighborMessage.LENGTH,
                        NeighborMessage.NEXT_HEADER,
                        NeighborMessage.HOP_LIMIT,
                        config.gid(),
                        to)
                .emit(memory, ipv6);
        message.emit(memory, ipv6, ipv6 + Ipv6Header.LENGTH);
        end(memory, at, header + Ipv6Header.LENGTH + NeighborMessage.LENGTH);
    }

    private int ethernet(MemorySegment memory, long at, long mac, int etherType) {
        return EthernetHeader.write(memory, at, mac, config.mac(), config.priority(), config.vlanId(), etherType);
    }

    private void end(MemorySegment memory, long at, int length) {
        outlet.control(at, Padding.toMinimum(memory, at, length));
    }
}
