package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.LinkException;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;

/**
 * The neighbors that routes of this port lead to, found by ARP (RFC 826) and neighbor discovery (RFC 4861). Only a route
 * adds one, so no stranger can fill the table. Routes are asked for by any thread; all the rest is the driving thread's.
 */
final class Neighbors {

    private static final System.Logger LOG = System.getLogger(Neighbors.class.getName());

    private final PortConfig config;
    private final FrameOutlet outlet;
    private final NeighborFrames frames;
    private final NeighborTable table = new NeighborTable();
    private boolean announced;
    private boolean conflictTold;

    /** When {@link #onTimer} is due. Read by the driving thread on each look at the network. */
    private volatile long deadline;

    Neighbors(PortConfig config, FrameOutlet outlet) {
        this.config = config;
        this.outlet = outlet;
        this.frames = new NeighborFrames(config, outlet);
        this.announced = !isAsked();
        this.deadline = announced ? Long.MAX_VALUE : 0;
    }

    long deadline() {
        return deadline;
    }

    /** True where others ask this port, and nobody else, for its MAC. */
    boolean isAsked() {
        return config.isOwner() && !isV1LinkLocal(config.gid());
    }

    /**
     * The station that packets to a peer go to: itself, or the gateway.
     *
     * @throws LinkException where nothing leads there
     */
    synchronized Neighbor towards(Gid peer) {
        Gid hop = nextHop(peer);
        Neighbor neighbor = table.get(hop);
        if (neighbor == null) {
            neighbor = enter(hop);
            table.put(hop, neighbor);
            if (!neighbor.hasMac()) {
                table.await(neighbor);
            }
            deadline = Math.min(deadline, neighbor.deadline());
        }
        return neighbor;
    }

    private Neighbor enter(Gid hop) {
        if (hop.equals(config.gid())) {
            return Neighbor.known(hop.high(), hop.low(), config.mac(), true);
        }
        if (Gid.isMulticast(hop.high(), hop.low())) {
            return Neighbor.known(hop.high(), hop.low(), Groups.mac(hop.high(), hop.low()), false);
        }
        if (isV1LinkLocal(hop)) {
            return Neighbor.known(hop.high(), hop.low(), LinkLocal.mac(hop.low()), false);
        }
        return Neighbor.unknown(hop.high(), hop.low(), outlet.now());
    }

    private boolean isV1LinkLocal(Gid gid) {
        return config.encapsulation() == Encapsulation.ROCE_V1 && LinkLocal.holdsMac(gid.high(), gid.low());
    }

