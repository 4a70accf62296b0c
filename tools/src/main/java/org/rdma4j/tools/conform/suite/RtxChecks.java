package org.rdma4j.tools.conform.suite;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** RTX and OPS: how a requester sends again, and which packets it makes of a message. */
final class RtxChecks {

    private static final int SHORT_TIMEOUT = 12; // 16.8 ms

    private RtxChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(timeouts());
        checks.addAll(losses());
        checks.addAll(sequences());
        return checks;
    }

    /** The work's only message comes again, whole, after a timeout. */
    private static void expectAgain(Requester peer, Expected... message) {
        peer.expectWithin(peer.patience(), message[0]);
        for (int index = 1; index < message.length; index++) {
            peer.expect(message[index]);
        }
    }

    private static List<Check> timeouts() {
        return List.of(
                Check.requester("RTX-01", "What is not acknowledged is sent again after one to four timeouts")
                        .clause("C9-140")
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("no answer; the timeout is T = 4.096 µs · 2^n")
                        .answer("the WRITE again, T to 4 T later")
                        .play(peer -> {
                            Seen first = peer.expectOne(peer.message(0)[0]);
                            Seen again = peer.expectWithin(peer.patience(), peer.message(0)[0]);
                            long waited = again.time() - first.time();
                            long margin = peer.connection().timing().margin();
                            peer.require(
                                    waited
                                            >= peer.timeout() * 95 / 100
                                                    - (peer.connection().pace().isVirtual() ? 0 : margin / 20),
                                    "it came after " + waited / 1_000_000 + " ms, too early");
                            peer.require(
                                    waited <= 4 * peer.timeout() + margin,
                                    "it came after " + waited / 1_000_000 + " ms, too late");
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-02", "Timeout 0 is no timeout")
                        .clause("C9-140")
                        .setup(Setup.STOCK.withTimeout(0, 7))
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("no answer for a while; timeout is 0")
                        .answer("nothing is sent again")
                        .play(peer -> {
                            peer.expectAll();
                            Seen again = peer.next(Math.max(
                                    300_000_000L, peer.connection().timing().quiet()));
                            peer.require(again == null, "it was sent again");
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-03a", "After retry_cnt resends a WRITE fails")
                        .clause("C9-142")
                        .setup(Setup.STOCK.withTimeout(SHORT_TIMEOUT, 2))
                        .work(Work.Op.WRITE, 2, 64)
                        .stimulus("no answer; retry_cnt is 2")
                        .answer("two resends, then RETRY_EXC_ERR, flush, ERR")
                        .play(RtxChecks::givesUpAfterTwo),
                Check.requester("RTX-03b", "After retry_cnt resends a READ fails")
                        .clause("C9-142")
                        .setup(Setup.STOCK.withTimeout(SHORT_TIMEOUT, 2))
                        .work(Work.Op.READ, 1, 64)
                        .stimulus("no answer; retry_cnt is 2")
                        .answer("two resends, then RETRY_EXC_ERR, ERR")
                        .play(RtxChecks::givesUpAfterTwo),
                Check.requester("RTX-04", "retry_cnt 0 fails the request without a resend")
                        .clause("9.7.6")
                        .setup(Setup.STOCK.withTimeout(SHORT_TIMEOUT, 0))
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("no answer; retry_cnt is 0")
                        .answer("RETRY_EXC_ERR, ERR, nothing sent again")
                        .play(peer -> {
                            peer.expectAll();
                            Seen again = peer.next(4 * peer.timeout()
                                    + peer.connection().timing().quiet());
                            peer.require(again == null, "it was sent again");
                            peer.fails(WcStatus.RETRY_EXC_ERR);
                        }),
                Check.requester("RTX-07", "Progress starts the count of retries anew")
                        .clause("9.7.6")
                        .setup(Setup.STOCK.withTimeout(SHORT_TIMEOUT, 1))
                        .work(Work.Op.WRITE, 2, 64)
                        .stimulus("retry_cnt is 1; each of two WRITEs is answered at its second try")
                        .answer("both succeed")
                        .play(peer -> {
                            peer.expectAll();
                            expectAgain(peer, peer.message(0));
                            peer.expect(peer.message(1));
                            peer.send(peer.ack(0));
                            expectAgain(peer, peer.message(1));
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                        }),
                Check.requester("RTX-14", "A resend after a timeout starts at the oldest packet without ACK")
                        .clause("9.7.6")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("three WRITEs, an ACK of the first")
                        .answer("after the timeout the second and the third again")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(0));
                            expectAgain(peer, peer.message(1));
                            peer.expect(peer.message(2));
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                        }),
                Check.requester("RTX-20", "A queue pair that has failed sends nothing more")
                        .clause("10.3.1")
                        .work(Work.Op.WRITE, 3, 64)
                        .stimulus("NAK remote access error, then a sequence NAK and an ACK")
                        .answer("silence")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                            peer.fails(WcStatus.REM_ACCESS_ERR);
                            peer.send(peer.nakSequence(1), peer.ack(2));
                            peer.silence();
                        }));
    }

    private static void givesUpAfterTwo(Requester peer) {
        peer.expectAll();
        for (int round = 0; round < 2; round++) {
            expectAgain(peer, peer.message(0));
            if (peer.work().count() == 2) {
                peer.expect(peer.message(1));
            }
        }
        Seen third = peer.next(4 * peer.timeout() + peer.connection().timing().quiet());
        peer.require(third == null, "it was sent a third time again");
        peer.fails(WcStatus.RETRY_EXC_ERR);
    }

    private static List<Check> losses() {
        return List.of(
                Check.requester("RTX-08a", "A lost first packet is sent again, with all behind it, after a NAK")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 1, mtu -> 3 * mtu)
                        .stimulus("NAK with the first one's PSN")
                        .answer("FIRST with its RETH, MIDDLE, LAST")
                        .play(peer -> {
                            Seen first = peer.expectOne(peer.message(0)[0]);
                            peer.expect(peer.messageFrom(1));
                            peer.send(peer.nakSequence(0));
                            Seen again = peer.expectOne(peer.message(0)[0]);
                            peer.require(Reads.reth(first).equals(Reads.reth(again)), "the RETH has changed");
                            peer.expect(peer.messageFrom(1));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-08b", "A lost last packet is sent again after the timeout")
                        .clause("9.7.6")
                        .work(Work.Op.WRITE, 1, mtu -> 2 * mtu)
                        .stimulus("an ACK of the first of two packets only")
                        .answer("the LAST again, alone")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(0));
                            expectAgain(peer, peer.messageFrom(1));
                            peer.send(peer.ack(1));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-09", "A lost NAK is made good by the timeout")
                        .clause("9.7.6")
                        .work(Work.Op.WRITE, 1, mtu -> 3 * mtu)
                        .stimulus("no answer at all to three packets")
                        .answer("the three again")
                        .play(peer -> {
                            peer.expectAll();
                            expectAgain(peer, peer.message(0));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-10", "A lost ACK does no harm where a later one comes")
                        .clause("9.7.5")
                        .work(Work.Op.SEND, 4, 64)
                        .stimulus("three SENDs, only the third is acknowledged")
                        .answer("three completions, no resend")
                        .play(peer -> {
                            peer.warmUp();
                            peer.expectAll();
                            peer.send(peer.ack(2));
                            peer.succeeded(3);
                            peer.silence();
                        }),
                Check.requester("RTX-11", "An ACK that comes after the resend completes the request once")
                        .clause("C9-105")
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("two ACKs after the WRITE came again")
                        .answer("one completion")
                        .play(peer -> {
                            peer.expectAll();
                            expectAgain(peer, peer.message(0));
                            peer.send(peer.ack(0), peer.ack(0));
                            peer.succeeded(1);
                            peer.pass(peer.connection().timing().quiet() / 2);
                            peer.completesNothing();
                        }),
                Check.requester("RTX-12", "A resend has the same PSN, RETH and bytes")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 1, 100)
                        .stimulus("no answer to a WRITE of 100 bytes")
                        .answer("the same packet again; AckReq may differ")
                        .play(peer -> {
                            Seen first = peer.expectOne(peer.message(0)[0]);
                            Seen again = peer.expectWithin(peer.patience(), peer.message(0)[0]);
                            peer.require(Reads.reth(first).equals(Reads.reth(again)), "the RETH has changed");
                            peer.require(
                                    Arrays.equals(
                                            first.packet().payload().toArray(ValueLayout.JAVA_BYTE),
                                            again.packet().payload().toArray(ValueLayout.JAVA_BYTE)),
                                    "the payload has changed");
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-15", "The same packet may be lost three times")
                        .clause("9.7.6")
                        .work(Work.Op.WRITE, 1, mtu -> 2 * mtu)
                        .stimulus("three NAKs for one packet, one after each resend; then the ACK")
                        .answer("three resends and a success")
                        .play(peer -> {
                            peer.expectAll();
                            for (int round = 0; round < 3; round++) {
                                peer.send(peer.nakSequence(1));
                                peer.expect(peer.messageFrom(1));
                            }
                            peer.send(peer.ack(1));
                            peer.succeeded(1);
                        }),
                Check.requester("RTX-16", "Sequence NAKs without progress count as retries")
                        .clause("9.7.6")
                        .setup(Setup.STOCK.withTimeout(14, 2))
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("retry_cnt is 2; a NAK for each try")
                        .answer("two resends, then RETRY_EXC_ERR; or NAKs do not count")
                        .open("they count", "they do not count")
                        .play(peer -> {
                            peer.expectAll();
                            int resends = 0;
                            for (int round = 0; round < 6; round++) {
                                peer.send(peer.nakSequence(0));
                                if (peer.next(peer.connection().timing().quiet()) != null) {
                                    resends++;
                                }
                            }
                            peer.require(resends == 2 || resends == 6, resends + " resends");
                            peer.records(resends == 2 ? "they count" : "they do not count");
                            if (resends == 2) {
                                peer.fails(WcStatus.RETRY_EXC_ERR);
                            }
                        }));
    }

    private static List<Check> sequences() {
        return List.of(
                whole("OPS-10a", "A WRITE of one byte", Work.Op.WRITE, mtu -> 1),
                whole("OPS-10b", "A WRITE of exactly one path MTU", Work.Op.WRITE, mtu -> mtu),
                whole("OPS-10c", "A WRITE of one byte more than the path MTU", Work.Op.WRITE, mtu -> mtu + 1),
                whole("OPS-10d", "A WRITE of three path MTUs", Work.Op.WRITE, mtu -> 3 * mtu),
                whole("OPS-10e", "A SEND of one path MTU", Work.Op.SEND, mtu -> mtu),
                whole("OPS-10f", "A SEND of two path MTUs and a byte", Work.Op.SEND, mtu -> 2 * mtu + 1),
                Check.requester("OPS-11", "A SEND of no bytes is one ONLY without payload and pad")
                        .clause("9.4.1")
                        .inside("posts a SEND of no bytes, which no ordinary program does")
                        .work(Work.Op.SEND, 1, 0)
                        .stimulus("the peer sends no bytes")
                        .answer("SEND ONLY, no payload, PadCnt 0")
                        .play(peer -> {
                            Seen only = peer.expectOne(peer.message(0)[0]);
                            peer.require(only.packet().bth().padCount() == 0, "PadCnt is not 0");
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("OPS-10g", "The last packet of a message asks for an ACK")
                        .clause("9.7.5")
                        .work(Work.Op.WRITE, 1, mtu -> 2 * mtu)
                        .stimulus("the peer writes two packets and has nothing more to send")
                        .answer("AckReq on the LAST")
                        .play(peer -> {
                            peer.expectOne(peer.message(0)[0]);
                            peer.expectOne(peer.message(0)[1].ackReq(true));
                            peer.send(peer.ack(1));
                            peer.succeeded(1);
                        }),
                Check.requester("OPS-10h", "A WRITE's first packet alone carries the RETH, with the whole length")
                        .clause("9.4.3")
                        .work(Work.Op.WRITE, 1, mtu -> 2 * mtu + 20)
                        .stimulus("the peer writes two path MTUs and 20 bytes")
                        .answer("FIRST with our address and R_Key and the message's length")
                        .play(peer -> {
                            peer.expect(peer.message(0)[0].reth(peer.rethFrom(0)));
                            peer.expect(peer.messageFrom(1));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                Check.requester("HDR-26", "SE is clear where nobody asked for it")
                        .clause("9.2")
                        .work(Work.Op.SEND, 1, mtu -> 2 * mtu)
                        .stimulus("the peer sends two packets, not solicited")
                        .answer("SE clear on both")
                        .play(peer -> {
                            for (Expected expected : peer.message(0)) {
                                Seen packet = peer.expectOne(expected);
                                peer.require(!packet.packet().bth().solicited(), "SE is set");
                            }
                            peer.send(peer.ack(1));
                            peer.succeeded(1);
                        }),
                Check.requester("ECN-07", "A congestion notification changes no PSN and no state")
                        .clause("A17")
                        .work(Work.Op.WRITE, 2, 64)
                        .stimulus("a CNP between two ACKs")
                        .answer("both complete; nothing is sent again")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(0));
                            peer.send(new Crafted(Opcode.CNP, 0).congestion().payload(new byte[16]));
                            peer.silence();
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                            peer.silence();
                        }));
    }

    private static Check whole(String id, String what, Work.Op op, Function<Integer, Integer> size) {
        return Check.requester(id, what + " has the right packets")
                .clause("9.7.4")
                .work(op, 1, size)
                .stimulus(what)
                .answer("ONLY, or FIRST, MIDDLEs of one path MTU each, LAST")
                .play(peer -> {
                    peer.expectAll();
                    peer.silence();
                    peer.send(peer.ack(peer.packetsPerMessage() - 1));
                    peer.succeeded(1);
                });
    }
}
