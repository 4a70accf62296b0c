package org.rdma4j.tools.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.rdma4j.tools.Family;
import org.rdma4j.tools.IwarpWiring;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import picocli.CommandLine;

/** What this machine can do, and what rdma4j does of it, in one run. */
@CommandLine.Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Measures rdma4j between two processes, beside the raw limit of this machine.",
            "Over UDP on loopback; the raw limit is the same system calls without RDMA, in the same run. Trust the ratios.",
            "With --family iwarp over TCP; the raw limit is a plain pair of NIO sockets.",
            "With --family ibsim in one process: packet-hops a second of a simulated fabric, beside a million.",
            "With --decode: frames a second of decode on a capture that is made first, beside those of tshark.",
        },
        footer = {"", "Example:", "  rdma4j bench --rounds 3 --json"})
public final class BenchCommand implements Callable<Integer> {

    static final int HERE = 0x7F000001;
    static final int THERE = 0x7F000002;
    static final String HERE_NAME = "127.0.0.1";
    static final String THERE_NAME = "127.0.0.2";
    static final int IWARP_PORT = 24793;

    /** After this long without work an end looks for orders and sleeps. */
    static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int MB = 1 << 20;
    private static final int HEADERS_AND_ICRC = 16;
    private static final int MANY = 1000;
    private static final int SMALL = 64;
    private static final int SMALL_DEPTH = 128;

