package org.rdma4j.tools.demo;

import java.util.List;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** The same operations over iWARP: the programs do the same, what is on the wire is another thing. */
final class IwarpLessons {

    private final IwarpWires wires;

    IwarpLessons(IwarpWires wires) {
        this.wires = wires;
    }

    List<Lesson> all() {
        return List.of(
                Lesson.of(
                        "SEND",
                        TwoSidedLessons::send,
                        "Both programs act: B has posted a receive, an empty buffer; A posts a SEND of 16 bytes. Its FPDU names a",
                        "queue (QN 0, for Sends) and the message's number there (MSN), which counts B's receives. Completions:",
                        "RECV at B with the length, SEND at A once TCP has taken the bytes: nobody acknowledges but TCP."),
                Lesson.of(
                        "SEND, gathered from three places and scattered to two",
                        TwoSidedLessons::scattered,
                        "One message of 2500 bytes, in as many FPDUs as it takes: each fits into one TCP segment, which is big on",
                        "loopback. A's work request names three pieces of memory, B's receive two; nobody copies them together."),
                TwoSidedLessons.INLINE,
                Lesson.of(
                        "SEND with invalidate",
                        TwoSidedLessons::withInvalidate,
                        "B had registered some more memory and lent A its key (STag). A gives it back with the message: B's",
                        "completion names it, and from then on B's device lets nobody in by it (see the next but last lesson)."),
                Lesson.of(
                        "RDMA WRITE",
                        OneSidedLessons::write,
                        "Only A acts: each FPDU names B's memory by its key (STag) and an address (TO, tagged offset). B's device",
                        "checks key and bounds and puts the bytes in place; B's program sees nothing."),
                Lesson.of(
                        "RDMA WRITE with immediate data",
                        OneSidedLessons::writeWithImmediate,
                        "RFC 7306: behind the Write goes a message of eight bytes of immediate data, of which verbs use four. It uses up",
                        "a receive of B's, which needs no buffer, and completes there as RECV_RDMA_WITH_IMM."),
                Lesson.of(
                        "RDMA READ",
                        OneSidedLessons::read,
                        "A's Read Request names both memories: where B's device shall read, and where the response goes. The Read",
                        "Response comes as a Write would, by A's own key: A's memory must be open to it."),
                Lesson.of(
                        "ATOMIC fetch and add",
                        OneSidedLessons::fetchAdd,
                        "RFC 7306 too. A adds 2 to a number in B's memory, and gets what it was before, 40."),
                OneSidedLessons.COMPARE_SWAP,
                Lesson.of(
                        "WRITEs without completion",
                        OneSidedLessons::unsignaled,
                        "Of four WRITEs only the last asks for a completion. Completions come in order, so that one says it for all;",
                        "the others cost nobody anything (unsignaled)."),
                Lesson.of(
                        "a READ, and a WRITE behind a fence",
                        OneSidedLessons::fenced,
                        "The WRITE carries what the READ before it fetches. Without the fence it would leave at once, with the old",
                        "bytes: a queue pair starts its work in order, but a READ is done only when its response is there."),
                Lesson.of(
                        "a WRITE with a key that B took back",
                        this::refused,
                        "B's device touches no memory and says why in its last words, a Terminate with the header that was wrong.",
                        "Then the connection is over: both queue pairs are in ERR. A's WRITE was complete when TCP had it; A's",
                        "program learns of it by what it wants next, here a READ: WR_FLUSH_ERR."),
                Lesson.of(
                        "a SEND that comes too early, on a new connection",
                        this::receiverNotReady,
                        "The queue pairs are reset, and connected anew. B has posted no receive: there is no \"receiver not ready\"",
                        "here, no waiting, no second try. The message has no place, and that ends the connection."));
    }

    private void refused(Stage stage) {
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_WRITE)
                .wrId(1)
                .sge(stage.a.region, 0, 64)
                .remote(stage.lent.address(), stage.lent.rKey()));
        stage.a.queuePair.postSend(new SendWorkRequest()
                .reset(WrOpcode.RDMA_READ)
                .wrId(2)
                .sge(stage.a.region, 40_000, 16)
                .remote(stage.b.region.address(), stage.b.region.rKey())
                .signaled());
        stage.await(stage.a, WcStatus.WR_FLUSH_ERR);
        stage.requireEnded();
        stage.requireLentUntouched();
    }

    private void receiverNotReady(Stage stage) {
        for (DemoEnd end : List.of(stage.a, stage.b)) {
            end.queuePair.modify(new QpAttributes().state(QpState.RESET));
        }
        wires.connect(stage);
        stage.a.queuePair.postSend(
                new SendWorkRequest().reset(WrOpcode.SEND).wrId(1).sge(stage.a.region, 600, 32));
        stage.until(() -> stage.a.queuePair.state() == QpState.ERR, "the end of the connection");
        stage.requireEnded();
    }
}
