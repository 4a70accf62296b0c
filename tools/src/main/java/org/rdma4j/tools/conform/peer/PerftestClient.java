package org.rdma4j.tools.conform.peer;

import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Line;
import org.rdma4j.tools.conform.craft.Wire;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.ExchangeListener;
import org.rdma4j.tools.exchange.KeyForm;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.tools.exchange.PerftestExchange;

/** One run of a client of perftest whose server is played here. */
final class PerftestClient implements AutoCloseable {

    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;
    private static final int OUT_READS = 16;

    private final Program program;
    private final ExchangeChannel channel;
    private final KeyRecord keys;

    /** Returns when the client is about to send. */
    PerftestClient(Program program, ExchangeListener listener, Wire wire, Line line, Work work, Variant variant) {
        this.program = program;
        this.channel = listener.accept();
        try {
            keys = meet(wire, line, work, variant);
        } catch (RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private KeyRecord meet(Wire wire, Line line, Work work, Variant variant) {
        PerftestExchange exchange = new PerftestExchange(channel, false, KeyForm.TEXT);
        exchange.version();
        exchange.larger(PAGE, "its cycle buffer's size");
        exchange.larger(CACHE_LINE, "its cache line's size");
        exchange.mtu(variant.mtu());
        KeyRecord own = new KeyRecord(
                0, OUT_READS, line.qpn(), variant.psn(), Requester.R_KEY, Requester.ADDRESS, wire.gid(), 0);
        KeyRecord theirs = exchange.keys(own);
        line.connect(theirs.gid(), theirs.qpn());
        exchange.barrier(own);
        exchange.barrier(own);
        if (work.op() == Work.Op.SEND) {
            exchange.barrier(own);
        }
        return theirs;
    }

    KeyRecord keys() {
        return keys;
    }

    /** The status of the completion that the program failed with; {@code null} where it has not said so. */
    String failure() {
        return program.failure();
    }

    @Override
    public void close() {
        channel.close();
        program.close();
    }
}
