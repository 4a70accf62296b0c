package org.rdma4j.tools.perf;

import java.util.Set;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.tools.PathMtu;
import org.rdma4j.tools.perf.PerfTest.Operation;
import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.verbs.DeviceContext;

/** What is refused before anything is opened: values out of range, and options that do not go together. */
final class PlanChecks {

    private static final DeviceAttributes LIMITS = DeviceAttributes.SOFTWARE;
    private static final long MAX_ITERATIONS = 100_000_000;
    private static final long MAX_QUEUE_PAIRS = 16_384;

    /** Two areas of each queue pair must be addressable and make sense on one machine. */
    private static final long MAX_MEMORY = 8L << 30;

    private static final Set<String> CONNECTIONS = Set.of("RC", "UC", "UD", "XRC");
    private static final Set<String> RATE_UNITS = Set.of("g", "M", "p");

    private PlanChecks() {}

    static void check(PerfTest test, PerfOptions options) {
        ranges(options);
        combinations(test, options);
        depths(options, test);
    }

    /**
     * What the family of an open device has not.
     *
     * @throws IllegalArgumentException with a line for the user
     */
    static void check(DeviceContext device, PerfTest test, PerfOptions options) {
        if (device.family(IwarpConnections.class).isPresent()) {
            refuse(
                    !options.connection.equals("RC"),
                    device.name() + " has no -c " + options.connection + ": iWARP's queue pairs are RC");
            refuse(test.operation == Operation.ATOMIC, device.name() + " does no " + test + ": siw has no atomics");
            refuse(
                    test == PerfTest.SEND_BW && options.bidirectional,
                    "-b does not go with " + test + " over iWARP: only one side counts the other's receives");
            refuse(!options.rdmaCm, device.name() + " connects by rdma_cm: say -R on both sides");
        }
    }

    private static void ranges(PerfOptions options) {
        range("-p", options.port, 1, 0xFFFF);
        range("-s", options.size, 1, 1L << 30);
        range("-n", options.iterations, 5, MAX_ITERATIONS);
        range("-D", options.seconds, 1, 1_000_000);
        range("-f", options.margin, 0, 1_000_000);
        range("-q", options.queuePairs, 1, MAX_QUEUE_PAIRS);
        range("-t", options.txDepth, 1, LIMITS.maxQpWr());
        range("-r", options.rxDepth, 1, LIMITS.maxQpWr());
        range("-Q", options.cqMod, 1, LIMITS.maxQpWr());
        range("-l", options.postList, 1, LIMITS.maxQpWr());
        range("-I", options.inline, 0, LIMITS.maxInlineData());
        range("-u", options.timeout, 0, 31);
        range("-o", options.outReads, 1, LIMITS.maxQpRdAtomic());
        range("-x", options.gidIndex, 0, 255);
        range("-i", options.devicePort, 1, 1);
        range("-S", options.serviceLevel, 0, 7);
        if (options.mtu != null && !PathMtu.exists(options.mtu)) {
            throw refused("-m is 256, 512, 1024, 2048 or 4096, not " + options.mtu);
        }
        String type = options.atomicType;
        if (type != null && !type.equals("FETCH_AND_ADD") && !type.equals("CMP_AND_SWAP")) {
            throw refused("-A is FETCH_AND_ADD or CMP_AND_SWAP, not " + type);
        }
        if (!CONNECTIONS.contains(options.connection)) {
            throw refused("-c " + options.connection + " is not supported: RC, UC, UD and XRC are");
        }
        if (options.rateLimit != null && !(options.rateLimit > 0 && options.rateLimit <= 1e9)) {
            throw refused("--rate_limit is more than 0 and at most 1e9, not " + options.rateLimit);
        }
        if (!RATE_UNITS.contains(options.rateUnits)) {
            throw refused("--rate_units is g, M or p, not " + options.rateUnits);
        }
        range("--burst_size", options.burstSize, 1, LIMITS.maxQpWr());
    }

