package org.rdma4j.tools.sim;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.rdma4j.ibsim.ethernet.EthernetCapture;
import org.rdma4j.ibsim.ethernet.RoceFabric;
import org.rdma4j.ibsim.ethernet.RoceFigures;
import org.rdma4j.ibsim.ethernet.RoceRun;
import org.rdma4j.ibsim.ethernet.RoceSettings;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricCapture;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.sm.RouteEngine;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.traffic.Traffic;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonText;
import org.rdma4j.tools.ToolException;
import picocli.CommandLine;

/** Runs traffic over a simulated fabric, in virtual time. */
@CommandLine.Command(
        name = "sim",
        mixinStandardHelpOptions = true,
        subcommands = SimServeCommand.class,
        description = {
            "Runs traffic over a simulated InfiniBand fabric, in virtual time, or a RoCE one.",
            "Hosts run the real transport; links have lanes, credit, speed and delay; Ethernet switches have queues,",
            "ECN marks and PFC. The same seed gives the same bytes at the same times."
        },
        footer = {
            "",
            "Examples:",
            "  rdma4j sim fat-tree:4 --traffic all-to-all:1M",
            "  rdma4j sim star:8 --traffic incast:4M --capture incast.pcapng",
            "  rdma4j sim star:17 --roce --compare --traffic incast:4M",
            "  rdma4j sim fat-tree:8 --roce --pfc --traffic victim:4M",
            "  rdma4j sim ring:5 --sm --traffic shift:2,4M --lane-buffer 4480",
            "  rdma4j sim serve net.topo"
        })
public final class SimCommand implements Callable<Integer> {

    private static final long SECOND = 1_000_000_000_000L;
    private static final double NANOS = 1e9;
    private static final double MICROS = 1e3;

    @CommandLine.Mixin
    private FabricOptions fabricOptions;

    @CommandLine.Mixin
    private RoceOptions roceOptions;

    @CommandLine.Option(
            names = "--traffic",
            paramLabel = "PATTERN",
            description = TrafficPattern.FORMS + " (default: ${DEFAULT-VALUE}).")
    private String pattern = "all-to-all:64K";

    @CommandLine.Option(
            names = "--capture",
            paramLabel = "FILE",
            description = "What each port sends, as pcapng, replaced if it exists.")
    private Path capture;

    @CommandLine.Option(
            names = "--sm",
            arity = "0..1",
            fallbackValue = "auto",
            paramLabel = "ROUTES",
            description = {
                "A subnet manager at the first host brings the subnet up by packets, with routes of the kind auto,",
                "min-hop or up-down; without this option LIDs and shortest routes are there from the start."
            })
    private String manager;

