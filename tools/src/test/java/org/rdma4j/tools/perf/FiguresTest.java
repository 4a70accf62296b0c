package org.rdma4j.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.exchange.BandwidthFigures;
import picocli.CommandLine;

/** Where messages lie and how they are counted: arithmetic without a clock. */
class FiguresTest {

    private static final Dialogue.Terms TERMS = new Dialogue.Terms(4096, 64, 1024);
    private static final long SECOND = 1_000_000_000L;

    @CommandLine.Command
    private static final class Holder {
        @CommandLine.Mixin
        PerfOptions options;
    }

    private static Plan plan(String... arguments) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(arguments);
        return Plan.of(PerfTest.WRITE_BW, holder.options);
    }

    /** Seen on the wire of a real perftest. */
    @Test
    void smallMessagesTakeTurnsInTheCycledBuffer() {
        assertOffsets(1024, 0, 0x400, 0x800, 0xC00, 0);
        assertOffsets(1000, 0, 0x400, 0x800, 0xC00, 0);
        assertOffsets(2048, 0, 0x800, 0);
        assertOffsets(2049, 0, 0, 0);
        Cycle atomics = new Cycle(8, TERMS);
        assertEquals(0x40, atomics.offset(1));
        assertEquals(0xFC0, atomics.offset(63));
        assertEquals(0, atomics.offset(64));
    }

    private static void assertOffsets(int size, long... offsets) {
        Cycle cycle = new Cycle(size, TERMS);
        for (int number = 0; number < offsets.length; number++) {
            assertEquals(offsets[number], cycle.offset(number), size + " bytes, message " + number);
        }
    }

    @Test
    void averageIsFromTheFirstPostToTheLastCompletion() {
        Meter meter = new Meter(plan("-n", "100"), 1 << 20, new Span(plan("-n", "100")), false);
        meter.posted(SECOND);
        meter.completed(2 * SECOND, 60);
        meter.completed(3 * SECOND, 40);
        assertEquals(new BandwidthFigures(1 << 20, 100, 0, 50, 50e-6), meter.figures());
    }

    @Test
    void peakIsTheBestStretchFromAPostToACompletion() {
        Plan plan = plan("-n", "5", "-Q", "1");
        Meter meter = new Meter(plan, 1 << 20, new Span(plan), true);
        for (long start : new long[] {10, 20, 30, 31, 40}) {
            meter.posted(start * SECOND);
        }
        for (long end : new long[] {18, 29, 33, 34, 60}) {
            meter.completed(end * SECOND, 1);
        }
        assertEquals(0.5, meter.figures().peak(), 1e-9); // messages 3 and 4: posted at 30, complete at 34
    }

    @Test
    void durationCountsWhatIsBetweenItsMargins() {
        Plan plan = plan("-D", "10", "-f", "2");
        Span span = new Span(plan);
        Meter meter = new Meter(plan, 1 << 20, span, false);
        span.start(100 * SECOND);
        meter.completed(101 * SECOND, 1000);
        meter.completed(102 * SECOND, 3);
        meter.completed(107 * SECOND, 3);
        meter.completed(108 * SECOND, 1000);
        BandwidthFigures figures = meter.figures();
        assertEquals(6, figures.iterations());
        assertEquals(1, figures.average(), 1e-9);
        assertTrue(span.isOver(110 * SECOND) && !span.isOver(110 * SECOND - 1));
    }

    @Test
    void gigabitsAreTenToTheNinth() {
        Plan plan = plan("-n", "5", "--report_gbits");
        Meter meter = new Meter(plan, 125_000_000, new Span(plan), false);
        meter.posted(SECOND);
        meter.completed(6 * SECOND, 5);
        assertEquals(1, meter.figures().average(), 1e-9);
    }

    @Test
    void latencyOfSendsIsHalfTheirRoundTrip() {
        Histogram roundTrips = LatencyFigures.newHistogram();
        for (int micros = 1; micros <= 100; micros++) {
            roundTrips.recordValue(micros * 1000L);
        }
        LatencyFigures sends = new LatencyFigures(2, 100, roundTrips, 0, 2);
        LatencyFigures reads = new LatencyFigures(2, 100, roundTrips, 0, 1);
        assertEquals(0.5, sends.min(), 0.01);
        assertEquals(50, sends.max(), 0.1);
        assertEquals(25, sends.typical(), 0.1);
        assertEquals(50.5, reads.average(), 0.1);
        assertEquals(99, reads.percentile(99), 0.1);
    }

    @Test
    void latencyOfADurationIsItsTimeByItsCount() {
        LatencyFigures figures = new LatencyFigures(2, 1000, LatencyFigures.newHistogram(), 2, 2);
        assertEquals(1000, figures.average(), 1e-9);
        assertEquals(500, figures.perSecond(), 1e-9);
    }
}
