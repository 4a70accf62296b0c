package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.dropped;
import static org.rdma4j.tools.conform.suite.Shapes.packets;
import static org.rdma4j.tools.conform.suite.Shapes.refused;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Inside;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Syndrome;

/** LEN, MEM and CNT: lengths and pad, what memory holds afterwards, and what is counted. */
final class LenChecks {

    private static final long TWO_GIB = 1L << 31;

    private LenChecks() {}

    static List<Check> all() {
        List<Check> checks = new ArrayList<>(lengths());
        checks.addAll(receives());
        checks.addAll(memory());
        checks.addAll(counters());
        return checks;
    }

    private static Check wrong(
            String id, String title, Service service, int nakAt, Function<Responder, Crafted[]> packets) {
        return refused(id, title, "C9-92", service, title, peer -> peer.nakInvalid(nakAt), packets);
    }

    private static List<Check> lengths() {
        return List.of(
                wrong(
                        "LEN-01a",
                        "A WRITE FIRST shorter than the path MTU is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()).payload(peer.mtu() - 4))),
                wrong(
                        "LEN-01b",
                        "A WRITE FIRST longer than the path MTU is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()).payload(peer.mtu() + 4))),
                wrong(
                        "LEN-01c",
                        "A WRITE MIDDLE shorter than the path MTU is refused",
                        Service.WRITE,
                        1,
                        peer -> packets(
                                peer.writeFirst(0, 3L * peer.mtu()),
                                peer.writeMiddle(1).payload(peer.mtu() - 4))),
                wrong(
                                "LEN-01d",
                                "A SEND FIRST shorter than the path MTU is refused",
                                Service.SEND,
                                0,
                                peer -> packets(peer.sendFirst(0).payload(peer.mtu() - 4)))
                        .wearsOut(),
                wrong(
                        "LEN-02a",
                        "A WRITE LAST without payload is refused",
                        Service.WRITE,
                        1,
                        peer -> packets(
                                peer.writeFirst(0, peer.mtu() + 4L),
                                peer.writeLast(1, 0).ackReq())),
                wrong(
                                "LEN-02b",
                                "A SEND LAST without payload is refused",
                                Service.SEND,
                                1,
                                peer -> packets(
                                        peer.sendFirst(0), peer.sendLast(1, 0).ackReq()))
                        .wearsOut(),
                wrong(
                        "LEN-03a",
                        "A WRITE ONLY longer than the path MTU is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeOnly(0, peer.mtu() + 4).ackReq())),
                wrong(
                        "LEN-03b",
                        "A WRITE LAST longer than the path MTU is refused",
                        Service.WRITE,
                        1,
                        peer -> packets(
                                peer.writeFirst(0, 2L * peer.mtu() + 4),
                                peer.writeLast(1, peer.mtu() + 4).ackReq())),
                wrong(
                                "LEN-03c",
                                "A SEND ONLY longer than the path MTU is refused",
                                Service.SEND,
                                0,
                                peer -> packets(peer.sendOnly(0, peer.mtu() + 4).ackReq()))
                        .wearsOut(),
                wrong(
                        "LEN-04",
                        "A WRITE FIRST with a pad is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeFirst(0, 2L * peer.mtu()).pad(1))),
                dropped(
                        "LEN-05",
                        "A PadCnt that is more than the payload is dropped",
                        "9.2",
                        "a WRITE ONLY of no bytes with PadCnt 3",
                        peer -> peer.writeOnly(0, 0).pad(3).ackReq()),
                Check.responder("LEN-06", "Pad bytes may have any value and are not written")
                        .clause("9.2")
                        .stimulus("a WRITE of 5 bytes, the pad is 0x5A")
                        .answer("ACK; the bytes behind the five are as before")
                        .story(peer -> {
                            byte[] behind =
                                    peer.inside() == null ? null : peer.inside().bytes(5, 3);
                            Crafted write = peer.writeOnly(0, 5).padOf(0x5A).ackReq();
                            peer.send(write);
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.memoryIs(0, write.bytes());
                            if (behind != null) {
                                peer.memoryIs(5, behind);
                            }
                            peer.alive(1);
                        }),
                wrong(
                        "LEN-07a",
                        "A WRITE of more than 2^31 bytes is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeFirst(0, TWO_GIB + 4))),
                wrong(
                        "LEN-07b",
                        "A READ of more than 2^31 bytes is refused",
                        Service.READ,
                        0,
                        peer -> packets(peer.read(0, TWO_GIB + 4))),
                refused(
                        "LEN-08",
                        "A READ of exactly 2^31 bytes is refused for its range alone",
                        "C9-94",
                        Service.READ,
                        "READ of 2^31 bytes, more than the region has",
                        peer -> peer.nakAccess(0),
                        peer -> packets(peer.read(0, TWO_GIB))),
                wrong(
                        "LEN-09a",
                        "A WRITE ONLY with more bytes than its DMA length is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeOnly(0, 16).dmaLength(8).ackReq())),
                wrong(
                        "LEN-09b",
                        "A WRITE ONLY with fewer bytes than its DMA length is refused",
                        Service.WRITE,
                        0,
                        peer -> packets(peer.writeOnly(0, 16).dmaLength(32).ackReq())),
                wrong(
                        "LEN-09c",
                        "A WRITE that goes on behind its DMA length is refused",
                        Service.WRITE,
                        1,
                        peer -> packets(
                                peer.writeFirst(0, peer.mtu() + 4L),
                                peer.writeMiddle(1).ackReq())),
                wrong(
                        "LEN-09d",
                        "A WRITE that ends before its DMA length is refused",
                        Service.WRITE,
                        1,
                        peer -> packets(
                                peer.writeFirst(0, 3L * peer.mtu()),
                                peer.writeLast(1, 8).ackReq())),
                Check.responder("LEN-16", "A WRITE of no bytes touches nothing, whatever its RETH")
                        .clause("C9-88")
                        .stimulus("WRITE ONLY of no bytes with a wrong R_Key and address")
                        .answer("ACK")
                        .story(peer -> {
                            peer.send(peer.writeOnly(0, 0)
                                    .rKey(~peer.connection().rKey())
                                    .address(1)
                                    .ackReq());
                            peer.expect(peer.ack(0).msn(peer.msn(1)));
                            peer.alive(1);
                        }),
                wrong(
                        "LEN-09e",
                        "A READ request with a payload is refused",
                        Service.READ,
                        0,
                        peer -> packets(peer.read(0, 8).payload(8))));
    }

    private static List<Check> receives() {
        return List.of(
                Check.responder("LEN-10", "A SEND that is longer than its receive is refused")
                        .clause("9.9.3")
                        .on(Service.SEND)
                        .wearsOut()
                        .stimulus("a SEND of more bytes than any receive has, FIRST and MIDDLEs")
                        .answer(
                                "NAK invalid request at the packet that does not fit; the receive completes with LOC_LEN")
                        .story(peer -> {
                            int fit = Setup.RECEIVE_SIZE / peer.mtu();
                            peer.send(peer.sendFirst(0));
                            for (int place = 1; place <= fit; place++) {
                                peer.send(peer.sendMiddle(place));
                            }
                            peer.expect(peer.nakInvalid(fit).msn(peer.msn(0)));
                            peer.completes(peer.receive(0), WcStatus.LOC_LEN_ERR);
                            peer.dead();
                        }),
                Check.responder("LEN-11", "A SEND that fills its receive is taken")
                        .clause("9.9.3")
                        .on(Service.SEND)
                        .stimulus("a SEND of exactly the receive's size")
                        .answer("ACK; byte_len is that size")
                        .story(peer -> {
                            int length = Setup.RECEIVE_SIZE;
                            peer.send(Messages.send(peer, 0, length));
                            Messages.expectLast(
                                    peer, peer.ack(length / peer.mtu() - 1).msn(peer.msn(1)));
                            var completion = peer.completes(peer.receive(0), WcStatus.SUCCESS);
                            peer.require(
                                    completion == null || completion.byteLength() == length,
                                    "the completion has another length");
                            peer.memoryIs(Inside.RECEIVES + (long) length, peer.message(0, length));
                            peer.alive(length / peer.mtu());
                        }),
                Check.responder("MEM-06", "Bytes of a receive behind byte_len are untouched")
                        .clause("9.4.1")
                        .on(Service.SEND)
                        .inside("memory")
                        .stimulus("a SEND of 13 bytes, the pad is 0x5A")
                        .answer("13 bytes are written, the 14th is as before")
                        .story(peer -> {
                            long at = Inside.RECEIVES + (long) Setup.RECEIVE_SIZE;
                            byte[] behind = peer.inside().bytes(at + 13, 16);
                            Crafted send = peer.sendOnly(0, 13).padOf(0x5A).ackReq();
                            peer.send(send);
                            peer.expect(peer.ack(0));
                            peer.completes(1, WcStatus.SUCCESS);
                            peer.memoryIs(at, send.bytes());
                            peer.memoryIs(at + 13, behind);
                            peer.alive(1);
                        }),
                Check.responder("MEM-08", "At a SEND's completion the WRITE before it is visible")
                        .clause("9.5")
                        .on(Service.ALL)
                        .inside("memory and completions")
                        .stimulus("a WRITE of three packets, a SEND behind it")
                        .answer("when the receive completes, all bytes of the WRITE are there")
                        .story(peer -> {
                            int length = 3 * peer.mtu();
                            peer.send(Messages.write(peer, 0, length));
                            peer.send(peer.sendOnly(3, 8).ackReq());
                            peer.completes(0, WcStatus.SUCCESS);
                            peer.memoryIs(0, peer.message(0, length));
                            Messages.expectLast(peer, peer.ack(3).msn(peer.msn(2)));
                            peer.alive(4);
                        }));
    }

    private static List<Check> memory() {
        return List.of(
                Check.responder("MEM-01", "A WRITE that crosses the region's end writes nothing")
                        .clause("9.7.4")
                        .inside("knows where the region ends")
                        .stimulus("a WRITE of 64 bytes, the last 32 behind the region")
                        .answer("NAK remote access error; no byte has changed")
                        .story(peer -> {
                            long at = peer.inside().region().length() - 32;
                            byte[] before = peer.inside().bytes(at, 32);
                            peer.send(peer.writeOnly(0, 64).moved(at).ackReq());
                            peer.expect(peer.nakAccess(0));
                            peer.memoryIs(at, before);
                            peer.dead();
                        }),
                Check.responder("MEM-02", "A longer WRITE that crosses the region's end touches nothing behind it")
                        .clause("9.7.4")
                        .inside("knows where the region ends")
                        .stimulus("a WRITE of two packets, the second behind the region")
                        .answer("NAK remote access error; the guard zone is whole")
                        .open("refused at its first packet", "refused at the packet that crosses")
                        .story(peer -> {
                            long at = peer.inside().region().length() - peer.mtu();
                            peer.send(
                                    peer.writeFirst(0, 2L * peer.mtu()).moved(at),
                                    peer.writeLast(1, peer.mtu()).ackReq());
                            var answer = peer.next();
                            boolean atOnce = peer.nakAccess(0).mismatch(answer.packet()) == null;
                            peer.require(
                                    atOnce || peer.nakAccess(1).mismatch(answer.packet()) == null,
                                    "it got " + peer.describe(answer));
                            peer.guardsAreWhole();
                            peer.records(atOnce ? "refused at its first packet" : "refused at the packet that crosses");
                            peer.dead();
                        }),
                Check.responder("MEM-04", "A WRITE whose last packet is damaged is completed by its resend")
                        .clause("9.7.5")
                        .stimulus("FIRST, LAST with a wrong ICRC; then LAST")
                        .answer("nothing, then ACK; the bytes are right")
                        .story(peer -> {
                            int length = peer.mtu() + 32;
                            Crafted[] message = Messages.write(peer, 0, length);
                            peer.send(message[0], peer.writeLast(1, 32).ackReq().icrcXor(4));
                            peer.silence();
                            peer.send(message[1]);
                            peer.expect(peer.ack(1).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(2);
                        }),
                Check.responder("MEM-09", "A WRITE changes the bytes it names and no others")
                        .clause("9.5")
                        .inside("memory")
                        .stimulus("a WRITE of 100 bytes at offset 33")
                        .answer("those bytes, and the ones beside them as before")
                        .story(peer -> {
                            byte[] before = peer.inside().bytes(8, 25);
                            byte[] behind = peer.inside().bytes(133, 64);
                            Crafted write = peer.writeOnly(0, 100).moved(33).ackReq();
                            peer.send(write);
                            peer.expect(peer.ack(0));
                            peer.memoryIs(33, write.bytes());
                            peer.memoryIs(8, before);
                            peer.memoryIs(133, behind);
                            peer.alive(1);
                        }));
    }

    private static Check counts(
            String id, String title, Rule rule, int times, Function<Responder, Crafted[]> packets, int next) {
        return Check.responder(id, title)
                .clause("Lumina")
                .inside("counters")
                .stimulus("packets that are to be counted")
                .answer("the counter stands " + times + " higher")
                .story(peer -> {
                    long before = peer.counter(rule);
                    peer.send(packets.apply(peer));
                    peer.rest();
                    peer.counted(rule, before, times);
                    peer.require(
                            peer.counter(rule) == before + times,
                            "the peer counted " + (peer.counter(rule) - before) + ", on the wire were " + times);
                    peer.alive(next);
                });
    }

    private static List<Check> counters() {
        return List.of(
                counts(
                        "CNT-01a",
                        "Duplicates are counted",
                        Rule.DUPLICATE_ANSWERED,
                        3,
                        peer -> packets(peer.good(-1), peer.good(-1), peer.good(-1)),
                        0),
                counts(
                        "CNT-01b",
                        "Packets behind a gap are counted, the first one apart",
                        Rule.PSN_SEQUENCE_WAITING,
                        2,
                        peer -> packets(peer.good(1), peer.good(2), peer.good(3)),
                        0),
                counts(
                        "CNT-01c",
                        "SENDs without a receive are counted",
                        Rule.RECEIVE_NOT_READY,
                        1,
                        peer -> packets(peer.sendOnly(0, 8).ackReq()),
                        0),
                counts(
                        "CNT-01d",
                        "P_Key violations are counted",
                        Rule.PKEY_MISMATCH,
                        2,
                        peer -> packets(peer.good(0).pKey(0x8001), peer.good(0).pKey(0)),
                        0),
                counts(
                        "CNT-01e",
                        "Congestion notifications are counted",
                        Rule.CNP_IGNORED,
                        2,
                        peer -> packets(
                                peer.packet(Opcode.CNP, 0).congestion().payload(new byte[16]),
                                peer.packet(Opcode.CNP, 0).congestion().payload(new byte[16])),
                        0),
                Check.responder("CNT-01f", "Wrong ICRCs are counted")
                        .clause("Lumina")
                        .inside("counters")
                        .stimulus("three WRITEs with a wrong ICRC")
                        .answer("the link's counter of ICRC errors stands three higher")
                        .story(peer -> {
                            long before = peer.inside().device().linkCounters().icrcErrors;
                            peer.send(
                                    peer.good(0).icrcXor(1),
                                    peer.good(0).icrcXor(2),
                                    peer.good(0).icrcXor(4));
                            peer.silence();
                            long more = peer.inside().device().linkCounters().icrcErrors - before;
                            peer.require(more == 3, "the peer counted " + more + ", on the wire were 3");
                            peer.alive(0);
                        }),
                Check.responder("CNT-02", "A refused WRITE is counted as a remote access error")
                        .clause("Lumina")
                        .inside("counters")
                        .stimulus("a WRITE with a wrong R_Key")
                        .answer("NAK; the counter stands one higher")
                        .story(peer -> {
                            long before = peer.counter(Rule.REMOTE_ACCESS);
                            peer.send(peer.good(0).rKey(0));
                            peer.expect(peer.nak(0, Syndrome.NAK_REMOTE_ACCESS));
                            peer.counted(Rule.REMOTE_ACCESS, before, 1);
                            peer.dead();
                        }));
    }
}
