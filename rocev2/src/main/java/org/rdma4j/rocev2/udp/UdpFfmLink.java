package org.rdma4j.rocev2.udp;

import java.util.List;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SyscallSupport;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/** RoCE v2 over a UDP socket, by Linux system calls: trains in one call each way, payloads gathered where they lie. */
public final class UdpFfmLink implements Link {

    private final LibC libc = new LibC();
    private final LinkCounters counters = new LinkCounters();
    private final LocalAddress local;
    private final int port;
    private final FfmSocket socket;
    private final FfmSourcePorts sourcePorts;
    private final FrameShow show;
    private final FfmTransmitter transmitter;
    private final FfmReceiver receiver;
    private final FfmWaiter waiter;
    private final UdpGroups<FfmMember> groups;

    private UdpFfmLink(LocalAddress local, LinkOptions options) {
        this.local = local;
        this.port = options.udpPort();
        this.socket = FfmSocket.receiving(libc, local, port, options.receiveBuffer());
        this.sourcePorts = new FfmSourcePorts(libc, local);
        this.show = new FrameShow(local.gid(), port, socket.hopLimit());
        this.transmitter = new FfmTransmitter(libc, local.isIpv4(), local.scope(), socket.hopLimit(), counters, show);
        this.receiver = new FfmReceiver(libc, socket, local.gid(), port, options.strictIcrc(), counters, show);
        this.waiter = new FfmWaiter(libc, socket.fd());
        this.groups = new UdpGroups<>(
                group -> member(group, options.strictIcrc()),
                members -> waiter.watch(members.stream()
                        .mapToInt(member -> member.socket().fd())
                        .toArray()));
    }

    private FfmMember member(Gid group, boolean strictIcrc) {
        FfmSocket own = FfmSocket.member(libc, local, group, port, UdpGroups.RECEIVE_BUFFER);
        return new FfmMember(own, new FfmReceiver(libc, own, group, port, strictIcrc, counters, show));
    }

    /**
     * @param host an address of this host, or a name of one
     * @throws LinkException where the address is not here or taken, or where this is no Linux
     */
    public static UdpFfmLink open(String host, LinkOptions options) {
        String reason = SyscallSupport.unsupportedReason();
        if (reason != null) {
            throw new LinkException(LinkException.Kind.UNSUPPORTED, "roce2 by system calls: " + reason);
        }
        return new UdpFfmLink(LocalAddress.of(host), options);
    }

    /** The addresses of this host that a link can be opened on; on Linux all of 127.0.0.0/8 works besides. */
    public static List<String> localAddresses() {
        return LocalAddress.all();
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
    public Route route(RouteAttributes attributes) {
        local.requireSameFamily(attributes.remote());
        FfmSocket.requireRoute(libc, local, attributes.remote(), port);
        int wanted = attributes.udpSourcePort();
        FfmSocket from = wanted == 0 || wanted == port ? null : sourcePorts.get(wanted);
        return from == null
                ? new FfmRoute(attributes, local.gid(), port, port, socket.fd())
                : new FfmRoute(attributes, local.gid(), wanted, port, from.fd());
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
