package org.rdma4j.tools.conform.peer;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.KeyForm;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.tools.exchange.PerftestExchange;

/**
 * One run of a server of perftest with many queue pairs, connected to as many lines of ours. Each serves one check: a
 * queue pair that a check has ended is no loss.
 */
final class PerftestServer implements AutoCloseable {

    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;
    private static final int OUT_READS = 16;
    private static final long PATIENCE = 60_000_000_000L;
    private static final int RETRY_MILLIS = 100;

    /** A queue pair of the server's, and the line that it is connected to. */
    record Pair(Line line, KeyRecord keys, Program program) {}

    private final Program program;
    private final ExchangeChannel channel;
    private final Deque<Pair> free = new ArrayDeque<>();

    /** @param waits whether it waits for its client once more: a server of SENDs does, and one of latencies */
    PerftestServer(Program program, String host, int port, Wire wire, Variant variant, int pairs, boolean waits) {
        this.program = program;
        this.channel = connect(program, host, port);
        try {
            meet(wire, variant, pairs, waits);
        } catch (RuntimeException e) {
            closeOwn();
            throw e;
        }
    }

    private void meet(Wire wire, Variant variant, int pairs, boolean waits) {
        PerftestExchange exchange = new PerftestExchange(channel, true, KeyForm.TEXT);
        exchange.version();
        exchange.larger(PAGE, "its cycle buffer's size");
        exchange.larger(CACHE_LINE, "its cache line's size");
        exchange.mtu(variant.mtu());
        KeyRecord[] own = new KeyRecord[pairs];
        for (int index = 0; index < pairs; index++) {
            Line line = wire.open();
            own[index] = new KeyRecord(
                    0, OUT_READS, line.qpn(), variant.psn(), Requester.R_KEY, Requester.ADDRESS, wire.gid(), 0);
            KeyRecord theirs = exchange.keys(own[index]);
            line.connect(theirs.gid(), theirs.qpn());
            free.add(new Pair(line, theirs, program));
        }
        // Each barrier is answered when the server has come so far: behind the last one its queue pairs are ready.
        if (waits) {
            exchange.barrier(own[0]);
        }
        for (KeyRecord record : own) {
            exchange.barrier(record);
        }
        // A server of SENDs says its last one when its receives are posted; the others wait behind it for the end.
        exchange.barrier(own[0]);
    }

    private static ExchangeChannel connect(Program program, String host, int port) {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try {
                return ExchangeChannel.connect(host, port);
            } catch (ToolException e) {
                if (System.nanoTime() > end || !program.isAlive()) {
                    throw e;
                }
                sleep();
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return a queue pair that no check has had, {@code null} where none is left */
    Pair take() {
        return program.isAlive() ? free.poll() : null;
    }

    @Override
    public void close() {
        closeOwn();
        program.close();
    }

    /** The lines of those that no check has had, and the channel. */
    private void closeOwn() {
        free.forEach(pair -> pair.line().close());
        channel.close();
    }
}
