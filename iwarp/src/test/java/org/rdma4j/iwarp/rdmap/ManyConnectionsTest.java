package org.rdma4j.iwarp.rdmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** A thousand connections of one process at once, over TCP on loopback. */
class ManyConnectionsTest {

    private static final int COUNT = 1000;
    private static final int WRITE = 32 << 10;
    private static final int MOST_HEAP = 16 << 10;
    private static final double SHARE = 0.2;

    /** So often each connection writes on the average before they are compared, and while they are. */
    private static final int ROUNDS = 32;

    @Test
    void shareTheWireAndAreSmallWhenIdle() {
        long before = Heap.used();
        try (TcpEnd here = new TcpEnd("127.0.0.1", WRITE, COUNT);
                TcpEnd there = new TcpEnd("127.0.0.2", WRITE, COUNT)) {
            long unconnected = Heap.used();
            here.connect(there, false);
            long each = (Heap.used() - before) / (2 * COUNT);
            assertTrue(
                    each < MOST_HEAP,
                    () -> each + " bytes of heap a connection, queue pair and all; before it "
                            + (unconnected - before) / (2 * COUNT));

            int[] written = new int[COUNT];
            SendWorkRequest wr = new SendWorkRequest();
            for (int index = 0; index < COUNT; index++) {
                post(here, there, wr, index);
                post(here, there, wr, index);
            }
            run(here, there, wr, written);
            Arrays.fill(written, 0);
            run(here, there, wr, written);
            Arrays.sort(written);
            double average = Arrays.stream(written).average().orElseThrow();
            assertTrue(
                    written[0] >= average * (1 - SHARE) && written[COUNT - 1] <= average * (1 + SHARE),
                    () -> "between " + written[0] + " and " + written[COUNT - 1] + " Writes a connection, " + average
                            + " on the average");
        }
    }

    private static void run(TcpEnd here, TcpEnd there, SendWorkRequest wr, int[] written) {
        WorkCompletion completion = new WorkCompletion();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int total = 0; total < ROUNDS * COUNT; ) {
            there.device.progress();
            for (int most = COUNT; most > 0 && here.cq.poll(completion); most--) {
                assertEquals(WcStatus.SUCCESS, completion.status());
                int index = (int) completion.wrId();
                written[index]++;
                total++;
                post(here, there, wr, index);
            }
            assertTrue(System.nanoTime() < end, "not in time");
        }
    }

    private static void post(TcpEnd here, TcpEnd there, SendWorkRequest wr, int index) {
        QueuePair qp = here.qps.get(index);
        qp.postSend(wr.reset(WrOpcode.RDMA_WRITE)
                .wrId(index)
                .signaled()
                .sge(here.region, 0, WRITE)
                .remote(there.region.address(), there.region.rKey()));
    }
}
