package org.rdma4j.tools.conform.mutant;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.rdma4j.tools.conform.craft.Pace;

/** Time that passes only while somebody waits: everyone works until nobody has anything to do, then the clock moves. */
public final class VirtualPace implements Pace {

    private static final long SHORTEST_STEP = 1_000;
    private static final long LONGEST_STEP = 250_000;
    private static final int STEPS = 100;

    private final List<BooleanSupplier> workers = new ArrayList<>();
    private long now = 1_000_000_000L;

    public void drives(BooleanSupplier worker) {
        workers.add(worker);
    }

    @Override
    public boolean isVirtual() {
        return true;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public <T> T await(Supplier<T> ready, long nanos) {
        long end = now + nanos;
        long step = Math.clamp(nanos / STEPS, SHORTEST_STEP, LONGEST_STEP);
        int idle = 0;
        while (true) {
            T found = ready.get();
            if (found != null) {
                return found;
            }
            boolean worked = false;
            for (BooleanSupplier worker : workers) {
                worked |= worker.getAsBoolean();
            }
            idle = worked ? 0 : idle + 1;
            if (idle >= 2) {
                if (now >= end) {
                    return null;
                }
                now = Math.min(end, now + step);
                idle = 0;
            }
        }
    }
}
