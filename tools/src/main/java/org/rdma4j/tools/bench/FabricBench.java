package org.rdma4j.tools.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.ibsim.traffic.Traffic;

/**
 * How many packet hops of the simulated fabric one core makes a second: 32 hosts in a fat tree, packets of 4 KB, all to all;
 * with the hosts' transport (memory to memory, both ends), and the switches and links by themselves. A packet counts once for
 * each port that sends it.
 */
final class FabricBench {

    private static final String TOPOLOGY = "fat-tree:8";
    private static final long BYTES_A_PAIR = 1 << 20;
    private static final int MTU = 4096;
    private static final long LIMIT = 10_000_000_000_000L;

    /** Virtual time of a run without hosts, ps. */
    private static final long FLOOD = 2_000_000_000L;

    /** What the figures are set against: hops a second. */
    private static final double MILLION = 1e6;

    private static final double AIM = 3;

    private final long nanos;
    private double wallRate;

    private record Rates(double ofProcessorTime, double ofWallTime) {}

    /** @param nanos that each figure is taken over, at least */
    FabricBench(long nanos) {
        this.nanos = nanos;
    }

    List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        measures.add(measure("packet-hops with hosts, CPU time", () -> {
            Rates rates = repeat(FabricBench::allToAll);
            wallRate = rates.ofWallTime;
            return rates.ofProcessorTime;
        }));
        measures.add(measure("packet-hops with hosts, wall time", () -> wallRate)); // of the run before
        measures.add(measure("packet-hops without hosts, CPU time", () -> repeat(FabricBench::flood).ofProcessorTime));
        return measures;
    }

    private static Measure measure(String name, DoubleSupplier rate) {
        return new Measure(
                name,
                Measure.Kind.RATE,
                () -> MILLION,
                () -> new Measure.Sample(rate.getAsDouble(), Double.NaN),
                1,
                AIM);
    }

    /** What goes over a fabric, ready to go. */
    private interface Load extends AutoCloseable {
        void run();

        @Override
        default void close() {}
    }

    /** Runs a load on new fabrics until the time is over. What comes before the first packet does not count. */
    private Rates repeat(Function<Fabric, Load> scenario) {
        long hops = 0;
        long cpu = 0;
        long wall = 0;
        while (wall < nanos) {
            Fabric fabric = new Fabric(1);
            Topologies.build(TOPOLOGY, fabric);
            InstantSubnet.bringUp(fabric);
            try (Load load = scenario.apply(fabric)) {
                long cpuStart = processorTime();
                long start = System.nanoTime();
                load.run();
                wall += System.nanoTime() - start;
                cpu += processorTime() - cpuStart;
                hops += fabric.hops();
            }
        }
        return new Rates(hops * 1e9 / cpu, hops * 1e9 / wall);
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static Load allToAll(Fabric fabric) {
        Traffic traffic = new Traffic(fabric, 1);
        traffic.allToAll(BYTES_A_PAIR);
        return new Load() {
            @Override
            public void run() {
                if (!traffic.run(LIMIT)) {
                    throw new IllegalStateException("the fabric's traffic has not come to its end");
                }
            }

            @Override
            public void close() {
                traffic.close();
            }
        };
    }

    private static Load flood(Fabric fabric) {
        List<ChannelAdapter> adapters = new ArrayList<>();
        for (Node node : fabric.nodes()) {
            if (node instanceof ChannelAdapter adapter) {
                adapters.add(adapter);
            }
        }
        int[] lids = adapters.stream()
                .mapToInt(adapter -> adapter.port(1).settings().lid())
                .toArray();
        adapters.forEach(adapter -> new PacketFlood(adapter, lids, MTU));
        return () -> fabric.events().runUntil(fabric.events().now() + FLOOD);
    }
}
