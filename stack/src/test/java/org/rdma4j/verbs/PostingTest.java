package org.rdma4j.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.rdma4j.verbs.TwoDevices.DEPTH;
import static org.rdma4j.verbs.TwoDevices.INLINE;
import static org.rdma4j.verbs.TwoDevices.ids;
import static org.rdma4j.verbs.TwoDevices.refused;
import static org.rdma4j.verbs.TwoDevices.take;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.verbs.VerbsException.Errno;

/** {@code ibv_post_send}, {@code ibv_post_recv} and {@code ibv_wr_*}: what is posted, what is refused, what completes. */
class PostingTest {

    private final TwoDevices two = new TwoDevices().connected();

    @AfterEach
    void close() {
        two.close();
    }

    private SendWorkRequest fresh(long wrId) {
        return new SendWorkRequest().reset(WrOpcode.SEND).wrId(wrId).sge(two.region, 0, 8);
    }

    @Test
    void fullSendQueueIsNoMemoryAndWhatWasPostedGoesOn() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        for (int id = 0; id < DEPTH; id++) {
            two.qp.postSend(two.send(id).signaled());
        }
        refused(Errno.ENOMEM, "8 entries", () -> two.qp.postSend(two.send(99)));
        two.run();
        assertEquals(LongStream.range(0, DEPTH).boxed().toList(), ids(take(two.cq)));
        assertEquals(DEPTH, take(two.cqThere).size());
    }

    @Test
    void fullReceiveQueueIsNoMemory() {
        two.postReceives(two.qp, two.region, DEPTH);
        refused(Errno.ENOMEM, "8 entries", () -> two.postReceives(two.qp, two.region, 1));
    }

    @Test
    void tooManyPiecesAreRefusedByBothSides() {
        SendWorkRequest sends = two.send(1).sge(two.region, 8, 8).sge(two.region, 16, 8);
        refused(Errno.EINVAL, "3 gather elements, max_send_sge is 2", () -> two.qp.postSend(sends));
        two.receive.reset(1);
        for (int piece = 0; piece < 3; piece++) {
            two.receive.sge(two.region, 0, 8);
        }
        refused(Errno.EINVAL, "3 scatter elements, max_recv_sge is 2", () -> two.qp.postReceive(two.receive));
    }

    @Test
    void listIsPostedUpToTheBadRequest() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        MemorySegment tooLong = Arena.ofAuto().allocate(INLINE + 1);
        List<SendWorkRequest> list = List.of(
                fresh(1).signaled(),
                fresh(2).signaled(),
                new SendWorkRequest().reset(WrOpcode.SEND).inlineData(tooLong, 0, INLINE + 1),
                fresh(4).signaled());
        VerbsException refusal = refused(
                Errno.EINVAL,
                "work request 2 of the list: 33 bytes inline, max_inline_data is 32",
                () -> two.qp.postSend(list));
        assertEquals(2, refusal.badRequest());
        two.run();
        assertEquals(List.of(1L, 2L), ids(take(two.cq)));
        assertEquals(2, take(two.cqThere).size());
    }

    @Test
    void wholeListIsPosted() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        two.qp.postSend(List.of(fresh(1), fresh(2), fresh(3).signaled()));
        two.run();
        assertEquals(List.of(3L), ids(take(two.cq)));
        assertEquals(3, take(two.cqThere).size());
    }

    @Test
    void nothingOfABatchLeavesBeforeItIsComplete() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        two.qp.startSends();
        two.qp.addSend(two.send(1).signaled());
        two.qp.addSend(two.send(2).signaled());
        two.run();
        assertEquals(List.of(), take(two.cqThere));
        two.qp.completeSends();
        two.run();
        assertEquals(List.of(1L, 2L), ids(take(two.cq)));
    }

    @Test
    void nothingOfAnAbortedBatchIsPosted() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        two.qp.startSends();
        for (int id = 0; id < DEPTH; id++) {
            two.qp.addSend(two.send(id).signaled());
        }
        refused(Errno.ENOMEM, "8 entries", () -> two.qp.addSend(two.send(99)));
        two.qp.abortSends();
        two.qp.postSend(two.send(5).signaled());
        two.run();
        assertEquals(List.of(5L), ids(take(two.cq)));
        assertEquals(1, take(two.cqThere).size());
    }

    @Test
    void batchIsOpenedOnceAndClosedOnce() {
        refused(Errno.EINVAL, "no batch is open", () -> two.qp.addSend(two.send(1)));
        refused(Errno.EINVAL, "no batch is open", two.qp::completeSends);
        refused(Errno.EINVAL, "no batch is open", two.qp::abortSends);
        two.qp.startSends();
        refused(Errno.EINVAL, "open already", two.qp::startSends);
        refused(Errno.EINVAL, "a batch is open", () -> two.qp.postSend(two.send(1)));
        refused(Errno.EINVAL, "a batch is open", () -> two.qp.postSend(List.of(two.send)));
        two.qp.completeSends();
    }

    @Test
    void inlineDataMayChangeAtOnce() {
        two.postReceives(two.peer, two.regionThere, 2);
        MemorySegment memory = Arena.ofAuto().allocate(8);
        for (long value = 1; value <= 2; value++) {
            memory.set(ValueLayout.JAVA_LONG, 0, value);
            two.qp.postSend(two.send.reset(WrOpcode.SEND).inlineData(memory, 0, 8));
        }
        memory.set(ValueLayout.JAVA_LONG, 0, -1);
        two.run();
        assertEquals(1, two.regionThere.memory().get(ValueLayout.JAVA_LONG, 0));
        assertEquals(2, two.regionThere.memory().get(ValueLayout.JAVA_LONG, 64));
    }

    @Test
    void unsignaledRequestThatFailsCompletesAllTheSame() {
        two.qp.postSend(two.send
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(77)
                .sge(two.region, 0, 8)
                .remote(two.regionThere.address(), two.regionThere.rKey() ^ 1));
        two.run();
        WorkCompletion failed = take(two.cq).getFirst();
        assertEquals(77, failed.wrId());
        assertEquals(WcStatus.REM_ACCESS_ERR, failed.status());
        assertEquals(two.qp.qpNum(), failed.qpNum());
        assertFalse(failed.isSuccess());
        assertEquals(QpState.ERR, two.qp.state());
    }

    @Test
    void completionsOfAQueuePairComeInTheOrderOfPosting() {
        two.postReceives(two.peer, two.regionThere, DEPTH);
        two.qp.postSend(two.send(1).signaled());
        two.qp.postSend(two.send
                .reset(WrOpcode.RDMA_READ)
                .wrId(2)
                .sge(two.region, 0, 2048)
                .remote(two.regionThere.address(), two.regionThere.rKey())
                .signaled());
        two.qp.postSend(two.send(3).signaled());
        two.qp.postSend(two.send
                .reset(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .wrId(4)
                .sge(two.region, 0, 8)
                .remote(two.regionThere.address(), two.regionThere.rKey())
                .fetchAdd(1)
                .signaled());
        two.qp.postSend(two.send(5).signaled());
        two.run();
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), ids(take(two.cq)));
    }
}
