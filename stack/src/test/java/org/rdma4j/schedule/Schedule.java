package org.rdma4j.schedule;

import java.util.Random;
import org.rdma4j.link.fault.Faults;

/**
 * One random world: how bad the network is, how the two ends are configured, what they do. Everything follows from the
 * seed, so a seed is a whole test case.
 */
record Schedule(
        long seed,
        Faults faults,
        int pathMtu,
        int firstPsn,
        int operations,
        int sendDepth,
        int receiveDepth,
        int maxRdAtomic,
        int timeout,
        int rnrTimer,
        double pause,
        double eagerness) {

    private static final int[] MTUS = {256, 512, 1024, 2048, 4096};

    static Schedule of(long seed) {
        Random random = new Random(seed);
        Faults faults = Faults.NONE
                .withLoss(sometimes(random, 0.08))
                .withReorder(sometimes(random, 0.15))
                .withDuplicate(sometimes(random, 0.15))
                .withCorrupt(sometimes(random, 0.05));
        if (random.nextInt(3) == 0) {
            faults = faults.withDelay(random.nextInt(50_000), random.nextInt(50_000));
        }
        boolean nearWrap = random.nextBoolean();
        return new Schedule(
                seed,
                faults,
                MTUS[random.nextInt(MTUS.length)],
                nearWrap ? 0xFF_FFFF - random.nextInt(40) : random.nextInt(1 << 24),
                4 + random.nextInt(20),
                1 + random.nextInt(16),
                1 + random.nextInt(8),
                1 + random.nextInt(4),
                8 + random.nextInt(6),
                1 + random.nextInt(14),
                random.nextDouble() * 0.5,
                random.nextDouble());
    }

    private static double sometimes(Random random, double most) {
        return random.nextBoolean() ? 0 : random.nextDouble() * most;
    }

    boolean isHostile() {
        return faults.loss() + faults.reorder() + faults.duplicate() + faults.corrupt() > 0;
    }
}
