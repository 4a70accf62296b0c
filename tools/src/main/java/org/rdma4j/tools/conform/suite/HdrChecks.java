package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.dropped;
import static org.rdma4j.tools.conform.suite.Shapes.taken;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;
import org.rdma4j.wire.Xrceth;

/** HDR: the BTH, and what identifies a connection. */
final class HdrChecks {

    private static final int VENDOR_OPCODE = 0xC4;
    private static final int LOWEST_ENTROPY_PORT = 0xC000;

    private HdrChecks() {}

    static List<Check> all() {
        return List.of(
                dropped(
                        "HDR-01a",
                        "Transport version 1 is dropped",
                        "9.6",
                        "a WRITE with TVer 1",
                        peer -> peer.good(0).version(1)),
                dropped(
                        "HDR-01b",
                        "Transport version 15 is dropped",
                        "9.6",
                        "a WRITE with TVer 15",
                        peer -> peer.good(0).version(15)),
                dropped(
                        "HDR-01c",
                        "Transport version 1 gets no NAK where there is a gap as well",
                        "9.6",
                        "a WRITE with TVer 1 and PSN n+1",
                        peer -> peer.good(1).version(1)),
                taken(
                        "HDR-02",
                        "Reserved bits of the BTH are ignored",
                        "9.2",
                        "a WRITE with all reserved bits set",
                        peer -> peer.good(0).reserved()),
                Check.responder("HDR-03a", "An ACK's BTH has its unused bits clear")
                        .clause("9.2")
                        .stimulus("a WRITE that asks")
                        .answer("an ACK: TVer 0, reserved bits 0, no pad, SE and AckReq clear, P_Key 0xFFFF or 0x7FFF")
                        .story(peer -> {
                            peer.send(peer.good(0));
                            clean(
                                    peer,
                                    peer.expectWithin(peer.connection().timing().answer(), peer.ack(0)));
                            peer.alive(1);
                        }),
                Check.responder("HDR-03b", "READ responses have their unused bits clear and the right pad count")
                        .clause("9.2")
                        .on(Service.READ)
                        .stimulus("a READ of one MTU and 5 bytes")
                        .answer("FIRST without pad, LAST with PadCnt 3 and pad of zeros; TVer 0, reserved bits 0")
                        .story(peer -> {
                            peer.send(peer.read(0, peer.mtu() + 5L));
                            long limit = peer.connection().timing().answer();
                            clean(peer, peer.expectWithin(limit, peer.readFirst(0)));
                            Seen last = peer.expectWithin(limit, peer.readLast(1, 5));
                            clean(peer, last);
                            peer.require(last.packet().bth().padCount() == 3, "PadCnt is not 3 behind 5 bytes");
                            peer.require(
                                    last.packet().pad().mismatch(MemorySegment.ofArray(new byte[3])) < 0,
                                    "the pad is not zero");
                            peer.alive(2);
                        }),
                Check.requester("HDR-03c", "Requests have their unused bits clear and the right pad count")
                        .clause("9.2")
                        .work(Work.Op.WRITE, 1, mtu -> mtu + 5)
                        .stimulus("the peer writes one MTU and 5 bytes")
                        .answer("FIRST without pad, LAST with PadCnt 3; TVer 0, reserved bits 0")
                        .play(peer -> {
                            Seen first = peer.expectOne(peer.message(0)[0]);
                            Seen last = peer.expectOne(peer.message(0)[1]);
                            for (Seen packet : List.of(first, last)) {
                                reservedClear(packet.packet().bth(), peer::require);
                            }
                            peer.require(first.packet().bth().padCount() == 0, "PadCnt of a FIRST is not 0");
                            peer.require(last.packet().bth().padCount() == 3, "PadCnt is not 3 behind 5 bytes");
                            peer.send(peer.ack(1));
                            peer.succeeded(1);
                        }),
                dropped(
                        "HDR-04",
                        "A packet to a queue pair that does not exist is dropped",
                        "9.6",
                        "a WRITE to a QPN that nobody has",
                        peer -> peer.good(0).destQp(peer.connection().peerQpn() ^ 0x55_5555)),
                dropped(
                        "HDR-05",
                        "A packet to QP 0 is dropped: RoCE has none",
                        "A16",
                        "a WRITE to QP 0",
                        peer -> peer.good(0).destQp(0)),
                dropped(
                        "HDR-06a",
                        "A UC opcode to an RC queue pair is dropped",
                        "9.6",
                        "a UC WRITE ONLY",
                        peer -> asOpcode(peer, Opcode.UC_RDMA_WRITE_ONLY)),
                dropped(
                        "HDR-06b",
                        "A UD opcode to an RC queue pair is dropped",
                        "9.6",
                        "a UD SEND ONLY",
                        peer -> peer.packet(Opcode.UD_SEND_ONLY, 0, new Deth(0x1111_1111, 0x55))
                                .payload(8)),
                dropped(
                        "HDR-06c",
                        "An XRC opcode to an RC queue pair is dropped",
                        "9.6",
                        "an XRC WRITE ONLY",
                        peer -> peer.packet(
                                        Opcode.XRC_RDMA_WRITE_ONLY,
                                        0,
                                        new Xrceth(1),
                                        new Reth(
                                                peer.connection().address(),
                                                peer.connection().rKey(),
                                                8))
                                .payload(8)
                                .ackReq()),
                reservedOpcode("HDR-07a", 0x15),
                reservedOpcode("HDR-07b", 0x18),
                reservedOpcode("HDR-07c", 0x1F),
                dropped(
                        "HDR-08a",
                        "An RD opcode is dropped",
                        "9.6",
                        "a packet with opcode 0x44, RD SEND ONLY",
                        peer -> peer.packet(Opcode.RD | Opcode.RC_SEND_ONLY, 0).payload(24)),
                dropped(
                        "HDR-08b",
                        "A vendor's opcode is dropped",
                        "9.6",
                        "a packet with opcode 0xC4",
                        peer -> peer.packet(VENDOR_OPCODE, 0).payload(24)),
                dropped(
                        "HDR-09a",
                        "A WRITE that ends before its RETH is dropped",
                        "9.6",
                        "the BTH of a WRITE ONLY and 4 bytes of its RETH",
                        peer -> peer.writeOnly(0, 0).ackReq().cutBy(12)),
                dropped(
                        "HDR-09b",
                        "A packet of a BTH alone is dropped where its opcode has more",
                        "9.6",
                        "the BTH of a WRITE ONLY",
                        peer -> peer.writeOnly(0, 0).ackReq().cutBy(16)),
                dropped(
                                "HDR-09c",
                                "A READ request that ends before its RETH is dropped",
                                "9.6",
                                "the BTH of a READ and 8 bytes of its RETH",
                                peer -> peer.read(0, 8).cutBy(8))
                        .on(Service.READ),
                dropped(
                                "HDR-09d",
                                "An atomic that ends before its operands is dropped",
                                "9.6",
                                "the BTH of a FETCH ADD and 16 bytes of its AtomicETH",
                                peer -> peer.fetchAdd(0, 1).cutBy(12))
                        .on(Service.ATOMIC),
                Check.responder("HDR-16", "The UDP source port is no part of a connection's identity")
                        .clause("A17")
                        .stimulus("a WRITE of three packets, each from another source port")
                        .answer("one ACK; the bytes are there")
                        .story(peer -> {
                            int length = 2 * peer.mtu() + 8;
                            Crafted[] message = Messages.write(peer, 0, length);
                            peer.send(message[0].sourcePort(0xC111));
                            peer.send(message[1].sourcePort(0xD222));
                            peer.send(message[2].sourcePort(0xE333));
                            peer.expect(peer.ack(2).msn(peer.msn(1)));
                            peer.memoryIs(0, peer.message(0, length));
                            peer.alive(3);
                        }),
                Check.responder(
                                "HDR-17",
                                "A queue pair's own source port stays the same and is one of those for entropy")
                        .clause("A17")
                        .stimulus("four WRITEs that ask")
                        .answer("four ACKs from one UDP source port of 0xC000 to 0xFFFF")
                        .story(peer -> {
                            int port = 0;
                            for (int place = 0; place < 4; place++) {
                                peer.send(peer.good(place));
                                Seen ack = peer.expectWithin(
                                        peer.connection().timing().answer(), peer.ack(place));
                                peer.require(
                                        ack.sourcePort() >= LOWEST_ENTROPY_PORT,
                                        "the UDP source port is " + ack.sourcePort());
                                peer.require(
                                        port == 0 || port == ack.sourcePort(),
                                        "the UDP source port went from " + port + " to " + ack.sourcePort());
                                port = ack.sourcePort();
                            }
                            peer.alive(4);
                        }),
                taken(
                        "HDR-27",
                        "SE on a plain WRITE changes nothing",
                        "9.2",
                        "a WRITE ONLY with SE",
                        peer -> peer.good(0).solicited()),
                taken(
                        "HDR-28a",
                        "MigReq 0 is taken",
                        "17.2.8",
                        "a WRITE with MigReq 0",
                        peer -> peer.good(0).migReq(false)),
                taken(
                        "HDR-28b",
                        "MigReq 1 is taken",
                        "17.2.8",
                        "a WRITE with MigReq 1",
                        peer -> peer.good(0).migReq(true)),
                taken(
                        "HDR-29",
                        "FECN and BECN on a request change nothing",
                        "A10",
                        "a WRITE with both bits set",
                        peer -> peer.good(0).congestion()),
                dropped(
                        "ECN-09",
                        "A congestion notification takes no PSN and gets no answer",
                        "A17",
                        "a CNP with 16 bytes of zeros",
                        peer -> peer.packet(Opcode.CNP, 0).congestion().payload(new byte[16])),
                dropped(
                        "ECN-08",
                        "A congestion notification of the wrong length is ignored",
                        "A17",
                        "a CNP without its 16 bytes",
                        peer -> peer.packet(Opcode.CNP, 0).congestion()),
                dropped(
                        "QPS-03a",
                        "An ACK that nobody waits for is ignored by the responder's queue pair",
                        "9.7.5",
                        "an ACK with the PSN that is expected",
                        peer -> peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.ACK_UNLIMITED, 1))),
                dropped(
                        "QPS-03b",
                        "A READ response that nobody waits for is ignored",
                        "9.7.5",
                        "a READ RESPONSE ONLY with 8 bytes",
                        peer -> peer.packet(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0, new Aeth(Syndrome.ACK_UNLIMITED, 1))
                                .payload(8)),
                dropped(
                        "QPS-03c",
                        "A NAK that nobody waits for is ignored",
                        "9.7.5",
                        "a NAK remote access error",
                        peer -> peer.packet(Opcode.RC_ACKNOWLEDGE, 0, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 1))));
    }

    private static Crafted asOpcode(Responder peer, int opcode) {
        return peer.packet(
                        opcode,
                        0,
                        new Reth(peer.connection().address(), peer.connection().rKey(), 8))
                .payload(8)
                .ackReq();
    }

    /** Class C of 9.9.3 asks for a NAK; devices that look at the opcode before they look for a connection drop it. */
    private static Check reservedOpcode(String id, int opcode) {
        return Check.responder(id, String.format("The reserved opcode 0x%02x does no harm", opcode))
                .clause("9.9.3")
                .stimulus(String.format("a packet with opcode 0x%02x and the PSN that is expected", opcode))
                .answer("NAK invalid request, or dropped at the header check; nothing is executed")
                .open("NAK invalid request", "dropped")
                .story(peer -> {
                    long before = peer.counter(Rule.OPCODE_RESERVED);
                    peer.send(peer.packet(opcode, 0).ackReq().payload(16));
                    Seen answer = Shapes.firstAnswer(peer);
                    if (answer == null) {
                        peer.records("dropped");
                        peer.alive(0);
                        return;
                    }
                    String mismatch = peer.nakInvalid(0).mismatch(answer.packet());
                    peer.require(mismatch == null, "it got " + peer.describe(answer));
                    peer.counted(Rule.OPCODE_RESERVED, before, 1);
                    peer.records("NAK invalid request");
                    peer.dead();
                });
    }

    private static void clean(Responder peer, Seen packet) {
        Bth bth = packet.packet().bth();
        reservedClear(bth, peer::require);
        peer.require(!bth.solicited(), "SE is set in an answer");
        peer.require(!bth.ackReq(), "AckReq is set in an answer");
        int padded = (int) packet.packet().payload().byteSize() + bth.padCount();
        peer.require(padded % 4 == 0 && bth.padCount() < 4, "PadCnt is " + bth.padCount());
    }

    /** Says what is wrong. */
    private interface Requirement {
        void holds(boolean condition, String otherwise);
    }

    private static void reservedClear(Bth bth, Requirement requirement) {
        requirement.holds(bth.transportVersion() == 0, "TVer is " + bth.transportVersion());
        requirement.holds(bth.reserved6() == 0 && bth.reserved7() == 0, "reserved bits of the BTH are set");
        requirement.holds((bth.pKey() & 0x7FFF) == 0x7FFF, String.format("P_Key is 0x%04x", bth.pKey()));
    }
}
