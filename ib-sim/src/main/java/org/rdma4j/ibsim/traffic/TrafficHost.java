package org.rdma4j.ibsim.traffic;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.host.HostProgram;
import org.rdma4j.ibsim.host.VirtualHost;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;

/** A host that sends and receives by programs of this package: one region of memory, one completion queue. */
final class TrafficHost implements HostProgram, AutoCloseable {

    private static final int COMPLETIONS = 1 << 12;
    private static final int BATCH = 64;
    private static final int ALIGNMENT = 64;

    /** Of the region, on every run the same. */
    private static final long ADDRESS = 0x1000_0000;

    private final VirtualHost host;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final Arena arena = Arena.ofShared();
    private MemoryRegion region;
    private final List<Stream> outgoing = new ArrayList<>();
    private final WorkCompletion[] completions = new WorkCompletion[BATCH];
    private final int depth;
    private Arrival arrival = (qpNum, immediate) -> {};

    /** Hears of messages that have come. */
    @FunctionalInterface
    interface Arrival {
        void came(int qpNum, int immediate);
    }

    /** @param depth sends that a queue pair may have outstanding */
    TrafficHost(VirtualHost host, int depth) {
        this.host = host;
        this.depth = depth;
        DeviceContext device = host.device();
        pd = device.allocPd();
        cq = device.createCq(COMPLETIONS);
        for (int at = 0; at < BATCH; at++) {
            completions[at] = new WorkCompletion();
        }
        host.setProgram(this);
    }

    VirtualHost host() {
        return host;
    }

    /** What it sends from and receives to. */
    MemoryRegion region() {
        return region;
    }

    /** Has a region of so many bytes at least; before a stream of this host starts. */
    void provide(int bytes) {
        if (region == null || region.length() < bytes) {
            MemorySegment segment = arena.allocate(bytes, ALIGNMENT);
            region = pd.register(
                    segment, ADDRESS, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
        }
    }

    QueuePair createQp() {
        return pd.createQp(QpInitAttributes.rc(cq).withDepths(depth, depth).withSge(1, 1));
    }

    void onArrival(Arrival next) {
        arrival = next;
    }

    /** @return the stream's number on this host, which its work requests carry */
    int add(Stream stream) {
        outgoing.add(stream);
        return outgoing.size() - 1;
    }

    @Override
    public boolean isDue() {
        return !cq.isEmpty();
    }

    @Override
    public void run() {
        while (!cq.isEmpty()) {
            int count = cq.poll(completions);
            for (int at = 0; at < count; at++) {
                take(completions[at]);
            }
        }
    }

    private void take(WorkCompletion completion) {
        if (completion.status() != WcStatus.SUCCESS) {
            fail(completion);
            return;
        }
        if (completion.opcode() == WcOpcode.RECV_RDMA_WITH_IMM) {
            arrival.came(completion.qpNum(), completion.immediate());
        } else {
            outgoing.get((int) completion.wrId()).completed();
        }
    }

    /** A connection is broken; its receiving end's flushed receives tell nothing besides. */
    private void fail(WorkCompletion completion) {
        for (Stream stream : outgoing) {
            if (stream.sends(completion.qpNum())) {
                stream.failed(completion.status());
            }
        }
    }

    @Override
    public void close() {
        host.close();
        arena.close();
    }
}
