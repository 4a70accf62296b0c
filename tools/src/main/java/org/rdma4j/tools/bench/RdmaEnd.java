package org.rdma4j.tools.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.tools.Family;
import org.rdma4j.tools.IwarpWiring;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Gid;

/** One end of a measurement: a device, its memory, and a number of queue pairs that are connected one to one. */
final class RdmaEnd implements AutoCloseable {

    private static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
    private static final int PSN = 0x123456;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    /** What work requests call the first byte of the memory, wherever it lies: captures are the same in every run. */
    private static final long ADDRESS = 0x7000_0000_0000L;

    final DeviceContext device;
    final CompletionQueue cq;
    final MemorySegment memory;
    final MemoryRegion region;
    final List<QueuePair> queuePairs = new ArrayList<>();
    private final ProtectionDomain pd;
    private final Arena arena = Arena.ofShared();

    RdmaEnd(Family family, String address, int memoryBytes, int qps) {
        this(family.device(address), DeviceOptions.defaults(), memoryBytes, qps);
    }

    /** @param options how the device is opened, but for its progress, which is the caller's */
    RdmaEnd(String name, DeviceOptions options, int memoryBytes, int qps) {
        device = DeviceContext.open(name, options.withProgress(Progress.CALLER));
        pd = device.allocPd();
        cq = device.createCq(Math.max(4096, qps * 4));
        memory = arena.allocate(memoryBytes, 4096);
        memory.fill((byte) 0x5A);
        region = pd.register(memory, ADDRESS, ACCESS);
        for (int index = 0; index < qps; index++) {
            queuePairs.add(pd.createQp(QpInitAttributes.rc(cq).withDepths(256, 1024)));
        }
    }

    /** The numbers that the other end connects to. */
    String describe() {
        StringBuilder line = new StringBuilder();
        line.append(region.address()).append(' ').append(region.rKey());
        for (QueuePair queuePair : queuePairs) {
            line.append(' ').append(queuePair.qpNum());
        }
        return line.toString();
    }

    /** Its queue pairs, to be connected over TCP. */
    IwarpWiring wiring(boolean crc) {
        return new IwarpWiring(device, queuePairs, crc, ACCESS & ~AccessFlags.REMOTE_ATOMIC);
    }

    /** Drives the device until all are. */
    void await(IwarpWiring wiring) {
        long stop = System.nanoTime() + PATIENCE;
        while (!wiring.isDone()) {
            device.progress();
            if (System.nanoTime() > stop) {
                throw new IllegalStateException("not all are connected after 20 s");
            }
        }
    }

    void connect(Gid remote, int pathMtu, List<Integer> remoteQpns) {
        for (int index = 0; index < remoteQpns.size(); index++) {
            QueuePair queuePair = queuePairs.get(index);
            queuePair.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
            queuePair.modify(new QpAttributes()
                    .state(QpState.RTR)
                    .av(AhAttributes.to(remote))
                    .pathMtu(pathMtu)
                    .destQpNum(remoteQpns.get(index))
                    .rqPsn(PSN)
                    .maxDestRdAtomic(16)
                    .minRnrTimer(1));
            queuePair.modify(new QpAttributes()
                    .state(QpState.RTS)
                    .sqPsn(PSN)
                    .timeout(14)
                    .retryCount(7)
                    .rnrRetry(7)
                    .maxRdAtomic(16));
        }
    }

    /** What the packets of this end met, and what its link counted: one line, for the curious. */
    String account() {
        StringBuilder line = new StringBuilder(device.name());
        for (Rule rule : Rule.values()) {
            if (device.decisions(rule) > 0) {
                line.append(' ').append(rule).append('=').append(device.decisions(rule));
            }
        }
        LinkCounters link = device.linkCounters();
        return line.append(" sent=" + link.sentPackets + " in " + link.sentTrains + " trains")
                .append(" send errors=" + link.sendErrors + " received=" + link.receivedPackets)
                .append(" bad ICRC=" + link.icrcErrors)
                .toString();
    }

    @Override
    public void close() {
        if ("1".equals(System.getenv("RDMA4J_DEBUG"))) {
            System.err.println(account());
        }
        device.close();
        arena.close();
    }
}
