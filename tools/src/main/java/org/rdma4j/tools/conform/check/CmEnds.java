package org.rdma4j.tools.conform.check;

import java.util.function.Supplier;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Pace;
import org.rdma4j.wire.Gid;

/**
 * A program of the peer's, and the way to its connection manager.
 *
 * @param line for the check's packets; where the program asks, its requests come here
 * @param lines more of them
 * @param peer its port
 * @param port of the port space: the program's where it listens, else ours
 * @param heard what the program is told
 * @param end ends the program
 */
public record CmEnds(
        Line line, Supplier<Line> lines, Pace pace, Timing timing, Gid peer, int port, Heard heard, Runnable end)
        implements AutoCloseable {

    /** The same for a second story at the same program. */
    CmEnds another() {
        return new CmEnds(lines.get(), lines, pace, timing, peer, port, heard, () -> {});
    }

    @Override
    public void close() {
        line.close();
        end.run();
    }
}
