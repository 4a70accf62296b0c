package org.rdma4j.link;

import org.rdma4j.wire.Gid;

/**
 * Carries transport packets (BTH to pad) between this port and its peers, and nothing more: it makes and checks the
 * network headers and the ICRC, and knows no queue pair. One thread at a time drives a link; only {@link #wakeup()} may
 * come from another.
 */
public interface Link extends Port {

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
}
