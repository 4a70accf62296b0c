package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.packets;
import static org.rdma4j.tools.conform.suite.Shapes.refused;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.peer.BuiltInPeer;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;

/** OPS and QPS: which opcodes follow which, what receives carry, and what a queue pair does in its states. */
final class OpsChecks {

    private static final int IMMEDIATE = 0x0102_0304;

    private OpsChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(illegal());
        checks.addAll(legal());
        checks.addAll(states());
        return checks;
    }

    private static Check illegal(
            String id,
            String title,
            Service service,
            String stimulus,
            Function<Responder, Crafted[]> packets,
            int nakAt) {
        return refused(id, title, "9.7.4", service, stimulus, peer -> peer.nakInvalid(nakAt), packets);
    }

    private static List<Check> illegal() {
        return List.of(
                illegal(
                        "OPS-01a",
                        "A WRITE MIDDLE without a FIRST is refused",
                        Service.WRITE,
                        "WRITE MIDDLE",
                        peer -> packets(peer.writeMiddle(0).ackReq()),
                        0),
                illegal(
                        "OPS-01b",
                        "A WRITE LAST without a FIRST is refused",
                        Service.WRITE,
                        "WRITE LAST",
                        peer -> packets(peer.writeLast(0, 8).ackReq()),
                        0),
                illegal(
                        "OPS-01c",
                        "A SEND MIDDLE without a FIRST is refused",
                        Service.WRITE,
                        "SEND MIDDLE",
                        peer -> packets(peer.sendMiddle(0).ackReq()),
                        0),
                illegal(
                        "OPS-01d",
                        "A SEND LAST without a FIRST is refused",
                        Service.WRITE,
                        "SEND LAST",
                        peer -> packets(peer.sendLast(0, 8).ackReq()),
                        0),
                illegal(
                        "OPS-02a",
                        "A FIRST inside of a message is refused",
                        Service.WRITE,
                        "WRITE FIRST, WRITE FIRST",
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()), peer.writeFirst(1, 2L * peer.mtu())),
                        1),
                illegal(
                        "OPS-02b",
                        "An ONLY inside of a message is refused",
                        Service.WRITE,
                        "WRITE FIRST, WRITE ONLY",
                        peer -> packets(
                                peer.writeFirst(0, 2L * peer.mtu()),
                                peer.writeOnly(1, 8).ackReq()),
                        1),
                illegal(
                                "OPS-02c",
                                "A SEND ONLY inside of a SEND is refused",
                                Service.SEND,
                                "SEND FIRST, SEND ONLY",
                                peer -> packets(
                                        peer.sendFirst(0), peer.sendOnly(1, 8).ackReq()),
                                1)
                        .wearsOut(),
                illegal(
                        "OPS-03a",
                        "A SEND MIDDLE inside of a WRITE is refused",
                        Service.WRITE,
                        "WRITE FIRST, SEND MIDDLE",
                        peer -> packets(
                                peer.writeFirst(0, 3L * peer.mtu()),
                                peer.sendMiddle(1).ackReq()),
                        1),
                illegal(
                        "OPS-03b",
                        "A SEND LAST inside of a WRITE is refused",
                        Service.WRITE,
                        "WRITE FIRST, SEND LAST",
                        peer -> packets(
                                peer.writeFirst(0, 2L * peer.mtu()),
                                peer.sendLast(1, 8).ackReq()),
                        1),
                illegal(
                                "OPS-03c",
                                "A WRITE LAST inside of a SEND is refused",
                                Service.SEND,
                                "SEND FIRST, WRITE LAST",
                                peer -> packets(
                                        peer.sendFirst(0), peer.writeLast(1, 8).ackReq()),
                                1)
                        .wearsOut(),
                illegal(
                        "OPS-04a",
                        "A READ inside of a WRITE is refused",
                        Service.WRITE,
                        "WRITE FIRST, READ",
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()), peer.read(1, 8)),
                        1),
                illegal(
                        "OPS-04b",
                        "An atomic inside of a WRITE is refused",
                        Service.WRITE,
                        "WRITE FIRST, FETCH ADD",
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()), peer.fetchAdd(1, 1)),
                        1),
                illegal(
                        "OPS-13",
                        "A wrong opcode sequence is seen before a wrong R_Key",
                        Service.WRITE,
                        "WRITE FIRST, WRITE ONLY with a wrong R_Key",
                        peer -> packets(
                                peer.writeFirst(0, 2L * peer.mtu()),
                                peer.writeOnly(1, 8).rKey(0).ackReq()),
                        1));
    }

    private static List<Check> legal() {
        return List.of(
                Check.responder("OPS-05a", "FIRST and LAST are a message")
                        .clause("9.7.4")
                        .stimulus("WRITE FIRST, WRITE LAST")
                        .answer("ACK; the bytes are there")
                        .story(peer -> {
                            peer.send(Messages.write(peer, 0, peer.mtu() + 12));
                            peer.expect(peer.ack(1).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, peer.mtu() + 12));
                            peer.alive(2);
                        }),
                Check.responder("OPS-05b", "ONLY follows LAST, FIRST follows ONLY")
                        .clause("9.7.4")
                        .stimulus("FIRST, LAST, ONLY, FIRST, MIDDLE, LAST of WRITEs")
                        .answer("three messages are counted")
                        .story(peer -> {
                            peer.send(Messages.write(peer, 0, peer.mtu() + 12));
                            peer.send(peer.good(2));
                            peer.send(Messages.write(peer, 3, 3 * peer.mtu()));
                            Messages.expectLast(peer, peer.ack(5).msn(peer.msn(3)));
                            peer.alive(6);
                        }),
                Check.responder("OPS-05c", "A SEND of four packets is a message")
                        .clause("9.7.4")
                        .on(Service.SEND)
                        .stimulus("SEND FIRST, MIDDLE, MIDDLE, LAST, three path MTUs and 9 bytes")
                        .answer("one ACK, one completion with that length")
                        .story(peer -> {
                            int length = 3 * peer.mtu() + 9;
                            peer.send(Messages.send(peer, 0, length));
                            Messages.expectLast(peer, peer.ack(3).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null || completion.byteLength() == length,
                                    "the completion has another length");
                            peer.alive(4);
                        }),
                Check.responder("OPS-05d", "A SEND of no bytes is a message")
                        .clause("9.4.1")
                        .on(Service.SEND)
                        .stimulus("SEND ONLY without payload")
                        .answer("ACK, a completion of 0 bytes")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 0).ackReq());
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null || completion.byteLength() == 0,
                                    "the completion has another length");
                            peer.alive(1);
                        }),
                Check.responder("OPS-08a", "A SEND with immediate delivers it as it came")
                        .clause("9.4.1")
                        .on(Service.SEND)
                        .stimulus("SEND ONLY with immediate 0x01020304")
                        .answer("ACK, a completion with that immediate")
                        .story(peer -> {
                            peer.send(peer.packet(Opcode.RC_SEND_ONLY_WITH_IMMEDIATE, 0)
                                    .imm(IMMEDIATE)
                                    .payload(8)
                                    .ackReq());
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null
                                            || completion.hasImmediate() && completion.immediate() == IMMEDIATE,
                                    "the completion has another immediate");
                            peer.alive(1);
                        }),
                Check.responder("OPS-08b", "A LAST with immediate ends a SEND")
                        .clause("9.4.1")
                        .on(Service.SEND)
                        .stimulus("SEND FIRST, LAST with immediate")
                        .answer("ACK, a completion with length and immediate")
                        .story(peer -> {
                            peer.send(
                                    peer.sendFirst(0),
                                    peer.packet(Opcode.RC_SEND_LAST_WITH_IMMEDIATE, 1)
                                            .imm(IMMEDIATE)
                                            .payload(8)
                                            .ackReq());
                            peer.expect(peer.ack(1).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null
                                            || completion.immediate() == IMMEDIATE
                                                    && completion.byteLength() == peer.mtu() + 8,
                                    "the completion has another immediate or length");
                            peer.alive(2);
                        }),
                Check.responder("OPS-09", "A WRITE with immediate takes a receive and writes nothing to it")
                        .clause("9.4.3")
                        .on(Service.ALL)
                        .inside("receives and REMOTE_WRITE on one queue pair")
                        .stimulus("WRITE ONLY with immediate, 16 bytes")
                        .answer("ACK; a completion RECV_RDMA_WITH_IMM of 16 bytes with the immediate")
                        .story(peer -> {
                            Crafted write = peer.writeOnlyImm(0, 16, IMMEDIATE).ackReq();
                            byte[] before = peer.inside().bytes(Inside.RECEIVES, 64);
                            peer.send(write);
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            var completion = peer.completes(0, WcStatus.SUCCESS);
                            peer.require(
                                    completion.opcode() == WcOpcode.RECV_RDMA_WITH_IMM
                                            && completion.immediate() == IMMEDIATE
                                            && completion.byteLength() == 16,
                                    "the completion is " + completion);
                            peer.memoryIs(0, write.bytes());
                            peer.memoryIs(Inside.RECEIVES, before);
                            peer.alive(1);
                        }),
                Check.responder("OPS-07", "A SEND with invalidate of a key that cannot be invalidated gets no NAK")
                        .clause("9.9.3")
                        .on(Service.ALL)
                        .inside("sees the receive's completion")
                        .stimulus("SEND ONLY with invalidate of an R_Key that nobody has")
                        .answer("no NAK; the receive completes in error, ERR")
                        .story(peer -> {
                            peer.send(peer.packet(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0)
                                    .invalidates(~peer.connection().rKey())
                                    .payload(8)
                                    .ackReq());
                            peer.stateIs(QpState.ERR);
                            peer.silence();
                            var completion = peer.inside().poll();
                            peer.require(
                                    completion != null && completion.status() != WcStatus.SUCCESS,
                                    "the receive did not complete in error");
                            peer.spend();
                        }));
    }

    private static List<Check> states() {
        return List.of(
                Check.responder("QPS-04", "A queue pair in ERR drops all that comes")
                        .clause("10.3.1")
                        .stimulus("a refused WRITE; then good WRITEs, a READ, a gap")
                        .answer("one NAK, then silence")
                        .story(peer -> {
                            peer.send(peer.writeOnly(0, 8).rKey(0).ackReq());
                            peer.expect(peer.nakAccess(0));
                            peer.send(peer.good(0), peer.good(-1), peer.read(1, 8), peer.good(40));
                            peer.dead();
                        }),
                Check.responder("QPS-04b", "A queue pair that its owner moves to ERR drops all that comes")
                        .clause("10.3.1")
                        .inside("modifies the queue pair")
                        .stimulus("modify to ERR, then a good WRITE")
                        .answer("silence")
                        .story(peer -> {
                            peer.inside().qp().modify(new QpAttributes().state(QpState.ERR));
                            peer.dead();
                        }),
                Check.responder("QPS-07", "Receives are flushed in order when the queue pair ends")
                        .clause("10.3.1")
                        .on(Service.SEND)
                        .inside("completions")
                        .stimulus("a WRITE where only SENDs are allowed")
                        .answer("NAK invalid request; all receives complete, WR_FLUSH_ERR, in order")
                        .story(peer -> {
                            peer.send(peer.writeOnly(0, 8).ackReq());
                            peer.expect(peer.nakInvalid(0));
                            for (int id = 1; id < BuiltInPeer.RECEIVES; id++) {
                                peer.completes(id, WcStatus.WR_FLUSH_ERR);
                            }
                            peer.completesNothing();
                            peer.dead();
                        }),
                Check.responder("QPS-01", "A queue pair in INIT drops all that comes")
                        .clause("10.3.1")
                        .inside("modifies the queue pair")
                        .stimulus("modify to RESET and INIT, then a good WRITE")
                        .answer("silence")
                        .story(peer -> {
                            peer.inside().qp().modify(new QpAttributes().state(QpState.RESET));
                            peer.inside()
                                    .qp()
                                    .modify(new QpAttributes()
                                            .state(QpState.INIT)
                                            .pkeyIndex(0)
                                            .port(1)
                                            .accessFlags(peer.service().access()));
                            peer.send(peer.good(0));
                            peer.silence();
                            peer.stateIs(QpState.INIT);
                            peer.spend();
                        }));
    }
}
