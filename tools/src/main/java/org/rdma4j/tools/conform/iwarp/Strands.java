package org.rdma4j.tools.conform.iwarp;

import java.net.InetSocketAddress;

/** Where the hand-played side's connections come from. */
public interface Strands {

    /**
     * Connects to a peer.
     *
     * @throws java.io.UncheckedIOException where nobody listens there
     */
    Strand call(InetSocketAddress peer);

    /** Takes one connection, at an address of this side's. */
    Door open();

    /** Where a peer may connect to. */
    interface Door extends AutoCloseable {

        InetSocketAddress address();

        /** The connection that has come; {@code null} where none has. */
        Strand poll();

        @Override
        void close();
    }
}
