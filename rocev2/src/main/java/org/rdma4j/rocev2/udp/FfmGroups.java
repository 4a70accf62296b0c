package org.rdma4j.rocev2.udp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.wire.Gid;

/**
 * The multicast groups that a link has joined. A socket that is bound to a host's address gets nothing that is sent to a
 * group, so each group has one of its own, bound to the group's address: what comes there was sent to that group. A
 * look at it costs a system call, so a device without groups pays for none.
 */
final class FfmGroups implements AutoCloseable {

    /** Bytes of packets that wait for one group. */
    private static final int RECEIVE_BUFFER = 1 << 20;

    private record Member(FfmSocket socket, FfmReceiver receiver) {}

    private final LibC libc;
    private final LocalAddress local;
    private final int port;
    private final boolean strictIcrc;
    private final LinkCounters counters;
    private final FrameShow show;
    private final FfmWaiter waiter;
    private final Map<Gid, Member> byGroup = new LinkedHashMap<>();
    private Member[] members = {};

    FfmGroups(
            LibC libc,
            LocalAddress local,
            int port,
            boolean strictIcrc,
            LinkCounters counters,
            FrameShow show,
            FfmWaiter waiter) {
        this.libc = libc;
        this.local = local;
        this.port = port;
        this.strictIcrc = strictIcrc;
        this.counters = counters;
        this.show = show;
        this.waiter = waiter;
    }

    void join(Gid group) {
        FfmSocket socket = FfmSocket.member(libc, local, group, port, RECEIVE_BUFFER);
        byGroup.put(group, new Member(socket, new FfmReceiver(libc, socket, group, port, strictIcrc, counters, show)));
        changed();
    }

    void leave(Gid group) {
        Member member = byGroup.remove(group);
        if (member != null) {
            changed();
            member.socket.close();
        }
    }

    private void changed() {
        members = byGroup.values().toArray(Member[]::new);
        waiter.watch(
                byGroup.values().stream().mapToInt(member -> member.socket.fd()).toArray());
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
