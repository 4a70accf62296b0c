package org.rdma4j.tools.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** A stream of equal operations, some outstanding all the time, over one or many queue pairs in turn. */
final class Stream {

    /** What came of it. */
    record Result(double bytesPerSecond, double operationsPerSecond, double heapBytesPerOperation) {}

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final RdmaEnd end;
    private final BenchPeer.Description peer;
    private final WrOpcode opcode;
    private final int bytes;
    private final int depth;
    private final int signalEvery;
    private final SendWorkRequest wr = new SendWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private int nextQp;

    /** @param depth operations outstanding at most, over all queue pairs */
    Stream(RdmaEnd end, BenchPeer.Description peer, WrOpcode opcode, int bytes, int depth, int signalEvery) {
        this.end = end;
        this.peer = peer;
        this.opcode = opcode;
        this.bytes = bytes;
        this.depth = depth;
        this.signalEvery = signalEvery;
    }

    /** Runs for {@code nanos}, the first half to warm up. */
    Result run(long nanos) {
        long begin = System.nanoTime();
        long outstanding = 0;
        long completed = 0;
        long half = 0;
        long completedAtHalf = 0;
        long heapAtHalf = 0;
        long now = begin;
        for (int look = 0; ; look++) {
            while (outstanding + signalEvery <= depth) {
                for (int count = 1; count <= signalEvery; count++) {
                    post(count == signalEvery);
                }
                outstanding += signalEvery;
            }
            while (end.cq.poll(completion)) {
                if (!completion.isSuccess()) {
                    throw new IllegalStateException("the stream broke: " + completion);
                }
                outstanding -= signalEvery;
                completed += signalEvery;
                if (outstanding + signalEvery <= depth) {
                    break;
                }
            }
            if ((look & 0xF) == 0) {
                now = System.nanoTime();
                if (half == 0 && now - begin > nanos / 2) {
                    half = now;
                    completedAtHalf = completed;
                    heapAtHalf = THREADS.getCurrentThreadAllocatedBytes();
                }
                if (now - begin > nanos) {
                    break;
                }
            }
        }
        double heap = THREADS.getCurrentThreadAllocatedBytes() - heapAtHalf;
        long operations = completed - completedAtHalf;
        double seconds = (now - half) / 1e9;
        drain(outstanding);
        return new Result(operations * (double) bytes / seconds, operations / seconds, heap / operations);
    }

    private void post(boolean signaled) {
        QueuePair queuePair = end.queuePairs.get(nextQp);
        wr.reset(opcode).sge(end.region, 0, bytes);
        if (opcode != WrOpcode.SEND) {
            wr.remote(peer.address(), peer.rKey());
        }
        if (signaled) {
            wr.signaled();
            nextQp = (nextQp + 1) % end.queuePairs.size();
        }
        queuePair.postSend(wr);
    }

    private void drain(long outstanding) {
        long left = outstanding;
        long stop = System.nanoTime() + 2_000_000_000L;
        while (left > 0 && System.nanoTime() < stop) {
            if (end.cq.poll(completion)) {
                left -= signalEvery;
            }
        }
    }
}
