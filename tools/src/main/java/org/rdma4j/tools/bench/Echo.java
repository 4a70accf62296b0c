package org.rdma4j.tools.bench;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** The ping-pong of 8-byte WRITEs: each end waits for a counter in its memory and writes it to the other's. */
final class Echo {

    private static final int SIGNAL_EVERY = 64;
    private static final long STOP = -1;
    private static final long PATIENCE = 5_000_000_000L;

    /** Where the peer writes to, and where our own counter is sent from. */
    private static final int TARGET = 0;

    private static final int SOURCE = 64;

    private static final VarHandle COUNTER = ValueLayout.JAVA_LONG.varHandle();

    private final RdmaEnd end;
    private final BenchPeer.Description peer;
    private final QueuePair queuePair;
    private final SendWorkRequest wr = new SendWorkRequest();
    private final WorkCompletion completion = new WorkCompletion();
    private int sent;

    Echo(RdmaEnd end, BenchPeer.Description peer) {
        this.end = end;
        this.peer = peer;
        this.queuePair = end.queuePairs.getFirst();
        end.memory.set(ValueLayout.JAVA_LONG, TARGET, 0);
    }

    /** The passive half. */
    void answerUntilStopped() {
        long last = 0;
        while (true) {
            long value = await(last);
            if (value == STOP) {
                settle();
                return;
            }
            last = value;
            write(value);
        }
    }

    /** The active half. @return the median half round trip in ns */
    double measure(long nanos) {
        long[] samples = new long[1 << 20];
        int count = 0;
        long begin = System.nanoTime();
        long now = begin;
        for (long value = 1; now - begin < nanos && count < samples.length; value++) {
            long start = now;
            write(value);
            await(value - 1);
            now = System.nanoTime();
            if (now - begin > nanos / 2) {
                samples[count++] = now - start;
            }
        }
        write(STOP);
        settle();
        long[] taken = Arrays.copyOf(samples, count);
        Arrays.sort(taken);
        return taken[count / 2] / 2.0;
    }

    private void write(long value) {
        end.memory.set(ValueLayout.JAVA_LONG, SOURCE, value);
        wr.reset(WrOpcode.RDMA_WRITE)
                .inlineData(end.memory, SOURCE, Long.BYTES)
                .remote(peer.address() + TARGET, peer.rKey());
        if (++sent % SIGNAL_EVERY == 0) {
            wr.signaled();
        }
        queuePair.postSend(wr);
    }

    /** Waits until the counter is another than {@code last}. */
    private long await(long last) {
        long start = 0;
        for (int look = 1; ; look++) {
            long value = (long) COUNTER.getOpaque(end.memory, (long) TARGET);
            if (value != last) {
                return value;
            }
            if ((look & 0xFFF) == 0) {
                long now = System.nanoTime();
                if (start == 0) {
                    start = now;
                } else if (now - start > PATIENCE) {
                    throw new IllegalStateException("the peer's counter stays at " + last);
                }
            }
            end.cq.poll(completion); // takes what is there, or else looks at the network
        }
    }

    /** Lets the last acknowledgements come and go. */
    private void settle() {
        for (long stop = System.nanoTime() + 20_000_000; System.nanoTime() < stop; ) {
            end.cq.poll(completion);
        }
    }
}
