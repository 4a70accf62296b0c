package org.rdma4j.tools.conform.craft;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** How time passes for those who wait: by the system's clock, or by one that a test moves. */
public interface Pace {

    long now();

    /**
     * Waits until {@code ready} gives something.
     *
     * @return what it gave, or {@code null} when so many nanoseconds were over
     */
    <T> T await(Supplier<T> ready, long nanos);

    /** Lets time pass. */
    default void pass(long nanos) {
        await(() -> null, nanos);
    }

    /** The same, with somebody who does what is to be done whenever it is waited. */
    default Pace attending(Runnable turn) {
        Pace pace = this;
        return new Pace() {
            @Override
            public long now() {
                return pace.now();
            }

            @Override
            public <T> T await(Supplier<T> ready, long nanos) {
                return pace.await(
                        () -> {
                            turn.run();
                            return ready.get();
                        },
                        nanos);
            }

            @Override
            public boolean isVirtual() {
                return pace.isVirtual();
            }
        };
    }

    /** True where nothing but the check itself takes time: a limit may be tight. */
    default boolean isVirtual() {
        return false;
    }

    /** The system's clock; others do the work meanwhile. */
    Pace REAL = new Pace() {

        private static final long LOOK_NANOS = 100_000;

        @Override
        public long now() {
            return System.nanoTime();
        }

        @Override
        public <T> T await(Supplier<T> ready, long nanos) {
            long end = System.nanoTime() + nanos;
            T found = ready.get();
            while (found == null && System.nanoTime() < end) {
                LockSupport.parkNanos(LOOK_NANOS);
                found = ready.get();
            }
            return found;
        }
    };
}
