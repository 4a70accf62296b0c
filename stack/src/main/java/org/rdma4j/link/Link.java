package org.rdma4j.link;

import java.util.List;
import org.rdma4j.wire.Gid;

/**
 * Carries transport packets (BTH to pad) between this port and its peers, and nothing more: it makes and checks the
 * network headers and the ICRC, and knows no queue pair. One thread at a time drives a link; only {@link #wakeup()} may
 * come from another.
 */
public interface Link extends AutoCloseable {

    /** As the user spelled it: {@code roce2:10.0.0.1}. */
    String name();

    /** The GID table; index 0 is the address that packets are sent from. Never empty. */
    List<Gid> gids();

    /** What the GIDs of this link are made for. */
    default GidType gidType() {
        return GidType.ROCE_V2;
    }

    /** The largest path MTU that fits the interface: 256, 512, 1024, 2048 or 4096 bytes. */
    int maxPathMtu();

    /** The interface's own MTU in bytes, for messages to the user. */
    int interfaceMtu();

    /** False where the link can tell that its port carries nothing now. It may ask the operating system for that. */
    default boolean isUp() {
        return true;
    }

    /** Bytes that the receive buffer holds before packets are lost. Windows are cut to it. */
    int receiveBuffer();

    /**
     * Prepares the way to a peer.
     *
     * @throws LinkException where the peer cannot be reached from here, with the reason
     */
    Route route(RouteAttributes attributes);

    /**
     * Receives what is sent to a multicast group from now on, this host's own packets included.
     *
     * @throws LinkException where the link cannot
     */
    default void join(Gid group) {
        throw new LinkException(LinkException.Kind.UNSUPPORTED, name() + " has no multicast");
    }

    /** Ends {@link #join}. */
    default void leave(Gid group) {
        throw new LinkException(LinkException.Kind.UNSUPPORTED, name() + " has no multicast");
    }

    /** The sending side. */
    Transmitter transmitter();

    /**
     * Gives the handler what has arrived, without waiting: at most a few trains, so that the caller can answer in
     * between.
     *
     * @return packets taken from the network, damaged ones included; 0 when nothing is there
     */
    int poll(PacketHandler handler, long now);

    /** The time at which {@link #poll} or a flush has something to do of its own accord; {@link Long#MAX_VALUE}: never. */
    default long nextEvent() {
        return Long.MAX_VALUE;
    }

    /**
     * True where others wait for this link's answers whatever its user does: a port that has an address of its own is
     * asked for it by ARP, where otherwise the operating system would answer. Such a link is polled now and then even
     * while its user polls nothing.
     */
    default boolean hasDuties() {
        return false;
    }

    /** Waits until a packet may be there, {@link #wakeup()} is called, or the time is over. Returns early at will. */
    void await(long nanos);

    /** Ends {@link #await} from any thread. */
    void wakeup();

    /** Shows every frame to {@code tap} from now on; {@code null} ends it. */
    void tap(FrameTap tap);

    /** Counters since the link was opened. */
    LinkCounters counters();

    @Override
    void close();
}
