package org.rdma4j.tools.perf;

/**
 * perftest's {@code --rate_limit} in software: messages leave in bursts, and a burst not before the rate allows it. Where
 * nobody acknowledges, nothing else keeps a sender from running over its receiver.
 *
 * @param rate how much a second
 * @param unit of what
 * @param burst messages that may leave at once
 */
record RateLimit(double rate, Unit unit, int burst) {

    /** What is counted. */
    enum Unit {
        GBIT,
        MIB,
        MESSAGES
    }

    private static final double BYTES_PER_GBIT = 1e9 / 8;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS = 1e9;

    /** Messages of a size that may have left so many nanoseconds after the first one. */
    long allowed(int size, long nanos) {
        double perSecond = switch (unit) {
            case GBIT -> rate * BYTES_PER_GBIT / size;
            case MIB -> rate * BYTES_PER_MIB / size;
            case MESSAGES -> rate;
        };
        long bursts = (long) (perSecond * nanos / NANOS / burst);
        return (bursts + 1) * burst;
    }
}
