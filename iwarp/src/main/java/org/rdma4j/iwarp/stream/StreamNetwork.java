package org.rdma4j.iwarp.stream;

import java.net.InetSocketAddress;
import java.util.function.Function;
import org.rdma4j.link.Port;

/** Where connections come from: the operating system's TCP, or a network in memory. One thread at a time drives it. */
public interface StreamNetwork extends Port {

    /**
     * Asks for a connection. The handler hears of its end, {@link StreamHandler#connected} or
     * {@link StreamHandler#broken}, never before this call returns.
     *
     * @param local where it comes from; {@code null} for the port's own address and a port of its choice
     * @throws StreamException where it cannot even be tried
     */
    StreamSocket connect(InetSocketAddress local, InetSocketAddress remote, StreamHandler handler);

    /**
     * Takes connections at an address.
     *
     * @param local port 0 for one that is free
     * @param backlog connections that may wait to be taken
     * @param accept makes the handler of each
     * @throws StreamException where the address is taken or not this host's
     */
    StreamListener listen(InetSocketAddress local, int backlog, Function<StreamSocket, StreamHandler> accept);

    /** Tells handlers what has happened, without waiting. @return false where nothing has */
    boolean poll(long now);
}
