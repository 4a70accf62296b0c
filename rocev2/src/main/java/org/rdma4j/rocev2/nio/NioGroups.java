package org.rdma4j.rocev2.nio;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.rocev2.udp.FrameShow;
import org.rdma4j.rocev2.udp.LocalAddress;
import org.rdma4j.wire.Gid;

/** The multicast groups that a link has joined: a channel for each, bound to the group's address. */
final class NioGroups implements AutoCloseable {

    /** Bytes of packets that wait for one group. */
    private static final int RECEIVE_BUFFER = 1 << 20;

    private record Member(NioSocket socket, NioReceiver receiver) {}

    private final LocalAddress local;
    private final int port;
    private final boolean strictIcrc;
    private final LinkCounters counters;
    private final FrameShow show;
    private final NioWaiter waiter;
    private final Map<Gid, Member> byGroup = new LinkedHashMap<>();
    private Member[] members = {};

    NioGroups(
            LocalAddress local, int port, boolean strictIcrc, LinkCounters counters, FrameShow show, NioWaiter waiter) {
        this.local = local;
        this.port = port;
        this.strictIcrc = strictIcrc;
        this.counters = counters;
        this.show = show;
        this.waiter = waiter;
    }

    void join(Gid group) {
        NioSocket socket = NioSocket.member(local, group, port, RECEIVE_BUFFER);
        waiter.watch(socket.channel());
        NioReceiver receiver = new NioReceiver(socket, group, port, strictIcrc, counters, show);
        byGroup.put(group, new Member(socket, receiver));
        members = byGroup.values().toArray(Member[]::new);
    }

    void leave(Gid group) {
        Member member = byGroup.remove(group);
        if (member != null) {
            members = byGroup.values().toArray(Member[]::new);
            member.socket.close();
        }
    }

    int poll(PacketHandler handler, long now) {
        int packets = 0;
        for (Member member : members) {
            packets += member.receiver.poll(handler, now);
        }
        return packets;
    }

    @Override
    public void close() {
        byGroup.values().forEach(member -> member.socket.close());
        byGroup.clear();
        members = new Member[0];
    }
}
