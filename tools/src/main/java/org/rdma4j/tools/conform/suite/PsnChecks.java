package org.rdma4j.tools.conform.suite;

import java.util.Arrays;
import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Psn;

/** PSN: what a responder makes of packet sequence numbers. */
final class PsnChecks {

    private static final int STORM = 32;
    private static final int BURST = 100;

    private PsnChecks() {}

    static List<Check> all() {
        return List.of(
                Check.responder("PSN-01", "A gap gets one NAK with the PSN that is expected")
                        .clause("9.7.1")
                        .stimulus("n is expected, a WRITE with n+1 comes")
                        .answer("one NAK PSN sequence error with PSN n, nothing more; then n is taken")
                        .story(peer -> {
                            long before = peer.counter(Rule.PSN_SEQUENCE);
                            peer.send(peer.writeOnly(1, 8).ackReq());
                            peer.expect(peer.nakSequence(0).msn(peer.msn(0)));
                            peer.silence();
                            peer.counted(Rule.PSN_SEQUENCE, before, 1);
                            peer.alive(0);
                        }),
                Check.responder("PSN-02", "Behind a gap nothing gets a second NAK")
                        .clause("9.7.1")
                        .stimulus("n is expected, n+1 comes, and a hundred more behind it")
                        .answer("one NAK, for n")
                        .story(peer -> {
                            peer.send(peer.writeOnly(1, 8).ackReq());
                            peer.expect(peer.nakSequence(0));
                            for (int place = 2; place < 2 + BURST; place++) {
                                peer.send(peer.writeOnly(place, 8).ackReq());
                            }
                            peer.silence();
                            peer.alive(0);
                        }),
                Check.responder("PSN-03", "A duplicate is answered during a gap")
                        .clause("9.7.1")
                        .stimulus("a gap, then the last WRITE before it once more")
                        .answer("its ACK once more")
                        .story(peer -> {
                            peer.send(peer.writeOnly(1, 8).ackReq());
                            peer.expect(peer.nakSequence(0));
                            peer.send(peer.good(-1));
                            peer.expect(peer.ack(-1));
                            peer.silence();
                            peer.alive(0);
                        }),
                Check.responder("PSN-04", "A gap after the first one was filled gets a NAK of its own")
                        .clause("9.7.1")
                        .stimulus("a gap at n, then n, then n+2")
                        .answer("NAK n, ACK n, NAK n+1")
                        .story(peer -> {
                            peer.send(peer.writeOnly(1, 8).ackReq());
                            peer.expect(peer.nakSequence(0));
                            peer.send(peer.good(0));
                            peer.expect(peer.ack(0));
                            peer.send(peer.writeOnly(2, 8).ackReq());
                            peer.expect(peer.nakSequence(1));
                            peer.alive(1);
                        }),
                Check.responder("PSN-05", "The farthest PSN ahead is a gap")
                        .clause("9.7.1")
                        .stimulus("a WRITE with n + 2^23 - 1")
                        .answer("NAK PSN sequence error with PSN n")
                        .story(peer -> {
                            peer.send(peer.writeOnly(Psn.HALF - 1, 8).ackReq());
                            peer.expect(peer.nakSequence(0));
                            peer.alive(0);
                        }),
                Check.responder("PSN-06", "The farthest PSN behind is a duplicate")
                        .clause("9.7.1")
                        .stimulus("a WRITE with n - 2^23")
                        .answer("no NAK: it is acknowledged as a duplicate")
                        .story(peer -> {
                            peer.send(peer.writeOnly(-Psn.HALF, 8).ackReq());
                            peer.expect(peer.ack(-1));
                            peer.silence();
                            peer.alive(0);
                        }),
                Check.responder("PSN-07", "A message of five packets is taken wherever PSNs wrap")
                        .clause("9.7.1")
                        .stimulus("a WRITE of five packets, its last one asks")
                        .answer("one ACK with the last PSN; the bytes are there")
                        .story(peer -> {
                            int length = 4 * peer.mtu() + 8;
                            peer.send(Messages.write(peer, 0, length));
                            peer.expect(peer.ack(4).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(5);
                        }),
                Check.responder("PSN-08", "The PSNs of a READ's response are contiguous wherever they wrap")
                        .clause("9.7.1")
                        .on(Service.READ)
                        .stimulus("a READ of five packets")
                        .answer("FIRST, three MIDDLE, LAST with PSNs n to n+4")
                        .story(peer -> {
                            peer.send(peer.read(0, 4L * peer.mtu() + 8));
                            peer.expect(
                                    peer.readFirst(0),
                                    peer.readMiddle(1),
                                    peer.readMiddle(2),
                                    peer.readMiddle(3),
                                    peer.readLast(4, 8));
                            peer.alive(5);
                        }),
                Check.responder("PSN-14a", "Packets that swap inside a message cost one NAK")
                        .clause("9.7.1")
                        .stimulus("FIRST, LAST, MIDDLE of a WRITE; then MIDDLE and LAST again")
                        .answer("NAK n+1, ACK n+2; the bytes are right")
                        .story(peer -> {
                            int length = 2 * peer.mtu() + 8;
                            Crafted[] message = Messages.write(peer, 0, length);
                            peer.send(message[0], message[2]);
                            peer.expect(peer.nakSequence(1));
                            peer.send(message[1], message[2]);
                            peer.expect(peer.ack(2).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(3);
                        }),
                Check.responder("PSN-14b", "A message that starts over after a gap is taken")
                        .clause("9.7.1")
                        .stimulus("FIRST and LAST of a WRITE without its MIDDLE; then the whole message again")
                        .answer("NAK n+1; the repeated FIRST is a duplicate; the last ACK has n+2")
                        .story(peer -> {
                            int length = 2 * peer.mtu() + 8;
                            Crafted[] message = Messages.write(peer, 0, length);
                            peer.send(message[0], message[2]);
                            peer.expect(peer.nakSequence(1));
                            peer.send(message);
                            Messages.expectLast(peer, peer.ack(2).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(3);
                        }),
                Check.responder("PSN-15a", "Duplicates move nothing")
                        .clause("C9-105")
                        .stimulus("the last WRITE again, " + STORM + " times")
                        .answer("ACKs of it and nothing else; the next PSN is still n, the MSN as it was")
                        .story(peer -> {
                            for (int count = 0; count < STORM; count++) {
                                peer.send(peer.good(-1));
                            }
                            Messages.expectOnlyDuplicates(peer, peer.ack(-1).msn(peer.msn(0)));
                            peer.alive(0);
                        }),
                Check.responder("PSN-15b", "A duplicate WRITE does not change memory that later requests wrote")
                        .clause("C9-105")
                        .stimulus("a WRITE, another to the same place, the first one again")
                        .answer("an ACK; memory keeps what the second one wrote")
                        .open("memory keeps the later bytes", "memory has the duplicate's bytes again")
                        .inside("memory")
                        .story(peer -> {
                            Crafted early = peer.writeOnly(0, 64).ackReq();
                            Crafted late = peer.writeOnly(1, 64).ackReq();
                            peer.send(early, late);
                            Messages.expectLast(peer, peer.ack(1).msn(peer.msn(2)));
                            peer.send(early);
                            peer.expect(peer.ack(1));
                            boolean kept =
                                    Arrays.equals(late.bytes(), peer.inside().bytes(0, 64));
                            peer.records(
                                    kept ? "memory keeps the later bytes" : "memory has the duplicate's bytes again");
                            peer.alive(2);
                        }),
                Check.responder("PSN-12", "A first packet that has not rq_psn gets a NAK with rq_psn")
                        .clause("9.7.1")
                        .stimulus("the PSN that the connection was made with is n, the first packets have n+5")
                        .answer("NAK PSN sequence error with PSN n")
                        .story(peer -> {
                            peer.send(
                                    peer.writeOnly(5, 8).ackReq(),
                                    peer.writeOnly(6, 8).ackReq());
                            peer.expect(peer.nakSequence(0));
                            peer.silence();
                            peer.alive(0);
                        }));
    }
}
