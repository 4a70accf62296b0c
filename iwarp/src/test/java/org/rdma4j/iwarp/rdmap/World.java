package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.BooleanSupplier;
import org.rdma4j.iwarp.memory.Cut;
import org.rdma4j.iwarp.memory.Hub;
import org.rdma4j.iwarp.memory.MemoryNetwork;
import org.rdma4j.iwarp.mpa.MpaSettings;

/** Two nodes, a clock that stands still until it is moved, and a wire between them that is cut as the test wants it. */
final class World implements AutoCloseable {

    private static final int MOST_ROUNDS = 100_000;

    final Hub hub = new Hub();
    final Random random;
    final MemoryNetwork left;
    final MemoryNetwork right;
    final Node here;
    final Node there;
    long now = 1_000_000_000L;

    World(long seed) {
        random = new Random(seed);
        left = new MemoryNetwork(hub, "10.0.0.1");
        right = new MemoryNetwork(hub, "10.0.0.2");
        here = new Node(left, () -> now, random);
        there = new Node(right, () -> now, random);
    }

    World withCut(Cut cut) {
        left.withCut(cut);
        right.withCut(cut);
        return this;
    }

    /** Connects them. */
    World connect(MpaSettings asking, MpaSettings asked) {
        there.listen(asked);
        here.connect(there, asking);
        until(() -> here.events.contains("established") && there.events.contains("established"));
        return this;
    }

    World connect() {
        here.withQp();
        there.withQp();
        return connect(MpaSettings.defaults(), MpaSettings.defaults());
    }

    /** One look of both at the network. @return false where nothing was to be done */
    boolean step() {
        now += 1000;
        boolean worked = here.device.progress();
        worked |= there.device.progress();
        return worked;
    }

    /** Drives both until something is so. */
    void until(BooleanSupplier done) {
        for (int round = 0; !done.getAsBoolean(); round++) {
            assertTrue(
                    round < MOST_ROUNDS,
                    () -> "it does not come about: " + here.events + here.ends + there.events + there.ends);
            step();
        }
    }

    /** Drives both until there is nothing to be done. */
    void settle() {
        for (int round = 0; step(); round++) {
            assertTrue(round < MOST_ROUNDS, "it does not come to rest");
        }
    }

    /** Lets time pass. */
    void pass(long nanos) {
        now += nanos;
        settle();
    }

    @Override
    public void close() {
        here.close();
        there.close();
    }
}
