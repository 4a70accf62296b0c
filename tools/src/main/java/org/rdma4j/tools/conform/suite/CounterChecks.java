package org.rdma4j.tools.conform.suite;

import java.util.List;
import java.util.Map;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Connection;
import org.rdma4j.tools.conform.check.Requester;
import org.rdma4j.tools.conform.check.RequesterStory;
import org.rdma4j.tools.conform.check.Scene;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** CNT: what a requester counts, against what was on the wire. The names are mlx5's. */
final class CounterChecks {

    /** Times out after 17 ms. */
    private static final Setup IMPATIENT = Setup.STOCK.withTimeout(12, 7);

    private static final int RNR_10_US = 1;

    private CounterChecks() {}

    static List<Check> all() {
        return List.of(
                counts("CNT-01g", "Sequence NAKs are counted", "a NAK PSN sequence error to the second WRITE")
                        .work(Work.Op.WRITE, 2, 64)
                        .play(counting("packet_seq_err", 1, peer -> {
                            peer.expectAll();
                            peer.send(peer.nakSequence(1));
                            peer.expect(peer.message(1));
                            peer.send(peer.ack(1));
                            peer.succeeded(2);
                        })),
                counts(
                                "CNT-01h",
                                "READ responses that tell of a gap are counted",
                                "FIRST and LAST of a READ's response")
                        .work(Work.Op.READ, 1, mtu -> 2 * mtu + 8)
                        .play(counting("implied_nak_seq_err", 1, peer -> {
                            peer.expect(peer.message(0));
                            Crafted[] responses = peer.responses(0);
                            peer.send(responses[0], responses[2]);
                            peer.expect(new Expected(Opcode.RC_RDMA_READ_REQUEST, peer.psn(1)));
                            peer.send(peer.readFirst(1), peer.readLast(2, 8));
                            peer.succeeded(1);
                        })),
                counts("CNT-01i", "Timeouts are counted", "no answer until the WRITE has come again")
                        .work(Work.Op.WRITE, 1, 64)
                        .setup(IMPATIENT)
                        .play(peer -> {
                            long before = value(peer, "local_ack_timeout_err");
                            peer.expect(peer.message(0));
                            peer.expectWithin(peer.patience(), peer.message(0)[0]);
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                            int again = 1 + peer.rest().size(); // more than once on a machine that was busy
                            more(peer, "local_ack_timeout_err", before, again);
                        }),
                counts("CNT-01j", "RNR NAKs are counted", "an RNR NAK, then an ACK")
                        .work(Work.Op.SEND, 1, 64)
                        .play(counting("rnr_nak_retry_err", 1, peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.rnrNak(0, RNR_10_US));
                            peer.expect(peer.message(0));
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        })),
                counts("CNT-02b", "Work that a remote access error ends is counted", "a NAK remote access error")
                        .work(Work.Op.WRITE, 1, 64)
                        .play(counting("req_remote_access_errors", 1, peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                            peer.fails(WcStatus.REM_ACCESS_ERR);
                        })),
                counts("CNT-02c", "Work that is flushed is counted", "a NAK to the first of three WRITEs")
                        .work(Work.Op.WRITE, 3, 64)
                        .play(counting("req_cqe_flush_error", 2, peer -> {
                            peer.expectAll();
                            peer.send(peer.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                            peer.fails(WcStatus.REM_ACCESS_ERR);
                        })));
    }

    private static Check counts(String id, String title, String stimulus) {
        return Check.requester(id, title)
                .clause("Lumina")
                .inside("counters")
                .setup(Setup.STOCK.withTimeout(18, 7))
                .stimulus(stimulus)
                .answer("the counter goes up by what was on the wire, or by what completed so");
    }

    private static RequesterStory counting(String counter, int due, RequesterStory story) {
        return peer -> {
            long before = value(peer, counter);
            story.play(peer);
            more(peer, counter, before, due);
        };
    }

    private static long value(Scene peer, String counter) {
        Map<String, Long> counters = peer.inside().device().counters().mlx5();
        return counters.get(counter);
    }

    /** A reader elsewhere may see a counter late. */
    private static void more(Requester peer, String counter, long before, int due) {
        Connection connection = peer.connection();
        connection
                .pace()
                .await(
                        () -> value(peer, counter) - before >= due ? counter : null,
                        connection.timing().answer());
        long more = value(peer, counter) - before;
        peer.require(more == due, counter + " went up by " + more + ", on the wire were " + due);
    }
}
