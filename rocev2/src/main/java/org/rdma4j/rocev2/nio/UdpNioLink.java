package org.rdma4j.rocev2.nio;

import java.util.List;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.rocev2.udp.FrameShow;
import org.rdma4j.rocev2.udp.LocalAddress;
import org.rdma4j.rocev2.udp.UdpGroups;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * RoCE v2 over a UDP channel of {@code java.nio}: for operating systems other than Linux, and where native access is not
 * to be granted. On the wire it is the same as the link by system calls. What it cannot do:
 *
 * <ul>
 *   <li>No trains (UDP_SEGMENT, UDP_GRO): a call a packet each way, and every payload is copied on the way out. Expect
 *       a fraction of the other link's speed.
 *   <li>It does not see DSCP, ECN and TTL of what it receives: {@code PacketInfo} has 0 there, and no congestion is ever
 *       noticed. DSCP and ECN of what it sends are set, a route's hop limit is not.
 *   <li>Over IPv6 it receives no datagram without a UDP checksum, and RoCE hardware and Linux rxe send none with one: it
 *       is for peers of its own kind there. Over IPv4 all is well.
 *   <li>Receive buffers stay within the system's limit for ordinary users, whoever runs it.
 *   <li>On systems other than Linux it is not known which IPv4 identification they send. Peers that check all of the
 *       ICRC, hardware and rxe, take IPv4 packets only where it is 0; rdma4j's UDP links take any.
 * </ul>
 */
public final class UdpNioLink implements Link {

    /** What Linux and macOS send; a channel does not tell. Only taps are told it. */
    private static final int HOP_LIMIT = 64;

    private final LinkCounters counters = new LinkCounters();
    private final LocalAddress local;
    private final int port;
    private final NioSocket socket;
    private final NioSourcePorts sourcePorts;
    private final FrameShow show;
    private final NioTransmitter transmitter;
    private final NioReceiver receiver;
    private final NioWaiter waiter;
    private final UdpGroups<NioMember> groups;

    private UdpNioLink(LocalAddress local, LinkOptions options) {
        this.local = local;
        this.port = options.udpPort();
        this.socket = NioSocket.receiving(local, port, options.receiveBuffer());
        this.sourcePorts = new NioSourcePorts(local);
        this.show = new FrameShow(local.gid(), port, HOP_LIMIT);
        this.transmitter = new NioTransmitter(local.isIpv4(), counters, show);
        this.receiver = new NioReceiver(socket, local.gid(), port, options.strictIcrc(), counters, show);
        this.waiter = new NioWaiter(socket.channel());
        // A channel leaves the waiter when it is closed.
        this.groups = new UdpGroups<>(group -> member(group, options.strictIcrc()), _ -> {});
    }

    private NioMember member(Gid group, boolean strictIcrc) {
        NioSocket own = NioSocket.member(local, group, port, UdpGroups.RECEIVE_BUFFER);
        waiter.watch(own.channel());
        return new NioMember(own, new NioReceiver(own, group, port, strictIcrc, counters, show));
    }

    /**
     * @param host an address of this host, or a name of one
     * @throws org.rdma4j.link.LinkException where the address is not here or taken
     */
    public static UdpNioLink open(String host, LinkOptions options) {
        return new UdpNioLink(LocalAddress.of(host), options);
    }

    @Override
    public String name() {
        return "roce2:" + IpText.of(local.address());
    }

    @Override
    public List<Gid> gids() {
        return List.of(local.gid());
    }

    @Override
    public int maxPathMtu() {
        return local.maxPathMtu();
    }

    @Override
    public int interfaceMtu() {
        return local.interfaceMtu();
    }

    @Override
    public boolean isUp() {
        return local.isUp();
    }

    @Override
    public int receiveBuffer() {
        return socket.receiveBuffer();
    }

    @Override
    public Route route(RouteAttributes wanted) {
        local.requireSameFamily(wanted.remote());
        NioSocket.requireRoute(local, wanted.remote(), port);
        // The hop limit is the system's: a channel cannot set it.
        RouteAttributes attributes =
                new RouteAttributes(wanted.remote(), wanted.udpSourcePort(), wanted.trafficClass(), 0);
        int sourcePort = wanted.udpSourcePort();
        NioSocket from = sourcePort == 0 || sourcePort == port ? null : sourcePorts.get(sourcePort);
        return new NioRoute(
                attributes,
                local.gid(),
                from == null ? port : sourcePort,
                port,
                from == null ? socket : from,
                NioSocket.address(wanted.remote(), port, local.scope()));
    }

    @Override
    public void join(Gid group) {
        local.requireSameFamily(group);
        groups.join(group);
    }

    @Override
    public void leave(Gid group) {
        groups.leave(group);
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        transmitter.now(now);
        return receiver.poll(handler, now) + groups.poll(handler, now);
    }

    @Override
    public void await(long nanos) {
        waiter.await(nanos);
    }

    @Override
    public void wakeup() {
        waiter.wakeup();
    }

    @Override
    public void tap(FrameTap tap) {
        show.tap(tap);
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        waiter.close();
        groups.close();
        sourcePorts.close();
        socket.close();
    }
}
