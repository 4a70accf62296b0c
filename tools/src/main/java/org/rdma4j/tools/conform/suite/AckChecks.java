package org.rdma4j.tools.conform.suite;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** ACK: acknowledgements, NAKs, MSN and credits, in both roles. */
final class AckChecks {

    private AckChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(responder());
        checks.addAll(acks());
        checks.addAll(naks());
        return checks;
    }

    private static List<Check> responder() {
        return List.of(
                Check.responder("ACK-01a", "A WRITE that asks gets an ACK with its PSN")
                        .clause("C9-060")
                        .stimulus("WRITE ONLY with AckReq")
                        .answer("one ACK: PSN n, an acknowledging syndrome, MSN one more")
                        .story(peer -> {
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.silence();
                            peer.alive(1);
                        }),
                Check.responder("ACK-01b", "A SEND that asks gets an ACK with its PSN")
                        .clause("C9-060")
                        .on(Service.SEND)
                        .stimulus("SEND ONLY with AckReq")
                        .answer("one ACK; the receive completes with the bytes")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 24).ackReq());
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null || completion.byteLength() == 24,
                                    "the completion does not say 24 bytes");
                            peer.alive(1);
                        }),
                Check.responder("ACK-02", "A message that asks with its last packet is acknowledged")
                        .clause("C9-060")
                        .stimulus("a WRITE of three packets, AckReq on the last")
                        .answer("an ACK of the last packet, and none behind it")
                        .story(peer -> {
                            peer.send(Messages.write(peer, 0, 3 * peer.mtu()));
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(1)));
                            peer.silence();
                            peer.alive(3);
                        }),
                Check.responder("ACK-03", "What does not ask is covered by a later acknowledgement")
                        .clause("9.7.5")
                        .stimulus("two WRITEs without AckReq, one with it")
                        .answer("the last ACK has the third one's PSN and counts three messages")
                        .story(peer -> {
                            peer.send(peer.writeOnly(0, 8), peer.writeOnly(1, 8), peer.good(2));
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(3)));
                            peer.alive(3);
                        }),
                Check.responder("ACK-04", "A packet inside of a message that asks is acknowledged")
                        .clause("9.7.5")
                        .stimulus("FIRST and MIDDLE of a WRITE, AckReq on the MIDDLE; later the LAST")
                        .answer("an ACK of the MIDDLE with the MSN of before; then one of the LAST")
                        .story(peer -> {
                            peer.send(
                                    peer.writeFirst(0, 2L * peer.mtu() + 8),
                                    peer.writeMiddle(1).ackReq());
                            peer.expect(peer.ack(1).msn(peer.msn(0)));
                            peer.send(peer.writeLast(2, 8).ackReq());
                            peer.expect(peer.ack(2).msn(peer.msn(1)));
                            peer.alive(3);
                        }),
                Check.responder("ACK-05a", "The MSN counts messages, not packets")
                        .clause("C9-060")
                        .stimulus("WRITEs of one, three and two packets")
                        .answer("ACKs with MSN +1, +2, +3")
                        .story(peer -> {
                            peer.send(Messages.write(peer, 0, 8));
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.send(Messages.write(peer, 1, 3 * peer.mtu()));
                            Messages.expectLast(peer, peer.ack(3).msn(peer.msn(2)));
                            peer.send(Messages.write(peer, 4, 2 * peer.mtu()));
                            Messages.expectLast(peer, peer.ack(5).msn(peer.msn(3)));
                            peer.alive(6);
                        }),
                Check.responder("ACK-05b", "The MSN counts SENDs")
                        .clause("C9-060")
                        .on(Service.SEND)
                        .stimulus("SENDs of one and of two packets")
                        .answer("ACKs with MSN +1, +2")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 8).ackReq());
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.send(Messages.send(peer, 1, peer.mtu() + 8));
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(2)));
                            peer.alive(3);
                        }),
                Check.responder("ACK-05c", "The MSN counts atomics")
                        .clause("C9-060")
                        .on(Service.ATOMIC)
                        .stimulus("two FETCH ADDs")
                        .answer("ATOMIC ACKNOWLEDGEs with MSN +1, +2")
                        .story(peer -> {
                            peer.send(peer.fetchAdd(0, 1), peer.fetchAdd(1, 1));
                            peer.expect(
                                    peer.atomicAck(0).msn(peer.msn(1)),
                                    peer.atomicAck(1).msn(peer.msn(2)));
                            peer.alive(2);
                        }),
                Check.responder("ACK-06", "A READ counts when it is taken on")
                        .clause("C9-148")
                        .on(Service.READ)
                        .stimulus("a READ of two packets")
                        .answer("FIRST and LAST carry the same MSN, which counts this READ")
                        .story(peer -> {
                            peer.send(peer.read(0, 2L * peer.mtu()));
                            peer.expect(
                                    peer.readFirst(0).msn(peer.msn(1)),
                                    peer.readLast(1, peer.mtu()).msn(peer.msn(1)));
                            peer.alive(2);
                        }),
                Check.responder("ACK-07a", "A sequence NAK carries the MSN of the last complete message")
                        .clause("9.7.7")
                        .stimulus("FIRST of a WRITE, then a gap")
                        .answer("NAK with the MSN of before")
                        .story(peer -> {
                            peer.send(peer.writeFirst(0, 3L * peer.mtu()), peer.writeLast(2, peer.mtu()));
                            peer.expect(peer.nakSequence(1).msn(peer.msn(0)));
                            peer.send(
                                    peer.writeMiddle(1),
                                    peer.writeLast(2, peer.mtu()).ackReq());
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(1)));
                            peer.alive(3);
                        }),
                Check.responder("ACK-07b", "A duplicate's ACK carries the MSN of now")
                        .clause("9.7.7")
                        .stimulus("three WRITEs, then the first one again")
                        .answer("an ACK of the third with MSN +3")
                        .story(peer -> {
                            peer.send(peer.good(0), peer.good(1), peer.good(2));
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(3)));
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(2).msn(peer.msn(3)));
                            peer.alive(3);
                        }),
                Check.responder("ACK-08", "The PSNs of ACKs do not go back")
                        .clause("9.7.5")
                        .stimulus("sixteen WRITEs that ask, at once")
                        .answer("ACKs whose PSNs only rise, the last one with the last PSN")
                        .story(peer -> {
                            for (int place = 0; place < 16; place++) {
                                peer.send(peer.good(place));
                            }
                            int last = -1;
                            while (last < 15) {
                                Seen ack = peer.next();
                                int place = Psn.difference(ack.psn(), peer.psn(0));
                                peer.require(
                                        ack.opcode() == Opcode.RC_ACKNOWLEDGE && place > last && place < 16,
                                        "after the ACK of +" + last + " came " + peer.describe(ack));
                                last = place;
                            }
                            peer.alive(16);
                        }),
                Check.responder("ACK-09", "A READ's responses go out before the ACK of what follows")
                        .clause("C9-027")
                        .on(Service.ALL)
                        .inside("rights to read and to write on one queue pair")
                        .stimulus("a READ of three packets and a WRITE behind it")
                        .answer("FIRST, MIDDLE, LAST, then the ACK")
                        .story(peer -> {
                            peer.send(peer.read(0, 3L * peer.mtu()), peer.good(3));
                            peer.expect(
                                    peer.readFirst(0),
                                    peer.readMiddle(1),
                                    peer.readLast(2, peer.mtu()),
                                    peer.ack(3).msn(peer.msn(2)));
                            peer.alive(4);
                        }),
                Check.responder("ACK-10", "Atomics, READs and WRITEs are answered in the order of PSNs")
                        .clause("C9-027")
                        .on(Service.ALL)
                        .inside("all rights on one queue pair")
                        .stimulus("FETCH ADD, READ, WRITE, FETCH ADD at once")
                        .answer("their four answers in that order")
                        .story(peer -> {
                            peer.send(
                                    peer.fetchAdd(0, 1).moved(1024),
                                    peer.read(1, 8),
                                    peer.good(2),
                                    peer.fetchAdd(3, 1).moved(1024));
                            peer.expect(peer.atomicAck(0), peer.readOnly(1, 8));
                            Seen third = peer.next();
                            if (third.opcode() == Opcode.RC_ACKNOWLEDGE) {
                                peer.require(peer.ack(2).mismatch(third.packet()) == null, peer.describe(third));
                                peer.expect(peer.atomicAck(3));
                            } else {
                                // The atomic's answer acknowledges the WRITE before it too.
                                String mismatch = peer.atomicAck(3).mismatch(third.packet());
                                peer.require(mismatch == null, peer.describe(third) + ": " + mismatch);
                            }
                            peer.alive(4);
                        }),
                Check.responder("ACK-11", "Credits grant no more receives than wait")
                        .clause("9.7.7")
                        .on(Service.ALL)
                        .setup(Setup.STOCK.withReceives(6, 256))
                        .inside("knows how many receives are posted")
                        .stimulus("two SENDs where six receives are posted")
                        .answer("ACKs with at most five, then at most four credits, or without credits")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 8).ackReq());
                            credits(peer, 0, 5);
                            peer.send(peer.sendOnly(1, 8).ackReq());
                            credits(peer, 1, 4);
                            peer.alive(2);
                        }),
                Check.responder("ACK-29", "A READ that is refused gets a NAK with the PSN of its first response")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("a READ of three packets with a wrong R_Key")
                        .answer("an ACKNOWLEDGE packet with NAK remote access error and PSN n, no data")
                        .story(peer -> {
                            peer.send(peer.read(0, 3L * peer.mtu())
                                    .rKey(~peer.connection().rKey()));
                            peer.refused(peer.nakAccess(0));
                        }));
    }

    private static void credits(Responder peer, int place, int most) {
        Seen ack = peer.expectWithin(peer.connection().timing().answer(), peer.ack(place));
        int code =
                Syndrome.value(ack.packet().extension(Aeth.class).orElseThrow().syndrome());
        peer.require(
                code == Syndrome.NO_CREDITS || Syndrome.credits(code) <= most,
                "the ACK grants " + (code == Syndrome.NO_CREDITS ? 0 : Syndrome.credits(code)) + " credits where "
                        + most + " receives wait");
    }

    private static List<Check> acks() {
        return List.of(
                Check.requester("ACK-12", "WRITEs need no credits")
                        .clause("9.7.7")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("the first of three WRITEs is acknowledged with no credit")
                        .answer("the others are sent all the same")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.ackWithCredits(0, 0));
                            peer.expect(peer.message(1));
                            peer.expect(peer.message(2));
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                        }),
                Check.requester("ACK-13", "An ACK that comes again completes nothing again")
                        .clause("9.7.7")
                        .work(Work.Op.WRITE, 2, 64)
                        .stimulus("the ACK of the first WRITE, three times; then that of the second")
                        .answer("each completes once")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(0), peer.ack(0), peer.ack(0));
                            peer.succeeded(1);
                            peer.silence();
                            peer.completesNothing();
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                        }),
                Check.requester("ACK-14", "An ACK of the last of three messages completes all three, in order")
                        .clause("C9-060")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("three WRITEs, one ACK with the last PSN")
                        .answer("three completions in order; nothing is sent again")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                            peer.silence();
                        }),
                Check.requester("ACK-15", "An ACK of the first of three messages completes only that")
                        .clause("C9-060")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("three WRITEs, an ACK of the first")
                        .answer("one completion, the others wait")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                            peer.pass(peer.connection().timing().quiet() / 2);
                            peer.completesNothing();
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                        }),
                Check.requester("ACK-16", "An ACK inside of a message completes nothing")
                        .clause("9.7.6")
                        .work(Work.Op.WRITE, 1, mtu -> 3 * mtu)
                        .stimulus("a WRITE of three packets, an ACK of the second")
                        .answer("no completion; after the timeout the third comes again, alone")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.ack(1));
                            peer.pass(peer.connection().timing().quiet() / 2);
                            peer.completesNothing();
                            peer.expectSkippingResends(peer.message(0)[2]);
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                unheard(
                        "ACK-17",
                        "An ACK of what was not sent is ignored",
                        "an ACK with a PSN behind all that was sent; then the right one",
                        40),
                unheard(
                        "ACK-18",
                        "An ACK older than all that is outstanding is ignored",
                        "an ACK with the PSN before the first one; then the right one",
                        -1),
                reserved("ACK-19a", "A syndrome of the reserved class 010 does no harm", 0x41),
                reserved("ACK-19b", "A syndrome with its highest bit set does no harm", 0x9F),
                reserved("ACK-20", "A NAK with a reserved cause does no harm", 0x6A));
    }

    private static Check unheard(String id, String title, String stimulus, int place) {
        return Check.requester(id, title)
                .clause("9.7.5")
                .work(Work.Op.WRITE, 1, 64)
                .stimulus(stimulus)
                .answer("nothing completes before the right one")
                .play(peer -> {
                    peer.expectAll();
                    peer.send(peer.ack(place));
                    peer.pass(peer.connection().timing().quiet() / 2);
                    peer.completesNothing();
                    peer.send(peer.ack(0));
                    peer.succeeded(1);
                });
    }

    private static Check reserved(String id, String title, int syndrome) {
        return Check.requester(id, title)
                .clause("9.7.5")
                .work(Work.Op.WRITE, 1, 64)
                .stimulus(String.format("an AETH with syndrome 0x%02x", syndrome))
                .answer("ignored, or the request fails; either way the peer goes on")
                .open("ignored", "the request fails")
                .play(peer -> {
                    peer.expectAll();
                    peer.send(peer.nak(0, syndrome));
                    peer.nextUnlessFailed();
                    if (peer.hasFailed()) {
                        peer.records("the request fails");
                        peer.abandoned();
                        return;
                    }
                    peer.completesNothing();
                    peer.send(peer.ack(0));
                    peer.succeeded(1);
                    peer.records("ignored");
                });
    }

    private static List<Check> naks() {
        return List.of(
                Check.requester("ACK-21", "A sequence NAK completes what is before it and the resend starts there")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 4, 64)
                        .stimulus("four WRITEs, NAK sequence error with the third one's PSN")
                        .answer("two completions; the third and the fourth come again")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.nakSequence(2));
                            peer.expect(peer.message(2));
                            peer.expect(peer.message(3));
                            peer.succeeded(2);
                            peer.send(peer.ack(3));
                            peer.succeeded(4);
                            peer.silence();
                        }),
                Check.requester(
                                "ACK-22a",
                                "A sequence NAK inside of a WRITE is answered from there, without another RETH")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 1, mtu -> 3 * mtu + 8)
                        .stimulus("a WRITE of four packets, NAK with the second one's PSN")
                        .answer("MIDDLE, MIDDLE, LAST again")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.nakSequence(1));
                            peer.expect(peer.messageFrom(1));
                            peer.send(peer.ack(3));
                            peer.succeeded(1);
                        }),
                Check.requester("ACK-22b", "A sequence NAK inside of a SEND is answered from there")
                        .clause("9.7.5")
                        .work(Work.Op.SEND, 1, mtu -> 2 * mtu + 8)
                        .stimulus("a SEND of three packets, NAK with the last one's PSN")
                        .answer("LAST again, alone")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.nakSequence(2));
                            peer.expect(peer.messageFrom(2));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                Check.requester("ACK-23", "A sequence NAK of a PSN that is not outstanding is ignored")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 2, 64)
                        .stimulus("two WRITEs, an ACK of both, then a NAK with the first one's PSN")
                        .answer("nothing is sent again")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                            peer.send(peer.nakSequence(0));
                            peer.silence();
                        }),
                Check.requester("ACK-24", "A NAK that comes twice does no harm")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("three WRITEs, the same NAK twice")
                        .answer("the rest comes again, once; or once more")
                        .open("one resend", "two resends")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.nakSequence(1), peer.nakSequence(1));
                            peer.expect(peer.message(1));
                            peer.expect(peer.message(2));
                            List<Seen> more = peer.rest();
                            peer.require(
                                    more.stream()
                                            .allMatch(packet ->
                                                    packet.psn() == peer.psn(1) || packet.psn() == peer.psn(2)),
                                    "more was sent again than the NAK asked for");
                            peer.records(more.isEmpty() ? "one resend" : "two resends");
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                        }),
                fatal("ACK-25", "NAK invalid request", Syndrome.NAK_INVALID_REQUEST, WcStatus.REM_INV_REQ_ERR),
                fatal("ACK-26a", "NAK remote access error", Syndrome.NAK_REMOTE_ACCESS, WcStatus.REM_ACCESS_ERR),
                Check.requester("ACK-26b", "NAK remote access error fails a READ")
                        .clause("9.9.2")
                        .work(Work.Op.READ, 1, mtu -> 2 * mtu)
                        .stimulus("a READ of two packets, NAK remote access error")
                        .answer("REM_ACCESS_ERR, ERR")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                            peer.fails(WcStatus.REM_ACCESS_ERR);
                        }),
                fatal("ACK-27", "NAK remote operational error", Syndrome.NAK_REMOTE_OPERATIONAL, WcStatus.REM_OP_ERR),
                Check.requester("ACK-28", "A fatal NAK of the second request completes the first")
                        .clause("9.9.2")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("three WRITEs, NAK remote access error with the second one's PSN")
                        .answer("SUCCESS, REM_ACCESS_ERR, WR_FLUSH_ERR")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.nak(1, Syndrome.NAK_REMOTE_ACCESS));
                            peer.succeeded(1);
                            peer.fails(WcStatus.REM_ACCESS_ERR);
                            peer.silence();
                        }),
                Check.requester("ACK-30", "An ACK from behind a READ without its response asks for the READ again")
                        .clause("9.7.5")
                        .inside("a READ and a WRITE of one queue pair")
                        .work(Work.Op.READ, 1, mtu -> 2 * mtu)
                        .stimulus("a READ and a WRITE behind it; only the WRITE is acknowledged")
                        .answer("the READ again; neither has completed before")
                        .play(peer -> {
                            peer.inside().post(new Work(Work.Op.WRITE, 8, 1));
                            peer.expect(peer.message(0));
                            Seen write = peer.next();
                            peer.require(write.psn() == peer.psn(2), "the WRITE is " + peer.describe(write));
                            long before = peer.counter(Rule.RESPONSE_GAP);
                            peer.send(peer.ack(2));
                            peer.expectWithin(4 * peer.timeout(), peer.message(0)[0]);
                            peer.counted(Rule.RESPONSE_GAP, before, 1);
                            peer.completesNothing();
                            peer.send(peer.responses(0));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }));
    }

    private static Check fatal(String id, String title, int syndrome, WcStatus status) {
        return Check.requester(id, title + " fails the request and ends the queue pair")
                .clause("9.9.2")
                .work(Work.Op.WRITE, 2, 64)
                .stimulus("two WRITEs, " + title + " with the first one's PSN")
                .answer(status + ", the second is flushed, ERR, silence")
                .play(peer -> {
                    peer.expectAll();
                    peer.send(peer.nak(0, syndrome));
                    peer.fails(status);
                    peer.silence();
                });
    }
}
