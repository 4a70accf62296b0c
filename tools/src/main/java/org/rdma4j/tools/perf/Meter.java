package org.rdma4j.tools.perf;

import org.rdma4j.tools.exchange.BandwidthFigures;

/** Counts the messages of one way and times them. */
final class Meter {

    private static final double MIB = 1 << 20;
    private static final double GBIT = 1e9 / 8;

    private final Plan plan;
    private final int size;
    private final Span span;
    private final long[] postedAt;
    private final long[] completedAt;
    private int posted;
    private long completed;
    private long measured;
    private long first;
    private long last;

    /** @param peak whether the best stretch is looked for: only an end that posts knows when a message began */
    Meter(Plan plan, int size, Span span, boolean peak) {
        this.plan = plan;
        this.size = size;
        this.span = span;
        int kept = peak ? plan.iterations() * plan.queuePairs() : 0;
        postedAt = new long[kept];
        completedAt = new long[kept];
    }

    void posted(long now) {
        if (first == 0) {
            first = now;
        }
        if (posted < postedAt.length) {
            postedAt[posted++] = now;
        }
    }

    void completed(long now, int count) {
        completed += count;
        last = now;
        if (completed <= completedAt.length) {
            completedAt[(int) completed - 1] = now;
        }
        if (plan.isTimed() && span.isMeasured(now)) {
            measured += count;
        }
    }

    long completed() {
        return completed;
    }

    BandwidthFigures figures() {
        double rate = plan.isTimed() ? measured / span.measuredSeconds() : completed * 1e9 / (last - first);
        double unit = plan.gbits() ? GBIT : MIB;
        return new BandwidthFigures(
                size, plan.isTimed() ? measured : completed, bestRate() * size / unit, rate * size / unit, rate / 1e6);
    }

    /** The best stretch from any post to any completion, in messages a second; 0 where it was not looked for. */
    private double bestRate() {
        double least = Double.MAX_VALUE;
        for (int from = 0; from < posted; from += plan.cqMod()) {
            for (int to = from; to < completed; to++) {
                if (completedAt[to] != 0) {
                    least = Math.min(least, (double) (completedAt[to] - postedAt[from]) / (to - from + 1));
                }
            }
        }
        return least == Double.MAX_VALUE ? 0 : 1e9 / least;
    }
}
