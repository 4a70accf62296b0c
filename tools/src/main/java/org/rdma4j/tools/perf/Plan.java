package org.rdma4j.tools.perf;

import java.util.List;
import java.util.stream.IntStream;
import org.rdma4j.tools.perf.PerfTest.Operation;
import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.verbs.QpType;

/**
 * A test with every value decided. Both ends must be started with the same ones, as with perftest: its exchange does not
 * tell them.
 *
 * @param connection the transport service: the type of the queue pairs that send
 * @param size bytes a message, the largest where all sizes are run
 * @param iterations messages each queue pair and size; with a duration there is no limit
 * @param seconds how long; 0 counts iterations instead
 * @param margin seconds at both ends of a duration that are not measured
 * @param rxDepth receives posted a queue pair, or in the shared queue
 * @param useSrq all queue pairs share their receives
 * @param postList messages posted at once
 * @param mtu path MTU wanted; 0: the most that the device carries
 * @param timeout code of the local ACK timeout
 * @param outReads READs and atomics outstanding
 * @param rateLimit how fast this end sends at most, or {@code null}
 * @param compareSwap the atomic is CMP_AND_SWAP, not FETCH_AND_ADD
 */
record Plan(
        PerfTest test,
        QpType connection,
        int size,
        boolean allSizes,
        int iterations,
        int seconds,
        double margin,
        int queuePairs,
        int txDepth,
        int rxDepth,
        boolean useSrq,
        int cqMod,
        int postList,
        int inline,
        int mtu,
        int timeout,
        int outReads,
        boolean compareSwap,
        boolean events,
        boolean bidirectional,
        int gidIndex,
        int serviceLevel,
        boolean peak,
        boolean gbits,
        RateLimit rateLimit) {

    /** perftest looks for the best stretch up to so many messages. */
    private static final int PEAK_LIMIT = 20_000;

    private static final int ALL_SIZES_LAST = 23;
    private static final int LARGE = 8192;
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final int DEVICE_READS = DeviceAttributes.SOFTWARE.maxQpRdAtomic();

    /**
     * @throws IllegalArgumentException with a line for the user where the options do not go together, or the first one of
     *     them that has no possible value
     */
    static Plan of(PerfTest test, PerfOptions options) {
        PlanChecks.check(test, options);
        boolean timed = options.seconds != null;
        int seconds = timed ? options.seconds.intValue() : 0;
        int size = size(test, options);
        int iterations = timed ? NO_LIMIT : or(options.iterations, test == PerfTest.WRITE_BW ? 5000 : 1000);
        int txDepth = Math.min(or(options.txDepth, test.latency ? 1 : 128), iterations);
        int postList = (int) options.postList;
        int usualCqMod = timed || size > LARGE && !options.allSizes ? 1 : 100;
        boolean xrc = options.connection.equals("XRC");
        QpType connection = xrc ? QpType.XRC_SEND : QpType.valueOf(options.connection);
        boolean useSrq = options.useSrq || xrc;
        int sendInline = connection == QpType.UD ? 188 : 236;
        int inline = test.latency ? (test.operation == Operation.SEND ? sendInline : 220) : 0;
        return new Plan(
                test,
                connection,
                size,
                options.allSizes,
                iterations,
                seconds,
                options.margin == null ? Math.min(2, seconds / 4.0) : options.margin,
                (int) options.queuePairs,
                txDepth,
                rxDepth(options, iterations, useSrq),
                useSrq,
                or(options.cqMod, Math.min(usualCqMod, txDepth - postList + 1)),
                postList,
                test.operation.isAnswered() ? 0 : or(options.inline, inline),
                or(options.mtu, 0),
                (int) options.timeout,
                test.operation.isAnswered() ? or(options.outReads, DEVICE_READS) : 1,
                "CMP_AND_SWAP".equals(options.atomicType),
                options.events,
                options.bidirectional,
                (int) options.gidIndex,
                (int) options.serviceLevel,
                !options.noPeak && !timed && (long) iterations * options.queuePairs <= PEAK_LIMIT,
                options.gbits,
                options.rateLimit == null ? null : options.rateLimit(txDepth));
    }

    private static int size(PerfTest test, PerfOptions options) {
        if (test.operation == Operation.ATOMIC) {
            return Long.BYTES;
        }
        if (options.allSizes) {
            return 1 << ALL_SIZES_LAST;
        }
        return or(options.size, test.latency ? 2 : 65536);
    }

    /** A shared queue is as deep as it is said to be: each message may be for any of the queue pairs. */
    private static int rxDepth(PerfOptions options, int iterations, boolean useSrq) {
        int depth = or(options.rxDepth, 512);
        return useSrq ? depth : Math.min(depth, iterations);
    }

    private static int or(Long value, int otherwise) {
        return value == null ? otherwise : value.intValue();
    }

    /** Whether what is lost is sent again. */
    boolean isReliable() {
        return connection == QpType.RC || isXrc();
    }

    /** Whether a connection is two queue pairs at each end: one that sends, and one that receives. */
    boolean isXrc() {
        return connection == QpType.XRC_SEND;
    }

    /** perftest's name of the transport service. */
    String service() {
        return isXrc() ? "XRC" : connection.name();
    }

    /** This plan with messages that fit a packet, where each one must; the same one where they do already. */
    Plan within(int packet) {
        if (connection != QpType.UD || size <= packet) {
            return this;
        }
        return new Plan(
                test,
                connection,
                packet,
                allSizes,
                iterations,
                seconds,
                margin,
                queuePairs,
                txDepth,
                rxDepth,
                useSrq,
                cqMod,
                postList,
                inline,
                mtu,
                timeout,
                outReads,
                compareSwap,
                events,
                bidirectional,
                gidIndex,
                serviceLevel,
                peak,
                gbits,
                rateLimit);
    }

    Operation operation() {
        return test.operation;
    }

    /** The receives that each queue pair's buffers are posted for at a time. */
    int receivesEach() {
        return useSrq ? Math.min(rxDepth / queuePairs, iterations) : rxDepth;
    }

    boolean isTimed() {
        return seconds > 0;
    }

    /** The sizes to run, one after the other. */
    List<Integer> sizes() {
        return allSizes
                ? IntStream.rangeClosed(1, ALL_SIZES_LAST)
                        .mapToObj(shift -> 1 << shift)
                        .filter(each -> each <= size)
                        .toList()
                : List.of(size);
    }

    /** True where this end posts sends, WRITEs, READs or atomics in a bandwidth test. */
    boolean sends(boolean client) {
        return client || bidirectional;
    }

    /** perftest's name of the test, without "Test". */
    String title() {
        String kind = test.latency ? "Latency" : bidirectional ? "Bidirectional BW" : "BW";
        String atomic = operation() != Operation.ATOMIC ? "" : compareSwap ? " CMP_AND_SWAP" : " FETCH_AND_ADD";
        return operation().title + atomic + " " + kind;
    }
}
