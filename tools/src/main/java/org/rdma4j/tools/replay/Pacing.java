package org.rdma4j.tools.replay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** When things are done that a capture did at other times: as far apart as there, so many times faster, or at once. */
final class Pacing {

    /** At once. */
    static final double TOP_SPEED = Double.POSITIVE_INFINITY;

    /** What a sleeping thread may come late by; the rest is waited out awake. */
    private static final long SLEEPS_BADLY = TimeUnit.MICROSECONDS.toNanos(150);

    private final double factor;
    private boolean started;
    private long firstCaptured;
    private long start;

    /** @param factor how much faster than in the capture; {@link #TOP_SPEED} */
    Pacing(double factor) {
        this.factor = factor;
    }

    /** @return when this is due, on the capture's clock, which goes on from the first of these */
    long due(long captured) {
        if (!started) {
            started = true;
            firstCaptured = captured;
            start = System.nanoTime();
        }
        return firstCaptured + (long) ((captured - firstCaptured) / factor);
    }

    /** As {@link #await}; what is late already moves all that follows, so that pauses are as long as they were. */
    void awaitAfterPause(long captured) {
        long due = due(captured) - firstCaptured;
        long behind = System.nanoTime() - start - due;
        if (behind > 0) {
            start += behind;
        }
        await(captured);
    }

    /** Waits until something is due that was captured then. */
    void await(long captured) {
        long due = due(captured) - firstCaptured;
        for (long left = due - (System.nanoTime() - start); left > 0; left = due - (System.nanoTime() - start)) {
            if (left > SLEEPS_BADLY) {
                LockSupport.parkNanos(left - SLEEPS_BADLY);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
