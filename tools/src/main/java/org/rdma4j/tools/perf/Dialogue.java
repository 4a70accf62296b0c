package org.rdma4j.tools.perf;

import org.rdma4j.tools.exchange.BandwidthFigures;
import org.rdma4j.tools.exchange.Conversation;
import org.rdma4j.tools.exchange.ExchangeChannel;
import org.rdma4j.tools.exchange.KeyForm;
import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.tools.exchange.PerftestExchange;

/** What the two ends of a test say to each other; the tests decide when. */
final class Dialogue {

    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;

    private final PerftestExchange exchange;
    private KeyRecord[] own;

    Dialogue(ExchangeChannel channel, boolean client) {
        this.exchange = new PerftestExchange(channel, client, KeyForm.TEXT);
    }

    /** A dialogue over rdma_cm. */
    Dialogue(CmConversation channel, boolean client) {
        this.exchange = new PerftestExchange(channel, client, KeyForm.BINARY);
    }

    /** Over rdma_cm, around the making of the test's connections. */
    void pause() {
        exchange.pause();
    }

    /**
     * What both ends agreed on.
     *
     * @param cycleBuffer bytes that small messages are written to in turn
     * @param cacheLine their addresses are multiples of it
     * @param mtu path MTU, bytes
     */
    record Terms(int cycleBuffer, int cacheLine, int mtu) {}

    Conversation channel() {
        return exchange.channel();
    }

    boolean isClient() {
        return exchange.isClient();
    }

    /** @param mtu the path MTU that this end would take */
    Terms agree(int mtu) {
        exchange.version();
        int cycle = exchange.larger(PAGE, "its cycle buffer's size");
        int line = exchange.larger(CACHE_LINE, "its cache line's size");
        return new Terms(cycle, line, Math.min(mtu, exchange.mtu(mtu)));
    }

    /** Tells of this end's queue pairs. @return the peer's, in the same order */
    KeyRecord[] introduce(KeyRecord[] queuePairs) {
        own = queuePairs;
        KeyRecord[] peer = new KeyRecord[own.length];
        for (int index = 0; index < own.length; index++) {
            peer[index] = exchange.keys(own[index]);
        }
        return peer;
    }

    /** Both ends wait for each other: the records once more. */
    void barrierOfAll() {
        for (KeyRecord record : own) {
            exchange.barrier(record);
        }
    }

    /** Both ends wait for each other: the first queue pair's record once more. */
    void barrier() {
        exchange.barrier(own[0]);
    }

    /** @return the peer's figures; where only the client measures, only the client's mean something */
    BandwidthFigures figures(BandwidthFigures mine) {
        return exchange.figures(mine);
    }

    void done() {
        exchange.done();
    }
}
