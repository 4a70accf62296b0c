package org.rdma4j.tools.perf;

import org.HdrHistogram.Histogram;

/**
 * The latencies of one size: a READ's or an atomic's whole, of SENDs and WRITEs, which are answered by another, half the
 * round trip.
 *
 * @param size bytes a message
 * @param iterations round trips
 * @param roundTrips nanoseconds each; empty where only the time of all was taken
 * @param seconds the time of all, where a duration was run; else 0
 * @param waysPerRoundTrip 1 or 2
 */
record LatencyFigures(int size, long iterations, Histogram roundTrips, double seconds, int waysPerRoundTrip) {

    /** Longer than any test waits for one message; values are kept to a thousandth. */
    static Histogram newHistogram() {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        return histogram;
    }

    boolean isTimed() {
        return seconds > 0;
    }

    private double micros(double nanos) {
        return nanos / 1e3 / waysPerRoundTrip;
    }

    double min() {
        return micros((double) roundTrips.getMinValue());
    }

    double max() {
        return micros((double) roundTrips.getMaxValue());
    }

    double typical() {
        return percentile(50);
    }

    double percentile(double percent) {
        return micros((double) roundTrips.getValueAtPercentile(percent));
    }

    double average() {
        return isTimed() ? micros(seconds * 1e9 / Math.max(1, iterations)) : micros(roundTrips.getMean());
    }

    double deviation() {
        return micros(roundTrips.getStdDeviation());
    }

    /** Round trips a second, where a duration was run. */
    double perSecond() {
        return iterations / seconds;
    }
}
