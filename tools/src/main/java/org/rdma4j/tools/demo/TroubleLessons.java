package org.rdma4j.tools.demo;

import java.util.List;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** What a reliable connection does when things go wrong; here they do on purpose. */
final class TroubleLessons {

    private final RoceWires wires;

    TroubleLessons(RoceWires wires) {
        this.wires = wires;
    }

    List<Lesson> all() {
        return List.of(
                Lesson.of(
                        "a SEND that comes too early",
                        TroubleLessons::receiverNotReady,
                        "B has posted no receive, so there is no place for the message: B's device answers RNR NAK (receiver not",
                        "ready) with a time to wait. Meanwhile B posts one; A's device sends again. Neither program notices."),
                Lesson.of(
                        "a lost packet",
                        this::lostPacket,
                        "The second of four packets is lost. The third shows B's device the gap: it says which PSN it expects",
                        "(NAK PSN sequence error), and A's device goes back to it and sends all from there on again. On a RoCE",
                        "NIC the same happens in hardware."),
                Lesson.of(
                        "a lost last packet",
                        this::lostTail,
                        "Nothing comes behind it that could show the gap. A's device waits for the ACK until its timer runs out",
                        "(4.096 µs × 2^16 at least) and sends again."),
                Lesson.of(
                        "a WRITE with a key that B took back",
                        TroubleLessons::refused,
                        "The key from the lesson on invalidation is worth nothing any more: B's device refuses (NAK remote access",
                        "error), touches no memory, and both queue pairs end in the state ERR. A's program gets REM_ACCESS_ERR."));
    }

    private static void receiverNotReady(Stage stage) {
        long refusals = stage.b.device.decisions(Rule.RECEIVE_NOT_READY);
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .wrId(1)
                .sge(stage.a.region, 600, 32)
                .signaled());
        stage.until(() -> stage.b.device.decisions(Rule.RECEIVE_NOT_READY) > refusals, "a packet without receive");
        stage.b.postReceive(2, 30_000, 32);
        stage.await(stage.b, WcOpcode.RECV);
        stage.await(stage.a, WcOpcode.SEND);
        stage.b.expect(30_000, stage.a, 600, 32);
    }

    private void lostPacket(Stage stage) {
        wires.loseRequest(1);
        write(stage, 3000, 34_000, 4096);
    }

    private void lostTail(Stage stage) {
        wires.loseRequest(0);
        write(stage, 3000, 39_000, 512);
    }

    private void write(Stage stage, int from, int to, int size) {
        long lost = wires.losses();
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(1)
                .sge(stage.a.region, from, size)
                .remote(stage.b.region.address() + to, stage.b.region.rKey())
                .signaled());
        stage.await(stage.a, WcOpcode.RDMA_WRITE);
        if (wires.losses() != lost + 1) {
            throw new ToolException(ExitStatus.FAILED, "no packet was lost, and one was to be");
        }
        stage.b.expect(to, stage.a, from, size);
    }

    private static void refused(Stage stage) {
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(1)
                .sge(stage.a.region, 0, 64)
                .remote(stage.lent.address(), stage.lent.rKey())
                .signaled());
        stage.await(stage.a, WcStatus.REM_ACCESS_ERR);
        stage.requireEnded();
        stage.requireLentUntouched();
    }
}
