package org.rdma4j.tools.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.List;
import java.util.stream.IntStream;
import org.rdma4j.tools.Family;
import org.rdma4j.wire.Gid;

/** Heap that a connected queue pair holds while nobody uses it. */
final class IdleQps {

    private static final int FEW = 100;
    private static final int MANY = 10_000;
    private static final int MTU = 1024;

    private IdleQps() {}

    static double heapBytesEach() {
        long few = heapWith(FEW);
        long many = heapWith(MANY);
        return (many - few) / (double) (MANY - FEW);
    }

    private static long heapWith(int count) {
        try (RdmaEnd end = new RdmaEnd(Family.ROCE2, BenchCommand.HERE_NAME, MTU, count)) {
            List<Integer> anyQpns = IntStream.range(0, count).boxed().toList();
            end.connect(Gid.ofIpv4(BenchCommand.THERE), MTU, anyQpns);
            MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
            memory.gc();
            memory.gc();
            return memory.getHeapMemoryUsage().getUsed();
        }
    }
}
