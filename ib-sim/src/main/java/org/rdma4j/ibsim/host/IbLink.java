package org.rdma4j.ibsim.host;

import java.util.List;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.fabric.Management;
import org.rdma4j.ibsim.fabric.PacketIcrc;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.GidType;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Vcrc;

/**
 * A channel adapter's port as a link of the transport. It belongs to the thread that runs the fabric: a packet is there
 * during the event of its arrival, and {@link #poll} gives it to the transport then.
 */
final class IbLink implements Link {

    private static final int RECEIVE_BUFFER = 2 << 20;

    private final Port port;
    private final Gid gid;
    private final LinkCounters counters = new LinkCounters();
    private final IbTransmitter transmitter;
    private final PacketIcrc icrc = new PacketIcrc();
    private final PacketInfo info = new PacketInfo();
    private FabricPacket arrived;
    private FrameTap tap;

    IbLink(Port port) {
        this.port = port;
        this.gid = Directory.gidOf(port);
        this.transmitter = new IbTransmitter(port, counters);
    }

    @Override
    public String name() {
        return "ibsim:" + port;
    }

    @Override
    public List<Gid> gids() {
        return List.of(gid);
    }

    @Override
    public GidType gidType() {
        return GidType.IB;
    }

    @Override
    public int maxPathMtu() {
        return port.settings().mtuBytes();
    }

    @Override
    public int interfaceMtu() {
        return port.settings().mtuBytes();
    }

    @Override
    public boolean hasRoom() {
        return port.hasRoom();
    }

    @Override
    public boolean isUp() {
        return port.state() == LinkState.ACTIVE;
    }

    @Override
    public int receiveBuffer() {
        return RECEIVE_BUFFER;
    }

    @Override
    public Route route(RouteAttributes attributes) {
        Port peer = port.node().fabric().directory().portOf(attributes.remote());
        if (peer == null) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE, name() + ": the fabric has no " + attributes.remote());
        }
        if (peer.settings().lid() == Lids.NONE) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE,
                    name() + ": " + peer + " has no LID: has a subnet manager been there?");
        }
        return new IbRoute(attributes, peer.settings().lid(), 0);
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    /** The packet that {@link #poll} is to find; {@code null} for none. */
    void arrive(FabricPacket packet) {
        arrived = packet;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        FabricPacket packet = arrived;
        if (packet == null) {
            return 0;
        }
        arrived = null;
        counters.receivedPackets++;
        counters.receivedBytes += packet.length();
        if (tap != null) {
            packet.seal();
        }
        Rule decision = receive(packet, handler);
        if (decision == Rule.PKEY_MISMATCH) {
            port.node().fabric().refusedByHost(FabricRule.PARTITION_HOST, port, packet);
        }
        if (tap != null) {
            tap.received(now, packet.bytes(), 0, packet.length(), decision);
        }
        return 1;
    }

    private Rule receive(FabricPacket packet, PacketHandler handler) {
        int bth = Management.bthOffset(packet);
        int end = packet.length() - Icrc.LENGTH - Vcrc.LENGTH;
        if (bth < 0 || end < bth) {
            counters.malformed++;
            return Rule.TOO_SHORT;
        }
        if (!packet.isUntouched() && icrcIsWrong(packet, bth, end)) {
            counters.icrcErrors++;
            return Rule.ICRC_MISMATCH;
        }
        info.nextHeader = Grh.NEXT_HEADER_IBA;
        if (bth == Lrh.LENGTH) {
            Port sender = port.node().fabric().directory().portOf(packet.sourceLid());
            info.remoteHigh = Directory.DEFAULT_PREFIX;
            info.remoteLow = sender == null ? 0 : sender.guid();
            info.localHigh = gid.high();
            info.localLow = gid.low();
        } else {
            info.remoteHigh = Grh.sgidHigh(packet.bytes(), Lrh.LENGTH);
            info.remoteLow = Grh.sgidLow(packet.bytes(), Lrh.LENGTH);
            info.localHigh = Grh.dgidHigh(packet.bytes(), Lrh.LENGTH);
            info.localLow = Grh.dgidLow(packet.bytes(), Lrh.LENGTH);
            info.trafficClass = Grh.trafficClass(packet.bytes(), Lrh.LENGTH);
            info.hopLimit = Grh.hopLimit(packet.bytes(), Lrh.LENGTH);
        }
        return handler.onPacket(packet.bytes(), bth, end - bth, info);
    }

    private boolean icrcIsWrong(FabricPacket packet, int bth, int end) {
        packet.seal();
        return icrc.of(packet, bth, end) != Icrc.read(packet.bytes(), end);
    }

    /** Nothing arrives but by an event: there is nothing to wait for here. */
    @Override
    public void await(long nanos) {}

    @Override
    public void wakeup() {}

    /** Shows what arrives; {@link Port#tap} shows what a link carries. */
    @Override
    public void tap(FrameTap next) {
        tap = next;
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {}
}
