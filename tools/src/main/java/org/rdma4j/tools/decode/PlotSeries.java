package org.rdma4j.tools.decode;

import java.util.Arrays;
import org.rdma4j.analysis.Flow;
import org.rdma4j.wire.Psn;

/** The marks of one flow in a plot of PSNs over time; when there are too many every second one is dropped, again and again. */
final class PlotSeries {

    /** What a mark stands for. */
    enum Mark {
        SENT,
        RESENT,
        RESPONSE,
        ACK,
        NAK,
        RNR,
        LOST
    }

    private static final int MOST = 40_000;

    private final Flow flow;
    private long[] times = new long[256];
    private long[] psns = new long[256];
    private long[] extras = new long[256];
    private byte[] marks = new byte[256];
    private int size;
    private int every = 1;
    private int skipped;
    private long total;
    private int lastPsn;
    private long lastUnwrapped;

    PlotSeries(Flow flow) {
        this.flow = flow;
    }

    Flow flow() {
        return flow;
    }

    long total() {
        return total;
    }

    int every() {
        return every;
    }

    int size() {
        return size;
    }

    long time(int index) {
        return times[index];
    }

    long psn(int index) {
        return psns[index];
    }

    /** The round of a resend, the nanoseconds of an RNR NAK's wait. */
    long extra(int index) {
        return extras[index];
    }

    Mark mark(int index) {
        return Mark.values()[marks[index]];
    }

    /** @param relativePsn within half the circle; it is unwrapped by its distance from the one before */
    void add(Mark mark, long time, int relativePsn, long extra) {
        total++;
        lastUnwrapped += Psn.difference(relativePsn & Psn.MASK, lastPsn & Psn.MASK);
        lastPsn = relativePsn;
        boolean isCommon = mark == Mark.SENT || mark == Mark.RESPONSE || mark == Mark.ACK;
        if (isCommon && skipped++ % every != 0) {
            return;
        }
        if (size == MOST) {
            thin();
        }
        if (size == MOST) {
            return;
        }
        if (size == times.length) {
            int larger = Math.min(MOST, 2 * size);
            times = Arrays.copyOf(times, larger);
            psns = Arrays.copyOf(psns, larger);
            extras = Arrays.copyOf(extras, larger);
            marks = Arrays.copyOf(marks, larger);
        }
        times[size] = time;
        psns[size] = lastUnwrapped;
        extras[size] = extra;
        marks[size] = (byte) mark.ordinal();
        size++;
    }

    private void thin() {
        every *= 2;
        int kept = 0;
        for (int index = 0; index < size; index++) {
            Mark mark = mark(index);
            boolean isCommon = mark == Mark.SENT || mark == Mark.RESPONSE || mark == Mark.ACK;
            if (!isCommon || index % 2 == 0) {
                times[kept] = times[index];
                psns[kept] = psns[index];
                extras[kept] = extras[index];
                marks[kept] = marks[index];
                kept++;
            }
        }
        size = kept;
    }
}
