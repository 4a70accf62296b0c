package org.rdma4j.tools.demo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;

/** SEND in all its forms: the sender sends, the receiver says where the bytes go. */
final class TwoSidedLessons {

    private static final int IMMEDIATE = 0x1234_5678;

    /** The same whatever the family. */
    static final Lesson INLINE = Lesson.of(
            "SEND of inline data",
            TwoSidedLessons::inline,
            "The 40 bytes are copied when they are posted, from memory that need not be registered and may be reused",
            "at once. On the wire no difference is to be seen.");

    private TwoSidedLessons() {}

    static List<Lesson> all() {
        return List.of(
                Lesson.of(
                        "SEND",
                        TwoSidedLessons::send,
                        "Both programs act: B has posted a receive, an empty buffer; A posts a SEND of 16 bytes. Neither knows",
                        "the other's addresses. Completions: RECV at B with the length, SEND at A when B's ACK is there.",
                        "Zero copy: the bytes go from A's registered memory into the packet, and from the packet into B's."),
                Lesson.of(
                        "SEND, gathered from three places and scattered to two",
                        TwoSidedLessons::scattered,
                        "One message of 2500 bytes: cut into packets of the path MTU, 1024 bytes. A's work request names three",
                        "pieces of memory, B's receive two; nobody copies them together first."),
                Lesson.of(
                        "SEND with immediate data",
                        TwoSidedLessons::withImmediate,
                        "Four bytes go along that end up in B's completion instead of memory: a tag, a length, a request number."),
                INLINE,
                Lesson.of(
                        "SEND with invalidate",
                        TwoSidedLessons::withInvalidate,
                        "B had registered some more memory and lent A its key. A gives it back with the message: B's completion",
                        "names the key, and from then on B's device lets nobody in by it (see the last lesson)."));
    }

    static void send(Stage stage) {
        stage.b.postReceive(1, 4096, 64);
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .wrId(2)
                .sge(stage.a.region, 0, 16)
                .signaled());
        received(stage, 16);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(4096, stage.a, 0, 16);
    }

    static void scattered(Stage stage) {
        stage.b.queuePair.postReceive(new ReceiveWorkRequest()
                .reset(1)
                .sge(stage.b.region, 8000, 1500)
                .sge(stage.b.region, 12_000, 2000));
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .wrId(2)
                .sge(stage.a.region, 100, 1000)
                .sge(stage.a.region, 5000, 3)
                .sge(stage.a.region, 7001, 1497)
                .signaled());
        received(stage, 2500);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(8000, stage.a, 100, 1000);
        stage.b.expect(9000, stage.a, 5000, 3);
        stage.b.expect(9003, stage.a, 7001, 497);
        stage.b.expect(12_000, stage.a, 7498, 1000);
    }

    private static void withImmediate(Stage stage) {
        stage.b.postReceive(1, 16_000, 100);
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND_WITH_IMM)
                .wrId(2)
                .sge(stage.a.region, 200, 100)
                .immediate(IMMEDIATE)
                .signaled());
        WorkCompletion received = received(stage, 100);
        check(received.hasImmediate() && received.immediate() == IMMEDIATE, "the immediate data", received);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(16_000, stage.a, 200, 100);
    }

    private static void inline(Stage stage) {
        stage.b.postReceive(1, 17_000, 100);
        MemorySegment notRegistered = MemorySegment.ofArray(new byte[40]);
        MemorySegment.copy(stage.a.memory, 300, notRegistered, 0, 40);
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .wrId(2)
                .inlineData(notRegistered, 0, 40)
                .signaled());
        notRegistered.fill((byte) 0);
        received(stage, 40);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(17_000, stage.a, 300, 40);
    }

    static void withInvalidate(Stage stage) {
        MemoryRegion lent = stage.b.register(Arena.ofAuto().allocate(Stage.LENT, 4096));
        stage.lent = lent;
        stage.b.postReceive(1, 18_000, 100);
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND_WITH_INV)
                .wrId(2)
                .sge(stage.a.region, 400, 8)
                .invalidate(lent.rKey())
                .signaled());
        WorkCompletion received = received(stage, 8);
        boolean isNamed = received.hasInvalidatedKey() && received.invalidatedKey() == lent.rKey();
        check(isNamed, "the invalidated key", received);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(18_000, stage.a, 400, 8);
    }

    private static WorkCompletion received(Stage stage, int length) {
        WorkCompletion received = stage.await(stage.b, WcOpcode.RECV);
        check(received.byteLength() == length, "a length of " + length, received);
        return received;
    }

    private static void check(boolean isRight, String what, WorkCompletion completion) {
        if (!isRight) {
            throw new ToolException(ExitStatus.FAILED, what + " was due in " + completion);
        }
    }
}
