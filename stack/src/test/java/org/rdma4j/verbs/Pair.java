package org.rdma4j.verbs;

import java.time.Duration;
import java.util.Random;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.wire.Gid;

/** Two devices on a network in memory, in a time that stands still unless a test moves it, driven by hand. */
final class Pair implements AutoCloseable {

    private final LoopNetwork network = new LoopNetwork();
    final DeviceContext left = device(1);
    final DeviceContext right = device(2);
    private long now = 1_000_000;

    private DeviceContext device(int host) {
        Random random = new Random(host);
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withRandom(random::nextInt)
                        .withClock(() -> now));
    }

    long now() {
        return now;
    }

    /** Lets both do what they can do at this time. */
    void settle() {
        int idle = 0;
        while (idle < 3) {
            boolean worked = left.progress();
            worked |= right.progress();
            idle = worked ? 0 : idle + 1;
        }
    }

    /** Time passes, and both do what is due then. */
    void passes(Duration time) {
        now += time.toNanos();
        settle();
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }
}
