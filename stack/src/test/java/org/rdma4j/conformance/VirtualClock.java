package org.rdma4j.conformance;

import java.util.function.LongSupplier;

/** Time that passes only when a test says so. Starts well above 0, so that a forgotten 0 is seen. */
final class VirtualClock implements LongSupplier {

    static final long START = 1_000_000_000_000L;

    private long now = START;

    @Override
    public long getAsLong() {
        return now;
    }

    void advance(long nanos) {
        now += nanos;
    }

    /** Milliseconds since the start, for messages. */
    double millis() {
        return (now - START) / 1e6;
    }
}
