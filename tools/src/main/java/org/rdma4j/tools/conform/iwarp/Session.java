package org.rdma4j.tools.conform.iwarp;

import org.rdma4j.tools.conform.check.Timing;
import org.rdma4j.tools.conform.craft.Pace;

/**
 * A TCP connection with the peer, and what there is at its other end.
 *
 * @param isAsked the peer has asked for the connection
 * @param application what runs on it there
 * @param inside the peer's own objects; {@code null} where it is another program
 */
public record Session(
        Strand strand,
        boolean isAsked,
        Pace pace,
        Timing timing,
        Application application,
        IwarpInside inside,
        Runnable end)
        implements AutoCloseable {

    @Override
    public void close() {
        strand.close();
        end.run();
    }
}
