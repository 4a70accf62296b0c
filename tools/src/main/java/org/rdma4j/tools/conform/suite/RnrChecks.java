package org.rdma4j.tools.conform.suite;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Syndrome;

/** RNR: a responder without a receive, and how a requester waits for one. */
final class RnrChecks {

    private static final int SHORT_TIMER = 1; // 0.01 ms
    private static final int OTHER_TIMER = 5;

    private RnrChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(responder());
        checks.addAll(requester());
        return checks;
    }

    private static List<Check> responder() {
        return List.of(
                Check.responder("RNR-01a", "A SEND without a receive gets an RNR NAK")
                        .clause("9.7.5")
                        .stimulus("a SEND where no receive is posted")
                        .answer("RNR NAK with its PSN and the peer's min_rnr_timer; the PSN is not taken")
                        .story(peer -> {
                            long before = peer.counter(Rule.RECEIVE_NOT_READY);
                            peer.send(peer.sendOnly(0, 8).ackReq());
                            peer.expect(peer.rnrNak(0).msn(peer.msn(0)));
                            peer.counted(Rule.RECEIVE_NOT_READY, before, 1);
                            peer.alive(0);
                        }),
                Check.responder("RNR-01b", "The RNR NAK carries the timer that the queue pair was set up with")
                        .clause("9.7.5")
                        .setup(Setup.STOCK.withMinRnrTimer(OTHER_TIMER))
                        .stimulus("a SEND where no receive is posted and min_rnr_timer is 0.06 ms")
                        .answer("RNR NAK 0.06 ms")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 8).ackReq());
                            peer.expect(peer.nak(0, Syndrome.rnrNak(OTHER_TIMER)));
                            peer.alive(0);
                        }),
                Check.responder("RNR-01c", "The first packet of a longer SEND gets the RNR NAK")
                        .clause("9.7.5")
                        .stimulus("SEND FIRST where no receive is posted")
                        .answer("RNR NAK with its PSN")
                        .story(peer -> {
                            peer.send(peer.sendFirst(0));
                            peer.expect(peer.rnrNak(0));
                            peer.alive(0);
                        }),
                Check.responder("RNR-02", "What follows a packet that got an RNR NAK is dropped in silence")
                        .clause("9.7.5")
                        .stimulus("a SEND without a receive, and two WRITEs behind it")
                        .answer("one RNR NAK and no sequence NAK")
                        .story(peer -> {
                            peer.send(peer.sendOnly(0, 8).ackReq());
                            peer.expect(peer.rnrNak(0));
                            peer.send(peer.good(1), peer.good(2));
                            peer.silence();
                            peer.alive(0);
                        }),
                Check.responder("RNR-03a", "A WRITE with immediate without a receive gets an RNR NAK")
                        .clause("9.7.5")
                        .stimulus("WRITE ONLY with immediate where no receive is posted")
                        .answer("RNR NAK with its PSN")
                        .story(peer -> {
                            peer.send(peer.writeOnlyImm(0, 8, 0x1234).ackReq());
                            peer.expect(peer.rnrNak(0).msn(peer.msn(0)));
                            peer.alive(0);
                        }),
                Check.responder("RNR-03b", "The packet with the immediate gets the RNR NAK, those before are taken")
                        .clause("9.7.5")
                        .stimulus("WRITE FIRST, LAST with immediate where no receive is posted; then LAST without it")
                        .answer("RNR NAK with the LAST's PSN; the LAST without immediate is acknowledged")
                        .story(peer -> {
                            int length = peer.mtu() + 8;
                            peer.send(
                                    peer.writeFirst(0, length),
                                    peer.writeLastImm(1, 8, 0x1234).ackReq());
                            peer.expect(peer.rnrNak(1));
                            peer.send(peer.writeLast(1, 8).ackReq());
                            peer.expect(peer.ack(1).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(2);
                        }),
                Check.responder("RNR-04a", "A WRITE needs no receive")
                        .clause("9.7.5")
                        .stimulus("a WRITE of two packets where no receive is posted")
                        .answer("ACK")
                        .story(peer -> {
                            peer.send(Messages.write(peer, 0, peer.mtu() + 4));
                            peer.expect(peer.ack(1).msn(peer.msn(1)));
                            peer.alive(2);
                        }),
                Check.responder("RNR-05", "The SEND that comes again is taken once, when a receive is posted")
                        .clause("9.7.5")
                        .on(Service.ALL)
                        .setup(Setup.STOCK.withReceives(0, 64))
                        .inside("posts a receive")
                        .stimulus("a SEND without a receive; a receive is posted; the SEND again, twice")
                        .answer("RNR NAK, ACK, the duplicate's ACK; one completion")
                        .story(peer -> {
                            Crafted send = peer.sendOnly(0, 8).ackReq();
                            peer.send(send);
                            peer.expect(peer.rnrNak(0));
                            peer.inside().receive(5, 64);
                            peer.send(send);
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.send(send);
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.completes(5, WcStatus.SUCCESS);
                            peer.completesNothing();
                            peer.alive(1);
                        }),
                Check.responder("RNR-17", "READs within the limit are queued, not refused")
                        .clause("9.7.5")
                        .on(Service.READ)
                        .stimulus("eight READs of two packets at once")
                        .answer("eight responses in order")
                        .story(peer -> {
                            for (int index = 0; index < 8; index++) {
                                peer.send(peer.read(2 * index, peer.mtu() + 4L));
                            }
                            for (int index = 0; index < 8; index++) {
                                peer.expect(
                                        peer.readFirst(2 * index).msn(peer.msn(index + 1)),
                                        peer.readLast(2 * index + 1, 4).msn(peer.msn(index + 1)));
                            }
                            peer.alive(16);
                        }));
    }

    private static List<Check> requester() {
        return List.of(
                waits("RNR-06a", 1),
                waits("RNR-06b", 16),
                waits("RNR-06c", 20),
                waits("RNR-06d", 22),
                waits("RNR-06e", 24),
                Check.requester("RNR-07", "After the wait the refused request and all behind it come again")
                        .clause("9.7.5")
                        .work(Work.Op.SEND, 4, 64)
                        .stimulus("three SENDs; the second gets an RNR NAK")
                        .answer("the first completes; the second and the third come again, in order")
                        .play(peer -> {
                            peer.warmUp();
                            peer.expectAll();
                            peer.send(peer.rnrNak(1, SHORT_TIMER));
                            peer.expect(peer.message(1));
                            peer.expect(peer.message(2));
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                        }),
                Check.requester("RNR-08", "After rnr_retry resends the next RNR NAK fails the request")
                        .clause("9.7.5")
                        .setup(Setup.STOCK.withRnrRetries(2))
                        .work(Work.Op.SEND, 3, 64)
                        .stimulus("every SEND gets an RNR NAK, rnr_retry is 2")
                        .answer("two resends, then RNR_RETRY_EXC_ERR, flush, ERR")
                        .play(peer -> givesUpAfter(peer, 2)),
                Check.requester("RNR-09", "rnr_retry 7 does not end")
                        .clause("C9-132")
                        .work(Work.Op.SEND, 2, 64)
                        .stimulus("forty RNR NAKs in a row, rnr_retry is 7")
                        .answer("forty resends")
                        .play(peer -> succeedsAfter(peer, 40)),
                Check.requester("RNR-10", "A success starts the count of RNR NAKs anew")
                        .clause("9.7.5")
                        .setup(Setup.STOCK.withRnrRetries(1))
                        .work(Work.Op.SEND, 3, 64)
                        .stimulus("rnr_retry is 1; each of two SENDs gets one RNR NAK")
                        .answer("both succeed")
                        .play(peer -> {
                            resends(peer, 1);
                            peer.send(peer.ack(0), peer.rnrNak(1, SHORT_TIMER));
                            peer.expect(peer.message(1));
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                        }),
                Check.requester("RNR-11", "A second RNR NAK during the wait changes nothing")
                        .clause("9.7.5")
                        .work(Work.Op.SEND, 2, 64)
                        .stimulus("two RNR NAKs of 10.24 ms for one SEND")
                        .answer("one resend, after the first one's time")
                        .play(peer -> {
                            peer.warmUp();
                            peer.expectAll();
                            peer.send(peer.rnrNak(0, 20), peer.rnrNak(0, 20));
                            peer.expectAll();
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                            peer.silence();
                        }),
                Check.requester("RNR-12", "RNR NAKs do not use up the retry count")
                        .clause("9.7.5")
                        .setup(Setup.STOCK.withTimeout(14, 1))
                        .work(Work.Op.SEND, 2, 64)
                        .stimulus("retry_cnt is 1; three RNR NAKs")
                        .answer("three resends and a success")
                        .play(peer -> succeedsAfter(peer, 3)),
                Check.requester("RNR-13", "An RNR NAK for what is not outstanding is ignored")
                        .clause("9.7.5")
                        .work(Work.Op.SEND, 2, 64)
                        .stimulus("RNR NAKs with PSNs before and behind what was sent; then the ACK")
                        .answer("no resend; success")
                        .play(peer -> {
                            peer.warmUp();
                            peer.expectAll();
                            peer.send(peer.rnrNak(5, SHORT_TIMER), peer.rnrNak(-3, SHORT_TIMER));
                            peer.silence();
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("RNR-14", "rnr_retry 0 fails the request at the first RNR NAK")
                        .clause("9.7.5")
                        .setup(Setup.STOCK.withRnrRetries(0))
                        .work(Work.Op.SEND, 3, 64)
                        .stimulus("an RNR NAK, rnr_retry is 0")
                        .answer("RNR_RETRY_EXC_ERR, flush, ERR, no resend")
                        .play(peer -> givesUpAfter(peer, 0)));
    }

    /** The work's SENDs come, and again after each of so many RNR NAKs. */
    private static void resends(Requester peer, int times) {
        peer.warmUp();
        peer.expectAll();
        for (int round = 0; round < times; round++) {
            peer.send(peer.rnrNak(0, SHORT_TIMER));
            peer.expectAll();
        }
    }

    private static void succeedsAfter(Requester peer, int times) {
        resends(peer, times);
        peer.send(peer.ack(0));
        peer.succeeded(1);
    }

    private static void givesUpAfter(Requester peer, int times) {
        resends(peer, times);
        peer.send(peer.rnrNak(0, SHORT_TIMER));
        peer.fails(WcStatus.RNR_RETRY_EXC_ERR);
        peer.silence();
    }

    private static Check waits(String id, int code) {
        long wait = Syndrome.rnrNanos(code);
        String time = wait / 10_000 / 100.0 + " ms";
        return Check.requester(id, "An RNR NAK of " + time + " is waited for at least that long")
                .clause("C9-130")
                .work(Work.Op.SEND, 2, 64)
                .stimulus("an RNR NAK with timer code " + code)
                .answer("the SEND again, no sooner than " + time + " later and within a few times that")
                .play(peer -> resendsAfter(peer, code));
    }

    private static void resendsAfter(Requester peer, int code) {
        peer.warmUp();
        peer.expectAll();
        long wait = Syndrome.rnrNanos(code);
        long start = peer.now();
        peer.send(peer.rnrNak(0, code));
        Seen again = peer.expectWithin(4 * wait + peer.connection().timing().answer(), peer.message(0)[0]);
        long waited = again.time() - start;
        long early = peer.connection().timing().margin() / 50;
        peer.require(
                waited >= wait - early, "it came after " + waited / 1000 + " µs, sooner than " + wait / 1000 + " µs");
        long latest = 4 * wait + peer.connection().timing().margin();
        peer.require(waited <= latest, "it came after " + waited / 1000 + " µs, more than four times too late");
        peer.send(peer.ack(0));
        peer.succeeded(1);
    }
}
