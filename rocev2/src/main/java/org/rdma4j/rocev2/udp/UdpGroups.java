package org.rdma4j.rocev2.udp;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.wire.Gid;

/**
 * The multicast groups that a link has joined. A socket that is bound to a host's address gets nothing that is sent to a
 * group, so each group has one of its own, bound to the group's address: what comes there was sent to that group. A
 * look at it costs a system call, so a device without groups pays for none.
 *
 * @param <M> how the link's kind of sockets receives
 */
public final class UdpGroups<M extends UdpGroups.Member> implements AutoCloseable {

    /** Bytes of packets that wait for one group. */
    public static final int RECEIVE_BUFFER = 1 << 20;

    /** A socket of one group. */
    public interface Member extends AutoCloseable {

        int poll(PacketHandler handler, long now);

        @Override
        void close();
    }

    private final Function<Gid, M> open;
    private final Consumer<Collection<M>> changed;
    private final Map<Gid, M> byGroup = new LinkedHashMap<>();
    private List<M> members = List.of();

    /**
     * @param open opens the socket of a group
     * @param changed is given all sockets whenever there is another one, or one less: before that one is closed
     */
    public UdpGroups(Function<Gid, M> open, Consumer<Collection<M>> changed) {
        this.open = open;
        this.changed = changed;
    }

    public void join(Gid group) {
        byGroup.put(group, open.apply(group));
        tell();
    }

    public void leave(Gid group) {
        M member = byGroup.remove(group);
        if (member != null) {
            tell();
            member.close();
        }
    }

    private void tell() {
        members = new ArrayList<>(byGroup.values());
        changed.accept(members);
    }

    public int poll(PacketHandler handler, long now) {
        int packets = 0;
        // Without an iterator: this is on each look at the network.
        for (int index = 0; index < members.size(); index++) {
            packets += members.get(index).poll(handler, now);
        }
        return packets;
    }

    @Override
    public void close() {
        byGroup.values().forEach(Member::close);
        byGroup.clear();
        members = List.of();
    }
}
