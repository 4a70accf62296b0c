package org.rdma4j.analysis;

import java.util.Locale;

/** How a quantity is spread: its least, mean and largest value, and percentiles to within an eighth. */
public final class Spread {

    private static final int PARTS = 8;
    private static final int PART_BITS = 3;

    private final int[] buckets = new int[PARTS * (Long.SIZE - PART_BITS)];
    private long count;
    private long sum;
    private long least = Long.MAX_VALUE;
    private long largest;

    Spread() {}

    void add(long value) {
        long positive = Math.max(0, value);
        buckets[bucket(positive)]++;
        count++;
        sum += positive;
        least = Math.min(least, positive);
        largest = Math.max(largest, positive);
    }

    /** Each power of two in eight parts; below eight each number has its own. */
    private static int bucket(long value) {
        if (value < PARTS) {
            return (int) value;
        }
        int high = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return (high - PART_BITS + 1) * PARTS + (int) (value >>> high - PART_BITS & PARTS - 1);
    }

    private static long middleOf(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        return ((long) (PARTS + bucket % PARTS) << shift) + (1L << shift) / 2;
    }

    public long count() {
        return count;
    }

    public long least() {
        return count == 0 ? 0 : least;
    }

    public long mean() {
        return count == 0 ? 0 : sum / count;
    }

    public long largest() {
        return largest;
    }

    /** The value that so many percent are not above. */
    public long percentile(int percent) {
        long rank = Math.max(1, (count * percent + 99) / 100);
        long seen = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            seen += buckets[bucket];
            if (seen >= rank && count > 0) {
                return Math.clamp(middleOf(bucket), least, largest);
            }
        }
        return largest;
    }

    /** Of nanoseconds: {@code least 1.0  p50 3.2  p99 10.0  largest 12.1 µs}. */
    public String micros() {
        return String.format(
                Locale.ROOT,
                "least %.1f  p50 %.1f  p99 %.1f  largest %.1f µs",
                least() / 1e3,
                percentile(50) / 1e3,
                percentile(99) / 1e3,
                largest() / 1e3);
    }
}