    private Gid nextHop(Gid peer) {
        if (config.encapsulation() == Encapsulation.ROCE_V1
                || Gid.isMulticast(peer.high(), peer.low())
                || config.isOnLink(peer)) {
            return peer;
        }
        if (config.gateway() == null) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE,
                    IpText.of(peer.toAddress()) + " is not in "
                            + IpText.of(config.gid().toAddress()) + "/" + config.prefixLength()
                            + ", and no gateway is known: name one, as in roce2eth:eth0?gateway=ADDRESS");
        }
        return config.gateway();
    }

    /** Asks what is to be asked by now, and gives up on those that did not answer. */
    synchronized void onTimer(long now) {
        if (!announced) {
            announced = true;
            frames.announce();
        }
        for (Neighbor neighbor : table.all()) {
            if (neighbor.deadline() <= now) {
                switch (neighbor.onTimer(now)) {
                    case NONE -> giveUp(neighbor);
                    case OF_ALL -> frames.ask(neighbor, false);
                    case OF_ITSELF -> frames.ask(neighbor, true);
                }
            }
        }
        updateDeadline();
    }

    private void giveUp(Neighbor neighbor) {
        table.awaitNoMore(neighbor);
        HeldFrames held = neighbor.takeHeld();
        if (held != null) {
            outlet.lost(held.count());
        }
    }

    private void updateDeadline() {
        long next = Long.MAX_VALUE;
        for (Neighbor neighbor : table.all()) {
            next = Math.min(next, neighbor.deadline());
        }
        deadline = next;
    }

    /** Where a frame to a neighbor without a MAC can wait; {@code null} where it is lost. */
    synchronized HeldFrames hold(Neighbor neighbor) {
        HeldFrames held = neighbor.hold(outlet.now());
        if (held != null) {
            table.await(neighbor);
        }
        updateDeadline();
        return held;
    }

    /** An ARP packet, whole. */
    void onArp(MemorySegment memory, long at, long now) {
        if (!config.gid().isIpv4() || !ArpPacket.isIpv4OverEthernet(memory, at)) {
            return;
        }
        long mac = ArpPacket.senderMac(memory, at);
        int sender = ArpPacket.senderAddress(memory, at);
        if (isNoStation(mac)) {
            return;
        }
        if (sender == config.gid().ipv4()) {
            onConflict(mac);
            return;
        }
        // RFC 826: whoever speaks of himself is believed, where he is known of at all.
        learn(Gid.ofIpv4(sender), mac, now);
        if (isAsked()
                && ArpPacket.operation(memory, at) == ArpPacket.REQUEST
                && ArpPacket.targetAddress(memory, at) == config.gid().ipv4()) {
            frames.answerArp(mac, sender);
        }
    }

    /** An ICMPv6 message behind the IPv6 header at {@code ipv6}. */
    void onIcmpV6(MemorySegment memory, long ipv6, int length, long now) {
        if (config.gid().isIpv4()) {
            return;
        }
        long at = ipv6 + Ipv6Header.LENGTH;
        if (length < NeighborMessage.SHORTEST) {
            return;
        }
        int type = NeighborMessage.type(memory, at);
        if (type != NeighborMessage.SOLICITATION && type != NeighborMessage.ADVERTISEMENT
                || !NeighborMessage.isValid(memory, ipv6, at, length)) {
            return;
        }
        Gid sender = new Gid(Ipv6Header.sourceHigh(memory, ipv6), Ipv6Header.sourceLow(memory, ipv6));
        NeighborMessage message = NeighborMessage.parse(memory, at, length);
        if (type == NeighborMessage.SOLICITATION) {
            onSolicitation(message, sender, now);
        } else {
            onAdvertisement(message, now);
        }
    }

    private void onSolicitation(NeighborMessage message, Gid sender, long now) {
        if (sender.equals(config.gid())) {
            onConflict(message.mac());
            return;
        }
        boolean hasMac = message.mac() >= 0 && !isNoStation(message.mac());
        if (hasMac) {
            learn(sender, message.mac(), now);
        }
        boolean canAnswer = hasMac || sender.equals(Gid.ZERO);
        if (isAsked() && canAnswer && message.target().equals(config.gid())) {
            frames.answerSolicitation(message.mac(), sender);
        }
    }

    private synchronized void onAdvertisement(NeighborMessage message, long now) {
        long mac = message.mac();
        if (message.target().equals(config.gid())) {
            onConflict(mac);
            return;
        }
        Neighbor neighbor = table.get(message.target());
        if (neighbor == null) {
            return;
        }
        boolean solicited = (message.flags() & NeighborMessage.SOLICITED) != 0;
        boolean override = (message.flags() & NeighborMessage.OVERRIDE) != 0;
        if (mac < 0 && neighbor.hasMac()) {
            mac = neighbor.mac(); // an answer to itself may leave it out (4.4)
        }
        if (mac < 0 || isNoStation(mac) || neighbor.hasMac() && mac != neighbor.mac() && !override) {
            return;
        }
        if (solicited || !neighbor.hasMac()) {
            answered(neighbor, mac, now);
        } else {
            neighbor.onChange(mac, now);
            updateDeadline();
        }
    }

    private synchronized void learn(Gid gid, long mac, long now) {
        Neighbor neighbor = table.get(gid);
        if (neighbor != null) {
            answered(neighbor, mac, now);
        }
    }

    private void answered(Neighbor neighbor, long mac, long now) {
        neighbor.onAnswer(mac, now);
        table.awaitNoMore(neighbor);
        updateDeadline();
        HeldFrames held = neighbor.takeHeld();
        if (held != null) {
            outlet.release(held, mac);
        }
    }

    /** Addresses that no station sends from. */
    private static boolean isNoStation(long mac) {
        return mac == 0 || EthernetHeader.isGroup(mac);
    }

    private void onConflict(long mac) {
        if (isAsked() && mac >= 0 && mac != config.mac() && !conflictTold) {
            conflictTold = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> IpText.of(config.gid().toAddress()) + " is in use twice: by this port and by "
                            + EthernetHeader.macToString(mac));
        }
    }
}
