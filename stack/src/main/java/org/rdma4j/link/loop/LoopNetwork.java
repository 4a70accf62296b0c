package org.rdma4j.link.loop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;

/**
 * A network inside this process. Links join it with a GID and reach each other by it. What they exchange are whole RoCE
 * v2 frames with their ICRC, so taps and damage are as on a wire. Each link receives in the order in which it was sent
 * to; nothing here looks at a clock or draws lots, so one thread that polls its links in a fixed order gets the same run
 * each time. Links may be driven by different threads as well.
 */
public final class LoopNetwork {

    static final int UDP_PORT = LinkOptions.ROCE_V2_PORT;
    static final int INTERFACE_MTU = 9000;

    /** Bytes that a link holds for its owner if not told otherwise. */
    private static final int RECEIVE_BUFFER = 16 << 20;

    private final Map<Gid, LoopLink> links = new ConcurrentHashMap<>();
    private final Map<Gid, List<LoopLink>> groups = new ConcurrentHashMap<>();

    /** Joins with an IPv4 or IPv6 GID. */
    public Link join(Gid gid) {
        return join("loop:" + IpText.of(gid.toAddress()), gid, 0);
    }

    /**
     * Joins with an IPv4 or IPv6 GID.
     *
     * @param name what {@link Link#name()} is to be
     * @param receiveBuffer bytes of packets that wait for the link at most, 0 for the default; the network does not
     *     take what would go beyond
     * @throws LinkException where the GID has joined already
     */
    public Link join(String name, Gid gid, int receiveBuffer) {
        LoopLink link = new LoopLink(this, name, gid, receiveBuffer > 0 ? receiveBuffer : RECEIVE_BUFFER);
        if (links.putIfAbsent(gid, link) != null) {
            throw new LinkException(
                    LinkException.Kind.ADDRESS_IN_USE, name + ": another link of this process has " + gid);
        }
        return link;
    }

    void leave(LoopLink link) {
        links.remove(link.gids().getFirst(), link);
        groups.values().forEach(members -> members.remove(link));
    }

    void join(LoopLink link, Gid group) {
        groups.computeIfAbsent(group, any -> new CopyOnWriteArrayList<>()).add(link);
    }

    void leave(LoopLink link, Gid group) {
        groups.getOrDefault(group, List.of()).remove(link);
    }

    /** Where the frames to an address wait; {@code null} where no link has it. */
    LoopQueue queueOf(Gid remote) {
        LoopLink addressee = links.get(remote);
        return addressee == null ? null : addressee.queue();
    }

    /** Gives a frame to its addressee, or a copy to each; false where there is none, or where none has room. */
    boolean deliver(LoopFrame frame) {
        if (frame.route.remote().isMulticast()) {
            return deliverToGroup(frame);
        }
        LoopQueue queue = queueOf(frame.route.remote());
        return queue != null && queue.offer(frame);
    }

    private boolean deliverToGroup(LoopFrame frame) {
        boolean delivered = false;
        for (LoopLink member : groups.getOrDefault(frame.route.remote(), List.of())) {
            LoopFrame copy = frame.copy();
            if (member.queue().offer(copy)) {
                delivered = true;
            } else {
                copy.giveBack();
            }
        }
        if (delivered) {
            frame.giveBack();
        }
        return delivered;
    }
}