    @CommandLine.Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "Virtual time at most (default: ${DEFAULT-VALUE}).")
    private double limit = 10;

    @CommandLine.Option(names = "--json", description = "The result as JSON.")
    private boolean json;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private long upAfter; // ps
    private long upHops;

    @Override
    public Integer call() throws IOException {
        if (!(limit > 0 && limit < Long.MAX_VALUE / (double) SECOND)) {
            throw new ToolException(ExitStatus.USAGE, "--limit " + limit + ": a number of seconds above 0 is needed");
        }
        boolean roce = roceOptions.isOn();
        Fabric fabric = fabricOptions.build();
        try {
            TrafficPattern what = TrafficPattern.of(pattern);
            if (roce) {
                return runRoce(fabric, what);
            }
            RouteEngine routes = manager == null ? null : BringUp.routes(manager);
            try (FabricCapture _ = capture == null ? null : open(fabric);
                    Traffic traffic = traffic(fabric, routes)) {
                what.start(traffic);
                long start = System.nanoTime();
                boolean finished = traffic.run((long) (limit * SECOND));
                double wall = (System.nanoTime() - start) / NANOS;
                report(fabric, traffic, finished, wall);
                return finished ? ExitStatus.SUCCESS : ExitStatus.FAILED;
            }
        } catch (TopologyException e) {
            throw new ToolException(ExitStatus.USAGE, e.getMessage(), e);
        }
    }

    private int runRoce(Fabric plan, TrafficPattern what) throws IOException {
        if (capture != null && roceOptions.isComparison()) {
            throw new ToolException(ExitStatus.USAGE, "--capture is of one run, and --compare makes four");
        }
        if (manager != null) {
            throw new ToolException(ExitStatus.USAGE, "--sm is about InfiniBand: a RoCE fabric has no subnet manager");
        }
        Map<String, RoceFigures> results = new LinkedHashMap<>();
        for (Map.Entry<String, RoceSettings> each : roceOptions.runs().entrySet()) {
            try (RoceRun run = new RoceRun(plan, each.getValue(), fabricOptions.seed());
                    EthernetCapture _ = capture == null ? null : open(run.fabric())) {
                if (roceOptions.storm() != null) {
                    run.fabric().host(roceOptions.storm()).port(1).storm(RoceSettings.DATA_CLASS);
                }
                what.start(run.traffic());
                run.traffic().run((long) (limit * SECOND));
                results.put(each.getKey(), run.figures());
            }
        }
        RoceReport report = new RoceReport(results);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.print(JsonText.of(report.json()));
        } else {
            report.words(out);
        }
        out.flush();
        return report.isFinished() ? ExitStatus.SUCCESS : ExitStatus.FAILED;
    }

    private EthernetCapture open(RoceFabric fabric) throws IOException {
        EthernetCapture file = new EthernetCapture(new BufferedOutputStream(Files.newOutputStream(capture), 1 << 16));
        file.watch(fabric);
        return file;
    }

    private Traffic traffic(Fabric fabric, RouteEngine routes) {
        if (routes == null) {
            InstantSubnet.bringUp(fabric);
        } else {
            upAfter = BringUp.run(fabric, routes);
            upHops = fabric.hops();
        }
        return new Traffic(fabric, fabricOptions.seed());
    }

    private FabricCapture open(Fabric fabric) throws IOException {
        OutputStream stream = Files.newOutputStream(capture);
        FabricCapture file = new FabricCapture(new BufferedOutputStream(stream, 1 << 16));
        file.watch(fabric);
        return file;
    }

    private void report(Fabric fabric, Traffic traffic, boolean finished, double wall) {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, Object> discards = new LinkedHashMap<>();
        for (FabricRule rule : FabricRule.values()) {
            if (fabric.discards(rule) > 0) {
                discards.put(rule.name(), fabric.discards(rule));
            }
        }
        double up = upAfter / (double) SECOND;
        double virtual = traffic.finishedAt() / NANOS - up;
        long hops = fabric.hops() - upHops;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("finished", finished);
        result.put("streams", traffic.streams());
        result.put("streams_finished", traffic.finished());
        result.put("bytes", traffic.bytes());
        result.put("virtual_seconds", virtual);
        result.put("packet_hops", hops);
        result.put("wall_seconds", wall);
        result.put("packet_hops_per_second", hops / wall);
        if (manager != null) {
            result.put("subnet_up_seconds", up);
            result.put("subnet_up_packet_hops", upHops);
        }
        result.put("discards", discards);
        result.put("icrc_errors", traffic.icrcErrors());
        result.put("credit_loop", traffic.creditLoop());
        result.put("failed", failures(traffic));
        if (json) {
            out.print(JsonText.of(result));
        } else {
            words(out, traffic, virtual, hops, wall, discards);
        }
        out.flush();
    }

    private static List<String> failures(Traffic traffic) {
        return traffic.flows().stream()
                .filter(stream -> stream.failure() != null)
                .map(stream -> stream.from() + " to " + stream.to() + ": " + stream.failure())
                .toList();
    }

    private void words(
            PrintWriter out, Traffic traffic, double virtual, long hops, double wall, Map<String, Object> discards) {
        out.printf(
                "%d of %d streams finished, %,d bytes in %.3f µs of virtual time: %.3f GB/s%n",
                traffic.finished(),
                traffic.streams(),
                traffic.bytes(),
                virtual * NANOS / MICROS,
                traffic.bytes() / virtual / NANOS);
        out.printf("%,d packet hops in %.2f s: %.2f million a second%n", hops, wall, hops / wall / 1e6);
        if (manager != null) {
            out.printf("The subnet was up after %.3f µs and %,d packet hops.%n", upAfter / (MICROS * MICROS), upHops);
        }
        discards.forEach((rule, count) -> out.printf(
                "%,d packets discarded: %s (%s)%n",
                ((Number) count).longValue(),
                FabricRule.valueOf(rule).text(),
                FabricRule.valueOf(rule).id()));
        failures(traffic).forEach(failure -> out.println("Failed: " + failure));
        if (!traffic.creditLoop().isEmpty()) {
            out.printf(
                    "A credit loop: nothing in it can move, each waits for the next one's buffer:%n  %s%n",
                    String.join("\n  ", traffic.creditLoop()));
        }
    }
}
