package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.dropped;

import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;

/** CRC: the invariant CRC. Frames of the peer's with a wrong one never reach a story. */
final class CrcChecks {

    private CrcChecks() {}

    static List<Check> all() {
        return List.of(
                Check.responder("CRC-01a", "The ICRC of ACKs is right")
                        .clause("7.8")
                        .stimulus("eight WRITEs that ask")
                        .answer("eight ACKs with the right ICRC")
                        .story(peer -> {
                            for (int place = 0; place < 8; place++) {
                                peer.send(peer.good(place));
                                peer.expect(peer.ack(place));
                            }
                            peer.alive(8);
                        }),
                readSize("CRC-01b", "The ICRC of READ responses is right with no pad", 64),
                readSize("CRC-01c", "The ICRC of READ responses is right with 1 byte of pad", 63),
                readSize("CRC-01d", "The ICRC of READ responses is right with 3 bytes of pad", 61),
                Check.responder("CRC-01e", "The ICRC of ATOMIC ACKNOWLEDGEs is right")
                        .clause("7.8")
                        .on(Service.ATOMIC)
                        .stimulus("a FETCH ADD")
                        .answer("an ATOMIC ACKNOWLEDGE with the right ICRC")
                        .story(peer -> {
                            peer.send(peer.fetchAdd(0, 1));
                            peer.expect(peer.atomicAck(0));
                            peer.alive(1);
                        }),
                Check.requester("CRC-01f", "The ICRC of requests is right")
                        .clause("7.8")
                        .work(Work.Op.WRITE, 1, mtu -> 2 * mtu + 7)
                        .stimulus("the peer writes two MTUs and 7 bytes")
                        .answer("three packets with the right ICRC")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.ack(2));
                            peer.succeeded(1);
                        }),
                dropped(
                        "CRC-02a",
                        "A packet with one wrong bit in its ICRC is dropped",
                        "7.8",
                        "a WRITE, its ICRC's lowest bit flipped",
                        peer -> peer.good(0).icrcXor(1)),
                dropped(
                        "CRC-02b",
                        "A packet with another wrong bit in its ICRC is dropped",
                        "7.8",
                        "a WRITE, its ICRC's highest bit flipped",
                        peer -> peer.good(0).icrcXor(1 << 31)),
                dropped(
                                "CRC-02c",
                                "A READ request with a wrong ICRC is dropped",
                                "7.8",
                                "a READ, its ICRC damaged",
                                peer -> peer.good(0).icrcXor(0x0055_AA00))
                        .on(Service.READ),
                dropped(
                                "CRC-02d",
                                "An atomic with a wrong ICRC is dropped and not executed",
                                "7.8",
                                "a FETCH ADD, its ICRC damaged",
                                peer -> peer.fetchAdd(0, 1).icrcXor(0x0055_AA00))
                        .on(Service.ATOMIC),
                Check.responder("CRC-02e", "A packet with a wrong ICRC writes nothing")
                        .clause("7.8")
                        .stimulus("a WRITE of 64 bytes with a wrong ICRC, then the same with another payload")
                        .answer("one ACK; memory holds the second payload")
                        .story(peer -> {
                            peer.send(peer.writeOnly(0, 64).ackReq().icrcXor(0x100));
                            peer.silence();
                            Crafted good =
                                    peer.writeOnly(0, 64).payload(new byte[64]).ackReq();
                            peer.send(good);
                            peer.expect(peer.ack(0));
                            peer.memoryIs(0, good.bytes());
                            peer.alive(1);
                        }),
                dropped(
                        "CRC-04",
                        "A wrong ICRC is seen before a wrong PSN",
                        "7.8",
                        "a WRITE with PSN n+5 and a wrong ICRC",
                        peer -> peer.good(5).icrcXor(0x100)),
                dropped(
                        "CRC-05",
                        "An ICRC that is not inverted is wrong",
                        "7.8",
                        "a WRITE whose ICRC lacks the final complement",
                        peer -> peer.good(0).icrcXor(-1)),
                Check.requester("CRC-06a", "An ACK with a wrong ICRC is ignored")
                        .clause("7.8")
                        .work(Work.Op.WRITE, 1, 64)
                        .stimulus("the ACK of a WRITE comes damaged, later a good one")
                        .answer("nothing completes before the good one")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.ack(0).icrcXor(1));
                            peer.pass(peer.connection().timing().quiet() / 2);
                            peer.completesNothing();
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                        }),
                Check.requester("CRC-06b", "A READ response with a wrong ICRC is asked for again")
                        .clause("7.8")
                        .work(Work.Op.READ, 1, mtu -> 3 * mtu)
                        .stimulus("the middle of three responses comes damaged")
                        .answer("a READ request from the damaged packet on; then it completes, the bytes are right")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            Crafted[] responses = peer.responses(0);
                            peer.send(responses[0], responses[1].icrcXor(1), responses[2]);
                            Reads.expectRest(peer, 1);
                            peer.send(peer.responses(0, 1));
                            peer.succeeded(1);
                            peer.memoryIs(0, peer.answered(0, 3 * peer.mtu()));
                        }));
    }

    private static Check readSize(String id, String title, int size) {
        return Check.responder(id, title)
                .clause("7.8")
                .on(Service.READ)
                .stimulus("a READ of " + size + " bytes")
                .answer("its response with the right ICRC")
                .story(peer -> {
                    peer.send(peer.read(0, size));
                    peer.expect(peer.readOnly(0, size).msn(peer.msn(1)));
                    peer.alive(1);
                });
    }
}
