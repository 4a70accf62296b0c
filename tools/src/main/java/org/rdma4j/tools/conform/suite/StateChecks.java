package org.rdma4j.tools.conform.suite;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Scene;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** QPS and MEM: states, events and memory that a check has to look inside of the peer for. */
final class StateChecks {

    /** A local ACK timeout of more than a second: nothing comes again meanwhile. */
    private static final Setup PATIENT = Setup.STOCK.withTimeout(18, 7);

    private static final int[] PIECES = {5, 1000, 3001};

    private StateChecks() {}

    static List<Check> all() {
        return List.of(
                Check.responder("QPS-02", "In RTR requests are answered, and the first one is an event")
                        .clause("10.3.1")
                        .inside("modifies the queue pair")
                        .stimulus("modify to RESET, INIT and RTR; two good WRITEs; modify to RTS; another")
                        .answer("ACKs to all; COMM_EST once")
                        .story(peer -> {
                            pastEvents(peer);
                            toRtr(peer);
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0));
                            peer.send(peer.good(1));
                            peer.expect(peer.ack(1));
                            peer.stateIs(QpState.RTR);
                            events(peer, AsyncEventType.COMM_EST);
                            toRts(peer);
                            peer.alive(2);
                        }),
                Check.responder("QPS-03d", "In RTR responses are dropped")
                        .clause("10.3.1")
                        .inside("modifies the queue pair")
                        .stimulus("modify to RESET, INIT and RTR; an ACK, a READ response, a NAK; modify to RTS")
                        .answer("silence; then requests are answered as ever")
                        .story(peer -> {
                            toRtr(peer);
                            peer.send(
                                    peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.ACK_UNLIMITED, 1)),
                                    peer.packet(
                                                    Opcode.RC_RDMA_READ_RESPONSE_ONLY,
                                                    0,
                                                    new Aeth(Syndrome.ACK_UNLIMITED, 1))
                                            .payload(8),
                                    peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 1)));
                            peer.silence();
                            peer.stateIs(QpState.RTR);
                            toRts(peer);
                            peer.alive(0);
                        }),
                Check.responder("QPS-09", "Over RESET a queue pair is used anew")
                        .clause("10.3.1")
                        .inside("modifies the queue pair")
                        .stimulus("a refused WRITE; modify to RESET, INIT, RTR and RTS; good WRITEs from PSN n on")
                        .answer("a NAK; then ACKs with MSNs from 1 on, and no completion of the former life")
                        .story(peer -> {
                            peer.send(peer.good(0).rKey(0));
                            peer.expect(peer.nakAccess(0));
                            peer.stateIs(QpState.ERR);
                            toRtr(peer);
                            toRts(peer);
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0).msn(1));
                            peer.completesNothing();
                            peer.alive(1);
                        }),
                draining(),
                event(
                        "QPS-13a",
                        "A WRITE with a wrong key ends the queue pair with an event",
                        "a WRITE with a wrong R_Key; no receive is posted",
                        AsyncEventType.QP_ACCESS_ERR,
                        peer -> peer.good(0).rKey(0),
                        Syndrome.NAK_REMOTE_ACCESS),
                event(
                        "QPS-13b",
                        "A request that is none ends the queue pair with an event",
                        "a WRITE LAST that goes on with nothing; no receive is posted",
                        AsyncEventType.QP_REQ_ERR,
                        peer -> peer.writeLast(0, 8).ackReq(),
                        Syndrome.NAK_INVALID_REQUEST),
                Check.responder("QPS-14", "A receive that names memory that is not its own is the receiver's fault")
                        .clause("9.9.3")
                        .on(Service.SEND)
                        .setup(Setup.STOCK.withReceives(1, Setup.RECEIVE_SIZE))
                        .inside("posts a receive with a wrong L_Key")
                        .stimulus("a SEND to a receive with a wrong L_Key")
                        .answer("NAK remote operational error; LOC_PROT_ERR; the queue pair has ended")
                        .story(peer -> {
                            Inside inside = peer.inside();
                            inside.qp()
                                    .postReceive(new ReceiveWorkRequest()
                                            .reset(1)
                                            .sge(
                                                    inside.region().address() + Inside.RECEIVES,
                                                    64,
                                                    ~inside.region().lKey()));
                            peer.send(peer.good(0));
                            peer.expect(peer.nak(0, Syndrome.NAK_REMOTE_OPERATIONAL));
                            peer.completes(1, WcStatus.LOC_PROT_ERR);
                            peer.dead();
                        }),
                Check.responder("QPS-16", "Behind its destruction nothing of a queue pair is written or answered")
                        .clause("10.2.4")
                        .inside("destroys the queue pair")
                        .stimulus("WRITE FIRST; the queue pair is destroyed; LAST, and a good WRITE")
                        .answer("silence; LAST and the WRITE behind it are not in memory")
                        .story(peer -> {
                            int length = peer.mtu() + 64;
                            Crafted[] message = Messages.write(peer, 0, length);
                            byte[] before = peer.inside().bytes(peer.mtu(), 64);
                            peer.send(message[0]);
                            peer.silence();
                            peer.inside().qp().close();
                            peer.send(
                                    message[1],
                                    peer.writeOnly(2, 8).moved(peer.mtu()).ackReq());
                            peer.silence();
                            peer.memoryIs(peer.mtu(), before);
                            peer.spend();
                        }),
                Check.responder("MEM-03", "A repeated WRITE does not undo what the application wrote since")
                        .clause("C9-105")
                        .inside("writes to the memory")
                        .stimulus("a WRITE; the peer's application changes the bytes; the WRITE again")
                        .answer("ACK to both; devices may write again, though they need not")
                        .open("not executed again", "executed again")
                        .story(peer -> {
                            Crafted write = peer.good(0);
                            peer.send(write);
                            peer.expect(peer.ack(0));
                            byte[] changed = new byte[Responder.SMALL];
                            Arrays.fill(changed, (byte) 0x3C);
                            peer.inside().set(0, changed);
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0));
                            byte[] found = peer.inside().bytes(0, changed.length);
                            boolean kept = Arrays.equals(found, changed);
                            peer.require(
                                    kept || Arrays.equals(found, write.bytes()),
                                    "the memory holds what neither of them wrote");
                            peer.records(kept ? "not executed again" : "executed again");
                            peer.alive(1);
                        }),
                scattered());
    }

    private static QpAttributes to(QpState state) {
        return new QpAttributes().state(state);
    }

    /** The peer's queue pair begins anew, and waits for the story's place 0. */
    private static void toRtr(Responder peer) {
        Inside inside = peer.inside();
        inside.qp().modify(to(QpState.RESET));
        inside.qp()
                .modify(to(QpState.INIT)
                        .pkeyIndex(0)
                        .port(1)
                        .accessFlags(peer.service().access()));
        inside.qp()
                .modify(to(QpState.RTR)
                        .av(AhAttributes.to(peer.connection().line().gid()))
                        .pathMtu(peer.mtu())
                        .destQpNum(peer.connection().line().qpn())
                        .rqPsn(peer.psn(0))
                        .maxDestRdAtomic(Setup.STOCK.maxDestRdAtomic())
                        .minRnrTimer(Setup.STOCK.minRnrTimer()));
    }

    private static void toRts(Responder peer) {
        peer.inside()
                .qp()
                .modify(to(QpState.RTS)
                        .sqPsn(peer.connection().peerPsn())
                        .timeout(Setup.STOCK.timeout())
                        .retryCount(Setup.STOCK.retries())
                        .rnrRetry(Setup.STOCK.rnrRetries())
                        .maxRdAtomic(Setup.STOCK.maxRdAtomic()));
    }

    private static AsyncEvent nextEvent(Scene peer) {
        try {
            return peer.inside().device().getAsyncEvent(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What other stories have left behind. */
    private static void pastEvents(Scene peer) {
        AsyncEvent event = nextEvent(peer);
        while (event != null) {
            event = nextEvent(peer);
        }
    }

    /** This event comes, once, and none beside it. */
    private static void events(Scene peer, AsyncEventType type) {
        long limit = peer.connection().timing().answer();
        AsyncEvent event = peer.connection().pace().await(() -> nextEvent(peer), limit);
        peer.require(event != null, "the event " + type + " did not come");
        peer.require(event.type() == type, "the event " + event.type() + " came in place of " + type);
        AsyncEvent more = nextEvent(peer);
        peer.require(more == null, "another event came: " + (more == null ? "" : more.type()));
    }

    private static Check event(
            String id,
            String title,
            String stimulus,
            AsyncEventType type,
            Function<Responder, Crafted> packet,
            int syndrome) {
        return Check.responder(id, title)
                .clause("9.9.3")
                .inside("events")
                .stimulus(stimulus)
                .answer("its NAK, one event " + type + ", the queue pair in ERR")
                .story(peer -> {
                    pastEvents(peer);
                    peer.send(packet.apply(peer));
                    peer.expect(peer.nak(0, syndrome));
                    peer.stateIs(QpState.ERR);
                    events(peer, type);
                    peer.dead();
                });
    }

    private static Check draining() {
        return Check.requester("QPS-11", "SQD finishes what was started and starts nothing")
                .clause("10.3.1")
                .inside("modifies the queue pair")
                .work(Work.Op.WRITE, 2, 64)
                .setup(PATIENT)
                .stimulus("two WRITEs are out; modify to SQD; a third is posted; ACK to the two; modify to RTS")
                .answer("the two complete, then SQ_DRAINED; the third goes out in RTS, with the next PSN")
                .play(peer -> {
                    pastEvents(peer);
                    peer.expectAll();
                    peer.inside().qp().modify(to(QpState.SQD).sqdAsyncNotify(true));
                    peer.inside().post(new Work(Work.Op.WRITE, 64, 1));
                    peer.silence();
                    peer.send(peer.ack(1));
                    peer.completes(0, WcStatus.SUCCESS);
                    peer.completes(1, WcStatus.SUCCESS);
                    events(peer, AsyncEventType.SQ_DRAINED);
                    peer.silence();
                    peer.inside().qp().modify(to(QpState.RTS));
                    peer.expect(new Expected(Opcode.RC_RDMA_WRITE_ONLY, peer.psn(2)).length(64));
                    peer.send(peer.ack(2));
                    peer.completes(0, WcStatus.SUCCESS);
                    peer.completesNothing();
                });
    }

    private static Check scattered() {
        return Check.responder("MEM-05", "A SEND is scattered over the pieces of its receive, byte by byte")
                .clause("10.8")
                .on(Service.SEND)
                .setup(Setup.STOCK.withReceives(1, Setup.RECEIVE_SIZE))
                .inside("posts a receive of three pieces")
                .stimulus("a SEND of 4000 bytes to a receive of 5, 1000 and 3001 bytes, far apart")
                .answer("each piece has its part, the last one's end and what lies between are as before")
                .story(peer -> {
                    Inside inside = peer.inside();
                    int length = 4000;
                    byte[] due = inside.bytes(0, Inside.TARGET);
                    ReceiveWorkRequest receive = new ReceiveWorkRequest().reset(1);
                    byte[] sent = peer.message(0, length);
                    int done = 0;
                    for (int piece = 0; piece < PIECES.length; piece++) {
                        int at = 33 + 8192 * piece;
                        receive.sge(inside.region(), at, PIECES[piece]);
                        int part = Math.min(PIECES[piece], length - done);
                        System.arraycopy(sent, done, due, at, part);
                        done += part;
                    }
                    inside.qp().postReceive(receive);
                    Crafted[] message = Messages.send(peer, 0, length);
                    peer.send(message);
                    Messages.expectLast(peer, peer.ack(message.length - 1).msn(peer.msn(1)));
                    var completion = peer.completes(1, WcStatus.SUCCESS);
                    peer.require(completion.byteLength() == length, "the completion has another length");
                    peer.memoryIs(0, due);
                    inside.receive(2, Setup.RECEIVE_SIZE);
                    peer.alive(message.length);
                });
    }
}
