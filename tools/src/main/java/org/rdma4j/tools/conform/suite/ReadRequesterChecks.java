package org.rdma4j.tools.conform.suite;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Opcode;

/** RDA and PSN: a requester's READs and atomics, and the PSNs that they take. */
final class ReadRequesterChecks {

    private static final String PLACED = "the bytes are at their place, none is outside";

    private ReadRequesterChecks() {}

    static List<Check> all() {
        return List.of(
                Check.requester("PSN-09", "A READ takes as many PSNs as its response has packets")
                        .clause("9.7.3")
                        .work(Work.Op.READ, 2, mtu -> 3 * mtu)
                        .stimulus("two READs of three packets, answered one after the other")
                        .answer("the second one's PSN is three more")
                        .play(peer -> {
                            peer.expectOne(peer.message(0)[0]);
                            peer.send(peer.responses(0));
                            peer.expectOne(peer.message(3)[0]);
                            peer.send(peer.responses(3));
                            peer.succeeded(2);
                        }),
                Check.requester("PSN-10", "An atomic takes one PSN")
                        .clause("9.7.3")
                        .work(Work.Op.FETCH_ADD, 2, 8)
                        .stimulus("two FETCH ADDs")
                        .answer("consecutive PSNs")
                        .play(peer -> {
                            peer.expectOne(peer.message(0)[0]);
                            peer.send(peer.atomicAck(0, 7));
                            peer.expectOne(peer.message(1)[0]);
                            peer.send(peer.atomicAck(1, 8));
                            peer.succeeded(2);
                        }),
                Check.requester("PSN-13", "The first request carries the PSN that the connection was made with")
                        .clause("10.3.1")
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("the peer's first WRITE")
                        .answer("its PSN is the one that the peer has named")
                        .play(peer -> {
                            peer.expectOne(peer.message(0)[0]);
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("PSN-07b", "A requester's message wraps where PSNs do")
                        .clause("9.7.1")
                        .work(Work.Op.WRITE, 1, mtu -> 5 * mtu)
                        .stimulus("a WRITE of five packets")
                        .answer("five contiguous PSNs modulo 2^24")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.ack(4));
                            peer.succeeded(1);
                        }),
                Check.requester("RDA-10", "No more READs are outstanding than the peer was allowed")
                        .clause("9.7.4")
                        .setup(Setup.STOCK.withRdAtomic(2, 16))
                        .work(Work.Op.READ, 4, 64)
                        .stimulus("max_rd_atomic is 2; four READs are posted")
                        .answer("two requests; one more for each that is answered")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.expect(peer.message(1));
                            peer.silence();
                            peer.send(peer.responses(0));
                            peer.expect(peer.message(2));
                            peer.silence();
                            peer.send(peer.responses(1));
                            peer.expect(peer.message(3));
                            peer.send(peer.responses(2));
                            peer.send(peer.responses(3));
                            peer.succeeded(4);
                        }),
                Check.requester(
                                "RDA-11a",
                                "A hole in the middle of a READ's response is asked for, and only what is missing")
                        .clause("9.7.5")
                        .work(Work.Op.READ, 1, mtu -> 4 * mtu)
                        .stimulus("packets 0, 2 and 3 of a response; packet 1 is missing")
                        .answer("a READ request with PSN, address and length of what is missing; " + PLACED)
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            Crafted[] responses = peer.responses(0);
                            peer.send(responses[0], responses[2], responses[3]);
                            Reads.expectRest(peer, 1);
                            peer.send(peer.responses(0, 1));
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, 4 * peer.mtu()));
                        }),
                Check.requester("RDA-11b", "A missing last packet of a READ's response is asked for")
                        .clause("9.7.6")
                        .work(Work.Op.READ, 1, mtu -> 3 * mtu)
                        .stimulus("the first two of three response packets")
                        .answer("after the timeout a READ request for the third; " + PLACED)
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            Crafted[] responses = peer.responses(0);
                            peer.send(responses[0], responses[1]);
                            Reads.expectRest(peer, 2);
                            peer.send(peer.readOnly(2, peer.mtu()));
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, 3 * peer.mtu()));
                        }),
                Check.requester("RDA-11c", "A READ without any answer is sent again as it was")
                        .clause("9.7.6")
                        .work(Work.Op.READ, 1, mtu -> 2 * mtu)
                        .stimulus("no answer to the first request")
                        .answer("after the timeout the same READ request")
                        .play(peer -> {
                            Seen first = peer.expectOne(peer.message(0)[0]);
                            Seen again = peer.expectWithin(peer.patience(), peer.message(0)[0]);
                            peer.require(Reads.reth(first).equals(Reads.reth(again)), "the RETH has changed");
                            peer.send(peer.responses(0));
                            peer.succeeded(1);
                        }),
                Check.requester("RDA-12", "Each round of a lossy READ makes progress")
                        .clause("9.7.6")
                        .work(Work.Op.READ, 1, mtu -> 4 * mtu)
                        .stimulus("of each response only the first packet comes")
                        .answer("READ requests for the rest, one packet less each time; " + PLACED)
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.responses(0)[0]);
                            for (int index = 1; index < 4; index++) {
                                Reads.expectRest(peer, index);
                                peer.send(index == 3 ? peer.readOnly(3, peer.mtu()) : peer.readFirst(index));
                            }
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, 4 * peer.mtu()));
                        }),
                Check.requester("RDA-13", "A READ response that comes twice is taken once")
                        .clause("9.7.5")
                        .work(Work.Op.READ, 2, mtu -> mtu + 4)
                        .stimulus("each packet of a response twice")
                        .answer("one completion; the next READ completes once as well")
                        .play(peer -> {
                            peer.expectOne(peer.message(0)[0]);
                            Crafted[] responses = peer.responses(0);
                            peer.send(responses[0], responses[0], responses[1], responses[1]);
                            peer.succeeded(1);
                            peer.pass(peer.connection().timing().quiet() / 2);
                            peer.completesNothing();
                            Seen second = peer.next();
                            peer.require(
                                    second.psn() == peer.psn(2) && second.opcode() == Opcode.RC_RDMA_READ_REQUEST,
                                    "after the first READ came " + peer.describe(second));
                            peer.send(peer.responses(2));
                            peer.succeeded(2);
                        }),
                bad("RDA-14", "A MIDDLE where a FIRST is due", mtu -> 3 * mtu, peer ->
                                new Crafted[] {peer.readMiddle(0)})
                        .open("the READ is asked for again", "the READ fails"),
                bad("RDA-15a", "A MIDDLE that is shorter than the path MTU", mtu -> 3 * mtu, peer ->
                        new Crafted[] {peer.readFirst(0), peer.readMiddle(1).payload(peer.mtu() - 4)}),
                bad("RDA-15b", "A FIRST that is shorter than the path MTU", mtu -> 3 * mtu, peer ->
                        new Crafted[] {peer.readFirst(0).payload(4)}),
                bad("RDA-16a", "A LAST that comes too early", mtu -> 3 * mtu, peer ->
                        new Crafted[] {peer.readFirst(0), peer.readLast(1, 4)}),
                bad("RDA-16b", "A LAST with more bytes than were asked for", mtu -> mtu + 4, peer ->
                        new Crafted[] {peer.readFirst(0), peer.readLast(1, 8)}),
                bad("RDA-16c", "An ONLY with more bytes than were asked for", mtu -> 16, peer ->
                        new Crafted[] {peer.readOnly(0, 64)}),
                bad("RDA-16d", "An ONLY with fewer bytes than were asked for", mtu -> 64, peer ->
                        new Crafted[] {peer.readOnly(0, 16)}),
                Check.requester("RDA-17", "A READ response to a WRITE completes nothing")
                        .clause("9.9.2")
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("a READ RESPONSE ONLY with the PSN of a WRITE")
                        .answer("ignored, or BAD_RESP_ERR; no success before a right answer")
                        .open("BAD_RESP_ERR", "ignored", "another error")
                        .play(peer -> {
                            peer.expectAll();
                            peer.send(peer.readOnly(0, 64));
                            peer.nextUnlessFailed();
                            if (peer.hasFailed()) {
                                boolean bad = peer.failure() == WcStatus.BAD_RESP_ERR.number();
                                peer.records(bad ? "BAD_RESP_ERR" : "another error");
                                peer.abandoned();
                                return;
                            }
                            peer.completesNothing();
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                            peer.records("ignored");
                        }),
                atomicAgain(
                        "RDA-28a",
                        "An atomic whose answer is lost is sent again with its PSN and operands",
                        Work.Op.FETCH_ADD),
                atomicAgain("RDA-28b", "A COMPARE SWAP is sent again the same way", Work.Op.COMPARE_SWAP),
                Check.requester("RDA-29", "An atomic's result is in the host's byte order")
                        .clause("9.4.5")
                        .inside("memory")
                        .work(Work.Op.FETCH_ADD, 1, 8)
                        .stimulus("an ATOMIC ACKNOWLEDGE with a known value")
                        .answer("that value, read as the host's long")
                        .play(peer -> {
                            peer.expectAll();
                            long value = 0x0102_0304_0506_0708L;
                            peer.send(peer.atomicAck(0, value));
                            peer.succeeded(1);
                            long found = peer.inside().region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
                            peer.require(found == value, String.format("memory holds 0x%016x", found));
                        }),
                fence("RDA-30", true),
                fence("RDA-31", false),
                Check.requester(
                                "RDA-18",
                                "A READ request carries the READ's address, key and length as they were posted")
                        .clause("9.4.4")
                        .work(Work.Op.READ, 1, mtu -> 2 * mtu + 12)
                        .stimulus("the peer reads two MTUs and 12 bytes")
                        .answer("a READ request with our address and R_Key and that length, without payload")
                        .play(peer -> {
                            peer.expect(peer.message(0)[0].reth(peer.rethFrom(0)));
                            peer.send(peer.responses(0));
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, peer.work().size()));
                        }),
                Check.requester("MEM-07", "READ data lands inside of its buffer only")
                        .clause("9.7.5")
                        .inside("memory")
                        .work(Work.Op.READ, 1, mtu -> mtu + 5)
                        .stimulus("a response of one MTU and 5 bytes, with a pad that is not zero")
                        .answer("the byte behind the buffer has not changed")
                        .play(peer -> {
                            peer.inside().set(peer.mtu() + 5L, new byte[] {11, 22, 33});
                            peer.expectAll();
                            peer.send(peer.readFirst(0), peer.readLast(1, 5).padOf(0x5A));
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, peer.mtu() + 5));
                            peer.memoryIs(peer.mtu() + 5L, new byte[] {11, 22, 33});
                        }));
    }

    private static Check atomicAgain(String id, String title, Work.Op op) {
        return Check.requester(id, title)
                .clause("C9-060")
                .work(op, 1, 8)
                .stimulus("no answer to the first request")
                .answer("the same request, with our address and R_Key; one completion")
                .play(peer -> {
                    AtomicEth first = operands(peer.expectOne(peer.message(0)[0]));
                    peer.require(
                            first.virtualAddress() == Requester.ADDRESS && first.rKey() == Requester.R_KEY,
                            "the address or the R_Key is not the one advertised: " + first);
                    AtomicEth again = operands(peer.expectWithin(peer.patience(), peer.message(0)[0]));
                    peer.require(first.equals(again), "the operands have changed");
                    peer.send(peer.atomicAck(0, 41));
                    peer.succeeded(1);
                    peer.completesNothing();
                });
    }

    private static AtomicEth operands(Seen request) {
        return request.packet()
                .extension(AtomicEth.class)
                .orElseThrow(() -> new Outcome.Failed("the atomic has no AtomicETH"));
    }

    private static Check fence(String id, boolean fenced) {
        return Check.requester(
                        id,
                        fenced
                                ? "A request with a fence waits for the READ before it"
                                : "A request without a fence need not wait for the READ before it")
                .clause("10.8.3")
                .inside("posts a request with a fence")
                .work(Work.Op.READ, 1, 64)
                .stimulus("a READ, and a WRITE behind it" + (fenced ? " with a fence" : ""))
                .answer(fenced ? "the WRITE only after the READ's response" : "both; or the WRITE later")
                .play(peer -> {
                    SendWorkRequest write = new SendWorkRequest()
                            .reset(WrOpcode.RDMA_WRITE)
                            .wrId(1)
                            .sge(peer.inside().region(), 0, 8)
                            .remote(Requester.ADDRESS, Requester.R_KEY)
                            .signaled();
                    peer.inside().qp().postSend(fenced ? write.fence() : write);
                    peer.expect(peer.message(0));
                    if (fenced) {
                        peer.silence();
                        peer.send(peer.responses(0));
                    }
                    Seen second = peer.next();
                    peer.require(
                            second.opcode() == Opcode.RC_RDMA_WRITE_ONLY && second.psn() == peer.psn(1),
                            "the WRITE is " + peer.describe(second));
                    if (!fenced) {
                        peer.send(peer.responses(0));
                    }
                    peer.send(peer.ack(1));
                    peer.succeeded(2);
                });
    }

    /** What a requester is answered. */
    private interface Answers {
        Crafted[] of(Requester peer);
    }

    private static Check bad(String id, String what, Function<Integer, Integer> size, Answers answers) {
        return Check.requester(id, what + " in a READ's response is no success")
                .clause("9.9.2")
                .work(Work.Op.READ, 1, size)
                .stimulus(what)
                .answer("the READ fails, or is asked for again; nothing is written outside of its buffer")
                .open("the READ fails", "the READ is asked for again")
                .play(peer -> {
                    peer.expectAll();
                    peer.send(answers.of(peer));
                    Seen again = peer.nextUnlessFailed();
                    peer.guardsAreWhole();
                    if (peer.hasFailed()) {
                        peer.require(peer.failure() != WcStatus.SUCCESS.number(), "the READ succeeded");
                        peer.records("the READ fails");
                    } else {
                        peer.require(again != null, "the READ neither failed nor was it asked for again");
                        peer.require(
                                again.opcode() == Opcode.RC_RDMA_READ_REQUEST, "the peer sent " + peer.describe(again));
                        peer.completesNothing();
                        peer.records("the READ is asked for again");
                    }
                    peer.abandoned();
                });
    }
}