    private static void combinations(PerfTest test, PerfOptions options) {
        boolean answered = test.operation.isAnswered();
        if (options.seconds != null) {
            refuse(options.allSizes, "-D runs one size, so it does not go with -a");
            refuse(options.iterations != null, "-D and -n exclude each other");
            refuse(
                    options.margin != null && 2 * options.margin >= options.seconds,
                    "-f " + options.margin + " at both ends leaves nothing of -D " + options.seconds);
        }
        refuse(options.margin != null && options.seconds == null, "-f goes with -D");
        refuse(
                options.rdmaCm && !options.connection.equals("RC"),
                "-R connects RC queue pairs, not " + options.connection);
        refuse(options.rdmaCm && options.mtu != null, "-R takes the port's MTU, so -m does not go with it");
        refuse(options.allSizes && options.size != null, "-a and -s exclude each other");
        if (test.operation == Operation.ATOMIC) {
            refuse(options.allSizes, "an atomic has 8 bytes, so -a does not go with " + test);
            refuse(options.size != null && options.size != Long.BYTES, "an atomic has 8 bytes, not -s " + options.size);
        } else {
            refuse(options.atomicType != null, "-A goes with atomics, not with " + test);
        }
        refuse(answered && options.inline != null && options.inline > 0, test + " sends no data, so none inline (-I)");
        refuse(!answered && options.outReads != null, "-o goes with READs and atomics, not with " + test);
        refuse(
                options.events && test.operation == Operation.WRITE,
                "-e does not go with " + test + ": a WRITE gives its target no event");
        Operation operation = test.operation;
        boolean carried = switch (options.connection) {
            case "UC" -> operation == Operation.SEND || operation == Operation.WRITE;
            case "UD" -> operation == Operation.SEND;
            default -> true;
        };
        refuse(!carried, "-c " + options.connection + " does not carry " + test);
        refuse(options.rateLimit != null && test.latency, "--rate_limit goes with bandwidth, not with " + test);
        refuse(options.rateLimit == null && options.burstSize != null, "--burst_size goes with --rate_limit");
        boolean xrc = options.connection.equals("XRC");
        if (options.useSrq || xrc && test.operation == Operation.SEND) {
            refuse(test.operation != Operation.SEND, "--use-srq goes with SEND, not with " + test);
            long depth = options.rxDepth == null ? 512 : options.rxDepth;
            refuse(
                    depth < options.queuePairs,
                    "-r " + depth + " is too small for -q " + options.queuePairs
                            + " queue pairs that share it: each one may need a receive");
        }
        if (test.latency) {
            refuse(
                    options.queuePairs > 1,
                    "-q " + options.queuePairs + " does not go with " + test + ": one queue pair is timed");
            refuse(options.bidirectional, "-b goes with bandwidth, not with " + test);
            refuse(options.postList > 1, "-l goes with bandwidth, not with " + test);
            refuse(options.txDepth != null, "-t goes with bandwidth: " + test + " has one message outstanding");
            refuse(options.cqMod != null, "-Q goes with bandwidth, not with " + test);
        }
    }

    private static void depths(PerfOptions options, PerfTest test) {
        if (test.latency) {
            return;
        }
        long iterations = options.seconds != null
                ? MAX_ITERATIONS
                : options.iterations != null ? options.iterations : test == PerfTest.WRITE_BW ? 5000 : 1000;
        long depth = Math.min(options.txDepth == null ? 128 : options.txDepth, iterations);
        refuse(options.postList > depth, "-l " + options.postList + " does not fit -t " + depth);
        refuse(
                options.seconds == null && iterations % options.postList != 0,
                "-n " + iterations + " is not a multiple of -l " + options.postList);
        refuse(
                options.cqMod != null && options.cqMod > depth - options.postList + 1,
                "-Q " + options.cqMod + " completions never come with -t " + depth + " and -l " + options.postList);
        long size = options.allSizes ? 1 << 23 : options.size == null ? 65536 : options.size;
        long bytes = 2 * options.queuePairs * Math.max(size, 4096);
        refuse(
                bytes > MAX_MEMORY,
                "-q " + options.queuePairs + " with messages of " + size + " bytes needs " + (bytes >> 20)
                        + " MiB of buffers, more than " + (MAX_MEMORY >> 20));
    }

    private static void range(String option, Long value, long least, long most) {
        if (value != null && (value < least || value > most)) {
            throw refused(option + " is " + least + " to " + most + ", not " + value);
        }
    }

    private static void refuse(boolean condition, String why) {
        if (condition) {
            throw refused(why);
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }
}