    @CommandLine.Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Rounds; each ratio is the median over them (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @CommandLine.Option(
            names = "--seconds",
            defaultValue = "2",
            description = "Seconds a measurement, whose first half does not count (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @CommandLine.Option(
            names = "--family",
            defaultValue = "roce2",
            converter = Family.Named.class,
            paramLabel = "roce2|iwarp|ibsim",
            description = "Whose devices are measured (default: ${DEFAULT-VALUE}).")
    private Family family;

    @CommandLine.Option(names = "--decode", description = "The decode command is measured, and no device.")
    private boolean decode;

    @CommandLine.Option(
            names = "--megabytes",
            defaultValue = "1024",
            description = "Size of the capture that decode is measured on (default: ${DEFAULT-VALUE}).")
    private int megabytes;

    @CommandLine.Option(names = "--only", description = "Only measures whose name contains this.")
    private String only = "";

    @CommandLine.Option(names = "--json", description = "The result as JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private SecondProcess peer;

    @Override
    public Integer call() throws IOException {
        if (decode) {
            try (DecodeMeasures measures = new DecodeMeasures(megabytes)) {
                run(measures.measures());
            }
            return 0;
        }
        try (SecondProcess process = new SecondProcess()) {
            peer = process;
            run(
                    switch (family) {
                        case ROCE2 -> measures();
                        case IWARP -> iwarpMeasures();
                        case IBSIM -> new FabricBench(nanos()).measures();
                    });
        }
        return 0;
    }

    private void run(List<Measure> measures) {
        measures.removeIf(measure -> !measure.name.contains(only));
        for (Measure measure : measures) {
            System.err.printf("warm-up: %s%n", measure.name);
            measure.warmUp();
        }
        for (int round = 1; round <= rounds; round++) {
            for (Measure measure : measures) {
                System.err.printf("round %d of %d: %s%n", round, rounds, measure.name);
                measure.take();
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            BenchReport.json(out, measures);
        } else {
            BenchReport.table(out, measures);
        }
    }

    private List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        measures.add(bandwidth("WRITE 1 MB, MTU 4096, one QP", WrOpcode.RDMA_WRITE, 4096, 0.42, 0.65));
        measures.add(bandwidth("WRITE 1 MB, MTU 1024, one QP", WrOpcode.RDMA_WRITE, 1024, 0.28, 0.5));
        measures.add(bandwidth("READ 1 MB, MTU 4096, one QP", WrOpcode.RDMA_READ, 4096, 0.35, 0.6));
        measures.add(bandwidth("SEND 1 MB, MTU 4096, one QP", WrOpcode.SEND, 4096, 0.35, 0.6));
        measures.add(smallSends("SEND 64 B, depth 128, one QP", SMALL_DEPTH / 2));
        measures.add(smallSends("the same, raw trains of 128", RawLimits.MOST_PACKETS));
        measures.add(new Measure(
                "WRITE 8 B, half round trip",
                Measure.Kind.LATENCY,
                this::rawPing,
                () -> new Measure.Sample(writeLatency(), Double.NaN),
                1.2,
                1.05));
        measures.add(new Measure(
                "WRITE 64 KB, 1000 QPs against 1 QP",
                Measure.Kind.BANDWIDTH,
                () -> write(1).bytesPerSecond(),
                () -> {
                    Stream.Result result = write(MANY);
                    return new Measure.Sample(result.bytesPerSecond(), result.heapBytesPerOperation());
                },
                0.8,
                1.0));
        measures.add(new Measure(
                "idle QP, heap, against 4 KB",
                Measure.Kind.MEMORY,
                () -> 4096,
                () -> new Measure.Sample(IdleQps.heapBytesEach(), Double.NaN),
                1,
                0.25));
        return measures;
    }

    private List<Measure> iwarpMeasures() {
        List<Measure> measures = new ArrayList<>();
        measures.add(iwarpBandwidth("WRITE 1 MB, no CRC", WrOpcode.RDMA_WRITE, false, 0.6, 0.9));
        measures.add(iwarpBandwidth("WRITE 1 MB, CRC", WrOpcode.RDMA_WRITE, true, 0.5, 0.8));
        measures.add(iwarpBandwidth("READ 1 MB, no CRC", WrOpcode.RDMA_READ, false, 0.6, 0.9));
        measures.add(iwarpBandwidth("SEND 1 MB, no CRC", WrOpcode.SEND, false, 0.6, 0.9));
        measures.add(new Measure(
                "WRITE 8 B, half round trip",
                Measure.Kind.LATENCY,
                this::rawTcpPing,
                () -> new Measure.Sample(iwarpLatency(), Double.NaN),
                1.6,
                1.2));
        return measures;
    }

    private Measure iwarpBandwidth(String name, WrOpcode opcode, boolean crc, double must, double aim) {
        return new Measure(
                name,
                Measure.Kind.BANDWIDTH,
                this::rawTcpStream,
                () -> {
                    Stream.Result result = iwarpStream(opcode, crc);
                    return new Measure.Sample(result.bytesPerSecond(), result.heapBytesPerOperation());
                },
                must,
                aim);
    }

    private double rawTcpStream() {
        peer.order("tcp-sink " + nanos());
        peer.answer();
        try (RawTcp socket = RawTcp.connect(THERE_NAME, true)) {
            socket.stream(nanos());
        }
        return Double.parseDouble(peer.answer());
    }

    private double rawTcpPing() {
        peer.order("tcp-pong");
        peer.answer();
        try (RawTcp socket = RawTcp.connect(THERE_NAME, false)) {
            return socket.ping(nanos());
        }
    }

    private Stream.Result iwarpStream(WrOpcode opcode, boolean crc) {
        try (RdmaEnd end = new RdmaEnd(Family.IWARP, HERE_NAME, MB, 1)) {
            String kind = opcode == WrOpcode.SEND ? "send" : "passive";
            BenchPeer.Description other = connectIwarp(end, kind, crc, MB);
            Stream.Result result = new Stream(end, other, opcode, MB, 16, 1).run(nanos());
            peer.order("stop");
            return result;
        }
    }

    private double iwarpLatency() {
        int bytes = 4096;
        try (RdmaEnd end = new RdmaEnd(Family.IWARP, HERE_NAME, bytes, 1)) {
            BenchPeer.Description other = connectIwarp(end, "echo", false, bytes);
            return new Echo(end, other).measure(nanos());
        }
    }

    private BenchPeer.Description connectIwarp(RdmaEnd end, String kind, boolean crc, int bytes) {
        peer.order("serve-iwarp " + kind + " " + crc + " " + bytes + " 1");
        BenchPeer.Description other = BenchPeer.Description.parse(peer.answer());
        IwarpWiring wiring = end.wiring(crc);
        wiring.connect(new InetSocketAddress(THERE_NAME, IWARP_PORT));
        end.await(wiring);
        peer.order(end.describe());
        peer.answer();
        return other;
    }

    private Measure bandwidth(String name, WrOpcode opcode, int mtu, double must, double aim) {
        return new Measure(
                name,
                Measure.Kind.BANDWIDTH,
                () -> rawStream(mtu + HEADERS_AND_ICRC, RawLimits.MOST_PACKETS),
                () -> {
                    Stream.Result result = stream(opcode, mtu, MB, 1, 16, 1);
                    return new Measure.Sample(result.bytesPerSecond(), result.heapBytesPerOperation());
                },
                must,
                aim);
    }

    /**
     * Half of the depth is on its way while the other half is posted anew: so that is how many packets a call of ours
     * sends, and the raw limit with as many tells what the protocol costs. What calls with more of them would bring is another
     * question.
     */
    private Measure smallSends(String name, int rawTrain) {
        int size = SMALL + HEADERS_AND_ICRC;
        return new Measure(
                name,
                Measure.Kind.RATE,
                () -> rawStream(size, rawTrain) / size,
                () -> {
                    Stream.Result result = stream(WrOpcode.SEND, 4096, SMALL, 1, SMALL_DEPTH, 16);
                    return new Measure.Sample(result.operationsPerSecond(), result.heapBytesPerOperation());
                },
                0.2,
                0.4);
    }

    private Stream.Result write(int qps) {
        return stream(WrOpcode.RDMA_WRITE, 4096, MB / 16, qps, Math.max(32, qps), 1);
    }

    private long nanos() {
        return (long) (seconds * 1e9);
    }

    private double rawStream(int size, int train) {
        peer.order("sink " + size + " " + nanos());
        peer.answer();
        RawLimits.stream(HERE, THERE, size, train, nanos());
        return Double.parseDouble(peer.answer());
    }

    private double rawPing() {
        peer.order("pong");
        peer.answer();
        return RawLimits.ping(HERE, THERE, nanos());
    }

    private Stream.Result stream(WrOpcode opcode, int mtu, int bytes, int qps, int depth, int signalEvery) {
        String kind = opcode == WrOpcode.SEND ? "send" : "passive";
        try (RdmaEnd end = new RdmaEnd(Family.ROCE2, HERE_NAME, bytes, qps)) {
            BenchPeer.Description other = connect(end, kind, mtu, bytes, qps);
            Stream.Result result = new Stream(end, other, opcode, bytes, depth, signalEvery).run(nanos());
            peer.order("stop");
            return result;
        }
    }

    private double writeLatency() {
        int bytes = 4096;
        try (RdmaEnd end = new RdmaEnd(Family.ROCE2, HERE_NAME, bytes, 1)) {
            BenchPeer.Description other = connect(end, "echo", 4096, bytes, 1);
            return new Echo(end, other).measure(nanos());
        }
    }

    private BenchPeer.Description connect(RdmaEnd end, String kind, int mtu, int bytes, int qps) {
        peer.order("serve " + kind + " " + mtu + " " + bytes + " " + qps);
        BenchPeer.Description other = BenchPeer.Description.parse(peer.answer());
        peer.order(end.describe());
        end.connect(Gid.ofIpv4(THERE), mtu, other.qpns());
        peer.answer();
        return other;
    }
}
