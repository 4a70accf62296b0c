package org.rdma4j.tools.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** One row of the table: the raw limit and what rdma4j does, taken one after the other in each round. */
final class Measure {

    /** What the figures are. */
    enum Kind {
        BANDWIDTH("GB/s", 1e9),
        RATE("M/s", 1e6),
        LATENCY("us", 1e3),
        MEMORY("bytes", 1),
        PROCESS_MEMORY("MB", 1 << 20);

        final String unit;
        final double scale;

        Kind(String unit, double scale) {
            this.unit = unit;
            this.scale = scale;
        }

        /** True where a smaller figure is the better one. */
        boolean lessIsBetter() {
            return this == LATENCY || this == MEMORY || this == PROCESS_MEMORY;
        }
    }

    /**
     * One figure of ours.
     *
     * @param value in base units: bytes or operations a second, ns, bytes
     * @param heapPerOperation bytes of heap that the measuring thread allocated an operation; NaN where not measured
     */
    record Sample(double value, double heapPerOperation) {}

    final String name;
    final Kind kind;
    final double must;
    final double aim;
    private final DoubleSupplier raw;
    private final Supplier<Sample> ours;
    private final List<Double> rawValues = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();

    /**
     * @param must the ratio of ours to raw that must be reached
     * @param aim the ratio that is aimed at
     */
    Measure(String name, Kind kind, DoubleSupplier raw, Supplier<Sample> ours, double must, double aim) {
        this.name = name;
        this.kind = kind;
        this.raw = raw;
        this.ours = ours;
        this.must = must;
        this.aim = aim;
    }

    /** Lets the JVM compile what is measured, in both processes. */
    void warmUp() {
        Sample _ = ours.get();
    }

    /** One round. */
    void take() {
        rawValues.add(raw.getAsDouble());
        samples.add(ours.get());
    }

    double rawMedian() {
        return median(rawValues.stream().mapToDouble(Double::doubleValue).toArray());
    }

    double oursMedian() {
        return median(samples.stream().mapToDouble(Sample::value).toArray());
    }

    /** The median over the rounds of each round's own ratio. */
    double ratio() {
        double[] ratios = new double[samples.size()];
        Arrays.setAll(ratios, round -> samples.get(round).value() / rawValues.get(round));
        return median(ratios);
    }

    double heapPerOperation() {
        return median(samples.stream().mapToDouble(Sample::heapPerOperation).toArray());
    }

    boolean reached(double wanted) {
        return kind.lessIsBetter() ? ratio() <= wanted : ratio() >= wanted;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
