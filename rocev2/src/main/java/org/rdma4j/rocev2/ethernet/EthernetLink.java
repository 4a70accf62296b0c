package org.rdma4j.rocev2.ethernet;

import java.util.List;
import java.util.function.Supplier;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.GidType;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * RoCE over whole Ethernet frames, wherever they come from. A route is there at once; the first packets to a new neighbor
 * wait for its MAC.
 */
public final class EthernetLink implements Link {

    /** Frames of the port to itself that can wait: a full window. */
    private static final int LOOPBACK_BYTES = 2 << 20;

    private final String name;
    private final PortConfig config;
    private final FrameIo io;
    private final PortShield shield;
    private final LinkCounters counters = new LinkCounters();
    private final FrameOutlet outlet;
    private final Neighbors neighbors;
    private final Groups groups = new Groups();
    private final EthernetTransmitter transmitter;
    private final EthernetReceiver receiver;

    /** What the port sends to itself: the first is filled while the second is delivered. */
    private final HeldFrames[] loopback = new HeldFrames[2];

    /**
     * @param name as the user spelled it
     * @param shield closed with the link; {@code null} where there is none
     */
    public EthernetLink(String name, PortConfig config, FrameIo io, PortShield shield) {
        this.name = name;
        this.shield = shield;
        this.config = config;
        this.io = io;
        this.outlet = new FrameOutlet(io, counters);
        this.neighbors = new Neighbors(config, outlet);
        this.transmitter = new EthernetTransmitter(config, outlet, neighbors, groups, loopback);
        this.receiver = new EthernetReceiver(config, neighbors, groups, counters);
    }

    /**
     * A link on an interface.
     *
     * @param opening makes what carries its frames, once the port is held where it must be
     * @throws LinkException where one of the two cannot be had
     */
    public static EthernetLink open(PortName name, PortConfig config, NetworkCard card, Supplier<FrameIo> opening) {
        PortShield shield = PortShield.hold(config, card);
        try {
            return new EthernetLink(name.text(), config, opening.get(), shield);
        } catch (LinkException e) {
            PortShield.release(shield);
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Gid> gids() {
        return List.of(config.gid());
    }

    @Override
    public GidType gidType() {
        return config.encapsulation().hasUdp() ? GidType.ROCE_V2 : GidType.ROCE_V1;
    }

    @Override
    public int maxPathMtu() {
        return config.maxPathMtu();
    }

    @Override
    public int interfaceMtu() {
        return config.mtu();
    }

    @Override
    public int receiveBuffer() {
        return io.receiveBuffer();
    }

    @Override
    public Route route(RouteAttributes attributes) {
        Gid remote = attributes.remote();
        requireSameFamily(remote);
        Neighbor neighbor = neighbors.towards(remote);
        if (neighbor.isSelf) {
            prepareLoopback();
        }
        return new EthernetRoute(config, attributes, neighbor);
    }

    private void requireSameFamily(Gid remote) {
        if (remote.isIpv4() != config.gid().isIpv4()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE,
                    name + " at " + IpText.of(config.gid().toAddress()) + " cannot reach "
                            + IpText.of(remote.toAddress()) + ": one is IPv4 and the other is not");
        }
    }

    /**
     * Receives what is sent to a multicast group from now on, this port's own packets included. Nobody is told: switches
     * that want reports (IGMP, MLD) get them only for addresses that the kernel has too.
     *
     * @throws LinkException where the GID is of no group, or of another family than the port's
     */
    @Override
    public void join(Gid group) {
        requireSameFamily(group);
        if (!group.isMulticast()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE, IpText.of(group.toAddress()) + " is no multicast group");
        }
        if (groups.contains(group.high(), group.low())) {
            return;
        }
        prepareLoopback();
        long mac = Groups.mac(group.high(), group.low());
        io.join(mac);
        try {
            if (shield != null) {
                shield.join(group);
            }
        } catch (LinkException e) {
            io.leave(mac);
            throw e;
        }
        groups.add(group);
    }

    /** Ends {@link #join}. */
    @Override
    public void leave(Gid group) {
        if (groups.remove(group)) {
            if (shield != null) {
                shield.leave(group);
            }
            io.leave(Groups.mac(group.high(), group.low()));
        }
    }

    private synchronized void prepareLoopback() {
        if (loopback[0] == null) {
            loopback[1] = new HeldFrames(LOOPBACK_BYTES);
            loopback[0] = new HeldFrames(LOOPBACK_BYTES);
        }
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        outlet.now(now);
        receiver.begin(handler, now);
        io.poll(receiver);
        if (hasLoopedBack()) {
            deliverLoopback();
        }
        if (neighbors.deadline() <= now) {
            neighbors.onTimer(now);
        }
        outlet.flush();
        return receiver.packets();
    }

    private boolean hasLoopedBack() {
        return loopback[0] != null && loopback[0].count() > 0;
    }

    private void deliverLoopback() {
        HeldFrames full = loopback[0];
        loopback[0] = loopback[1];
        loopback[1] = full;
        for (int index = 0; index < full.count(); index++) {
            receiver.onFrame(full.memory(), full.view(), full.offset(index), full.length(index));
        }
        full.clear();
    }

    @Override
    public long nextEvent() {
        return hasLoopedBack() ? outlet.now() : neighbors.deadline();
    }

    @Override
    public boolean hasDuties() {
        return neighbors.isAsked();
    }

    @Override
    public void await(long nanos) {
        io.await(nanos);
    }

    @Override
    public void wakeup() {
        io.wakeup();
    }

    @Override
    public void tap(FrameTap tap) {
        outlet.tap(tap);
        receiver.tap(tap);
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        io.close();
        PortShield.release(shield);
    }
}
