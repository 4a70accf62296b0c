package org.rdma4j.tools.conform.check;

import java.util.function.Supplier;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;

/**
 * A queue pair of the peer's, connected to a line of ours.
 *
 * @param firstPsn of our requests
 * @param peerPsn of the peer's
 * @param address of the peer's memory; 0 where it has not told
 * @param size bytes there
 * @param inside the peer's own objects; {@code null} where it is another program
 * @param timeout the code of the peer's local ACK timeout
 * @param failure asks for the completion status that the peer's program failed with; {@code null} where it did not (yet)
 */
public record Connection(
        Line line,
        Pace pace,
        Timing timing,
        int mtu,
        int firstPsn,
        int peerPsn,
        int peerQpn,
        long address,
        int rKey,
        int size,
        int timeout,
        Inside inside,
        Supplier<String> failure,
        Runnable end)
        implements AutoCloseable {

    @Override
    public void close() {
        line.close();
        end.run();
    }
}
