package org.rdma4j.tools.perf;

/** The time of a test with a duration, and the part of it that is measured. It starts by the first message. */
final class Span {

    private static final double NANOS = 1e9;

    private final long length;
    private final long margin;
    private long start;
    private boolean started;

    Span(Plan plan) {
        length = (long) (plan.seconds() * NANOS);
        margin = (long) (plan.margin() * NANOS);
    }

    void start(long now) {
        if (!started) {
            started = true;
            start = now;
        }
    }

    boolean isOver(long now) {
        return started && now - start >= length;
    }

    boolean isMeasured(long now) {
        return started && now - start >= margin && now - start < length - margin;
    }

    double measuredSeconds() {
        return (length - 2 * margin) / NANOS;
    }
}
