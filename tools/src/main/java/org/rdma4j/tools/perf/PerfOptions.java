package org.rdma4j.tools.perf;

import org.rdma4j.tools.ByteSize;
import picocli.CommandLine;

/** perftest's options, as they were written: absent ones are {@code null}, and {@link Plan} gives them their values. */
final class PerfOptions {

    @CommandLine.Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port of the exchange (default: ${DEFAULT-VALUE}).")
    long port;

    @CommandLine.Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "Bytes a message (default: 65536 for bandwidth, 2 for latency; atomics have 8).")
    Long size;

    @CommandLine.Option(
            names = {"-a", "--all"},
            description = "All sizes from 2 to 8 MiB, each a power of two.")
    boolean allSizes;

    @CommandLine.Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Messages each queue pair and size, 5 or more (default: 1000; write-bw 5000).")
    Long iterations;

    @CommandLine.Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Run for so long instead of -n.")
    Long seconds;

    @CommandLine.Option(
            names = {"-f", "--margin"},
            paramLabel = "SECONDS",
            description =
                    "With -D: what is not measured at the start and the end (default: 2, or a quarter of a short -D).")
    Long margin;

    @CommandLine.Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Queue pairs (default: ${DEFAULT-VALUE}).")
    long queuePairs;

    @CommandLine.Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "Messages outstanding a queue pair (default: 128 for bandwidth).")
    Long txDepth;

    @CommandLine.Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives posted a queue pair (default: 512).")
    Long rxDepth;

    @CommandLine.Option(
            names = "--use-srq",
            description = "SEND: all queue pairs share their receives, -r of them together.")
    boolean useSrq;

    @CommandLine.Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "N",
            description = "One completion for so many messages (default: 100; above 8192 bytes, or with -D, 1).")
    Long cqMod;

    @CommandLine.Option(
            names = {"-l", "--post_list"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Post so many messages at once (default: ${DEFAULT-VALUE}).")
    long postList;

    @CommandLine.Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "Send messages up to this size inline (default: 0; latency: 236 for SEND, 220 for WRITE).")
    Long inline;

    @CommandLine.Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description =
                    "Path MTU, 256 to 4096; both ends take the smaller one (default: the most the device carries).")
    Long mtu;

    @CommandLine.Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "CODE",
            defaultValue = "14",
            description = "Local ACK timeout, 4.096 us * 2^CODE, 0 for none (default: ${DEFAULT-VALUE}).")
    long timeout;

    @CommandLine.Option(
            names = {"-o", "--outs"},
            paramLabel = "N",
            description = "READs and atomics outstanding a queue pair (default: the most the device takes).")
    Long outReads;

    @CommandLine.Option(
            names = {"-A", "--atomic_type"},
            paramLabel = "TYPE",
            description = "FETCH_AND_ADD or CMP_AND_SWAP (default: FETCH_AND_ADD).")
    String atomicType;

    @CommandLine.Option(
            names = {"-e", "--events"},
            description = "Sleep on completion events instead of polling.")
    boolean events;

    @CommandLine.Option(
            names = {"-b", "--bidirectional"},
            description = "Both ends send.")
    boolean bidirectional;

    @CommandLine.Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            defaultValue = "RC",
            description =
                    "Transport service: RC, UC, UD or XRC (default: ${DEFAULT-VALUE}). XRC was tried between two of ours only.")
    String connection;

    @CommandLine.Option(
            names = {"-x", "--gid-index"},
            paramLabel = "INDEX",
            defaultValue = "0",
            description = "Entry of the device's GID table to send from (default: ${DEFAULT-VALUE}).")
    long gidIndex;

    @CommandLine.Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            defaultValue = "1",
            description = "Port of the device; a device here has one (default: ${DEFAULT-VALUE}).")
    long devicePort;

    @CommandLine.Option(
            names = {"-S", "--sl"},
            paramLabel = "SL",
            defaultValue = "0",
            description =
                    "Service level: goes into the priority bits of the traffic class (default: ${DEFAULT-VALUE}).")
    long serviceLevel;

    @CommandLine.Option(
            names = {"-N", "--noPeak"},
            description = "Do not look for the best stretch; it is not looked for above 20000 messages anyway.")
    boolean noPeak;

    @CommandLine.Option(
            names = {"-R", "--rdma_cm"},
            description = "Connect by rdma_cm, and exchange everything over it; the server listens at its device's"
                    + " address.")
    boolean rdmaCm;

    @CommandLine.Option(names = "--report_gbits", description = "Gbit/s instead of MiB/s.")
    boolean gbits;

    @CommandLine.Option(
            names = "--rate_limit",
            paramLabel = "RATE",
            description = "Send no faster than this: for services that lose what comes too fast.")
    Double rateLimit;

    @CommandLine.Option(
            names = "--rate_units",
            paramLabel = "UNIT",
            defaultValue = "g",
            description = "Of --rate_limit: g for Gbit/s, M for MiB/s, p for messages/s (default: ${DEFAULT-VALUE}).")
    String rateUnits;

    @CommandLine.Option(
            names = "--burst_size",
            paramLabel = "N",
            description = "With --rate_limit: so many messages at once (default: -t).")
    Long burstSize;

    @CommandLine.Option(
            names = {"-F", "--CPU-freq"},
            description = "Taken and not needed: nobody is warned of CPU frequencies here.")
    boolean ignored;

    /** The limit that {@code --rate_limit} and its companions ask for. */
    RateLimit rateLimit(int txDepth) {
        RateLimit.Unit unit = switch (rateUnits) {
            case "M" -> RateLimit.Unit.MIB;
            case "p" -> RateLimit.Unit.MESSAGES;
            default -> RateLimit.Unit.GBIT;
        };
        return new RateLimit(rateLimit, unit, burstSize == null ? txDepth : burstSize.intValue());
    }
}
