package org.rdma4j.tools.demo;

import java.util.List;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** What one side does alone in the other's memory. */
final class OneSidedLessons {

    private static final int IMMEDIATE = 0xCAFE;
    private static final int COUNTER = 32_768;

    /** The same whatever the family. */
    static final Lesson COMPARE_SWAP = Lesson.of(
            "ATOMIC compare and swap, twice",
            OneSidedLessons::compareSwap,
            "If the number is 42 it becomes 7. It is: A gets 42, and B's memory holds 7. The second time it is not, so",
            "nothing changes, and A learns by the 7 that it gets. Locks of many programs are made of this.");

    private OneSidedLessons() {}

    static List<Lesson> all() {
        return List.of(
                Lesson.of(
                        "RDMA WRITE",
                        OneSidedLessons::write,
                        "Only A acts: it knows an address in B's memory and its key (R_Key). B's program sees nothing: no receive,",
                        "no completion, not even an interrupt; its device checks key and bounds and puts the bytes in place."),
                Lesson.of(
                        "RDMA WRITE with immediate data",
                        OneSidedLessons::writeWithImmediate,
                        "The bytes go where A says, and B is told: the four bytes of immediate data use up a receive of B's, which",
                        "needs no buffer, and complete there as RECV_RDMA_WITH_IMM."),
                Lesson.of(
                        "RDMA READ",
                        OneSidedLessons::read,
                        "Only A acts again. Its request says what it wants; B's device answers with the bytes by itself, as many",
                        "packets as they take. The responses are the acknowledge, each with the PSN that A reserved for it."),
                Lesson.of(
                        "ATOMIC fetch and add",
                        OneSidedLessons::fetchAdd,
                        "A adds 2 to a number in B's memory, and gets what it was before, 40. Nobody else's atomic comes between."),
                COMPARE_SWAP,
                Lesson.of(
                        "WRITEs without completion",
                        OneSidedLessons::unsignaled,
                        "Of four WRITEs, which leave as one train of packets, only the last asks for a completion. Completions come",
                        "in order, so that one says it for all; the others cost nobody anything (unsignaled)."),
                Lesson.of(
                        "a READ, and a WRITE behind a fence",
                        OneSidedLessons::fenced,
                        "The WRITE carries what the READ before it fetches. Without the fence it would leave at once, with the old",
                        "bytes: a queue pair starts its work in order, but a READ is done only when its responses are there."));
    }

    static void write(Stage stage) {
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(1)
                .sge(stage.a.region, 1000, 3000)
                .remote(stage.b.region.address() + 20_000, stage.b.region.rKey())
                .signaled());
        stage.await(stage.a, WcOpcode.RDMA_WRITE);
        stage.b.expect(20_000, stage.a, 1000, 3000);
    }

    static void writeWithImmediate(Stage stage) {
        stage.b.queuePair.postReceive(new ReceiveWorkRequest().reset(1));
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE_WITH_IMM)
                .wrId(2)
                .sge(stage.a.region, 500, 77)
                .remote(stage.b.region.address() + 24_000, stage.b.region.rKey())
                .immediate(IMMEDIATE)
                .signaled());
        WorkCompletion received = stage.await(stage.b, WcOpcode.RECV_RDMA_WITH_IMM);
        if (!received.hasImmediate() || received.immediate() != IMMEDIATE || received.byteLength() != 77) {
            throw new ToolException(ExitStatus.FAILED, "immediate data 0xcafe and 77 bytes were due in " + received);
        }
        stage.await(stage.a, WcOpcode.RDMA_WRITE);
        stage.b.expect(24_000, stage.a, 500, 77);
    }

    static void read(Stage stage) {
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_READ)
                .wrId(1)
                .sge(stage.a.region, 40_000, 3000)
                .remote(stage.b.region.address() + 50_000, stage.b.region.rKey())
                .signaled());
        stage.await(stage.a, WcOpcode.RDMA_READ);
        stage.a.expect(40_000, stage.b, 50_000, 3000);
    }

    static void fetchAdd(Stage stage) {
        stage.b.set(COUNTER, 40);
        stage.a.queuePair.postSend(atomic(stage, WrOpcode.ATOMIC_FETCH_AND_ADD).fetchAdd(2));
        stage.await(stage.a, WcOpcode.FETCH_ADD);
        stage.a.expect(COUNTER, 40);
        stage.b.expect(COUNTER, 42);
    }

    private static void compareSwap(Stage stage) {
        stage.a.queuePair.postSend(atomic(stage, WrOpcode.ATOMIC_CMP_AND_SWP).compareSwap(42, 7));
        stage.await(stage.a, WcOpcode.COMP_SWAP);
        stage.a.expect(COUNTER, 42);
        stage.b.expect(COUNTER, 7);
        stage.a.check("compare and swap");
        stage.a.queuePair.postSend(atomic(stage, WrOpcode.ATOMIC_CMP_AND_SWP).compareSwap(42, 9));
        stage.await(stage.a, WcOpcode.COMP_SWAP);
        stage.a.expect(COUNTER, 7);
    }

    private static SendWorkRequest atomic(Stage stage, WrOpcode opcode) {
        return new SendWorkRequest()
                .reset(opcode)
                .wrId(1)
                .sge(stage.a.region, COUNTER, Long.BYTES)
                .remote(stage.b.region.address() + COUNTER, stage.b.region.rKey())
                .signaled();
    }

    static void unsignaled(Stage stage) {
        for (int index = 0; index < 4; index++) {
            SendWorkRequest wr = new SendWorkRequest()
                    .reset(WrOpcode.RDMA_WRITE)
                    .wrId(index)
                    .sge(stage.a.region, 2000 + 64 * index, 64)
                    .remote(stage.b.region.address() + 28_000 + 64 * index, stage.b.region.rKey());
            stage.a.queuePair.postSend(index == 3 ? wr.signaled() : wr);
        }
        expectId(3, stage.await(stage.a, WcOpcode.RDMA_WRITE));
        stage.b.expect(28_000, stage.a, 2000, 256);
    }

    static void fenced(Stage stage) {
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_READ)
                .wrId(1)
                .sge(stage.a.region, 44_000, 200)
                .remote(stage.b.region.address() + 60_000, stage.b.region.rKey()));
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(2)
                .sge(stage.a.region, 44_000, 200)
                .remote(stage.b.region.address() + 29_000, stage.b.region.rKey())
                .fence()
                .signaled());
        expectId(2, stage.await(stage.a, WcOpcode.RDMA_WRITE));
        stage.a.expect(44_000, stage.b, 60_000, 200);
        stage.b.expect(29_000, stage.b, 60_000, 200);
    }

    private static void expectId(long wrId, WorkCompletion completion) {
        if (completion.wrId() != wrId) {
            throw new ToolException(ExitStatus.FAILED, "wr_id " + wrId + " was due, not " + completion);
        }
    }
}
