package org.rdma4j.tools.conform.suite;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Outcome;
import org.rdma4j.tools.conform.check.Responder;
import org.rdma4j.tools.conform.check.Scene;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Expected;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.Opcode;

/** ECN: marks of congestion, and what a device tells their senders. Annex A17 leaves it to the device whether it does. */
final class EcnChecks {

    private static final String ONE = "one CNP";
    private static final String NONE = "no CNP: the device tells nobody of congestion";
    private static final int CNP_BYTES = 16;
    private static final int BURST = 64;

    private EcnChecks() {}

    static List<Check> all() {
        return List.of(
                told("ECN-01a", "A marked request makes one CNP", "a WRITE that asks, marked CE", peer -> peer.good(0)),
                Check.responder("ECN-01b", "A marked packet of an unreliable connection makes one CNP")
                        .clause("A17")
                        .congestionControlled()
                        .over(QpType.UC)
                        .on(Service.SEND)
                        .inside("tells the message from the CNP")
                        .stimulus("a SEND over UC, marked CE")
                        .answer("it is received; one CNP, nothing else")
                        .unackedStory(peer -> {
                            Crafted marked = peer.good(0).trafficClass(Ecn.CONGESTED);
                            peer.send(marked);
                            List<Seen> packets = answers(peer);
                            peer.require(
                                    packets.size() == 1 && isCnp(packets.getFirst()),
                                    "the peer sent " + packets.size() + " packets, not one CNP");
                            peer.taken(marked);
                            peer.alive(1);
                        }),
                form(),
                distance(),
                told(
                        "ECN-04a",
                        "A marked duplicate tells of congestion too",
                        "the WRITE before again, marked CE",
                        peer -> peer.good(-1)),
                told(
                        "ECN-04b",
                        "A marked packet behind a gap tells of congestion too",
                        "a WRITE one PSN too far, marked CE",
                        peer -> peer.good(1)),
                untold(
                        "ECN-04c",
                        "A marked packet with a wrong ICRC tells of nothing",
                        "a WRITE with a wrong ICRC, marked CE",
                        peer -> peer.good(0).icrcXor(1).trafficClass(Ecn.CONGESTED),
                        false),
                untold(
                        "ECN-04d",
                        "A marked packet of another partition tells of nothing",
                        "a WRITE with P_Key 0x9234, marked CE",
                        peer -> peer.good(0).pKey(0x9234).trafficClass(Ecn.CONGESTED),
                        false),
                untold(
                        "ECN-05a",
                        "ECT(0) is no mark of congestion",
                        "a WRITE that asks, ECT(0)",
                        peer -> peer.good(0).trafficClass(Ecn.CAPABLE),
                        true),
                untold(
                        "ECN-05b",
                        "ECT(1) is no mark of congestion",
                        "a WRITE that asks, ECT(1)",
                        peer -> peer.good(0).trafficClass(Ecn.CAPABLE_1),
                        true),
                untold(
                        "ECN-05c",
                        "The highest DSCP is no mark of congestion",
                        "a WRITE that asks, DSCP 63 without ECN",
                        peer -> peer.good(0).trafficClass(0xFC),
                        true),
                Check.requester("ECN-05d", "A mark on an ACK is nobody's rate")
                        .clause("A17")
                        .congestionControlled()
                        .work(Work.Op.WRITE, 1, 8)
                        .stimulus("the peer writes; its ACK is marked CE")
                        .answer("the WRITE completes; no CNP")
                        .play(peer -> {
                            peer.expect(peer.message(0));
                            peer.send(peer.ack(0).trafficClass(Ecn.CONGESTED));
                            peer.succeeded(1);
                            peer.silence();
                        }),
                Check.requester("ECN-06a", "Data can be marked where congestion is managed: it goes as ECT")
                        .clause("A17")
                        .congestionControlled()
                        .work(Work.Op.WRITE, 1, 8)
                        .stimulus("the peer writes")
                        .answer(
                                "the request's IP header says ECT(0) or ECT(1); not ECN-capable where congestion is not managed")
                        .open("ECN-capable", "not ECN-capable")
                        .play(peer -> {
                            Seen request = peer.expectOne(peer.message(0)[0]);
                            peer.require(
                                    (request.trafficClass() & Ecn.MASK) != Ecn.CONGESTED,
                                    "the request is marked CE by its sender");
                            peer.send(peer.ack(0));
                            peer.succeeded(1);
                            peer.records(Ecn.isCapable(request.trafficClass()) ? "ECN-capable" : "not ECN-capable");
                        }),
                Check.responder("ECN-06b", "A CNP itself is not ECN-capable: nobody would lower its rate")
                        .clause("A17")
                        .congestionControlled()
                        .stimulus("a WRITE that asks, marked CE")
                        .answer("the CNP's IP header says not ECN-capable")
                        .story(peer -> {
                            Seen cnp = cnp(peer, peer.good(0));
                            peer.require(
                                    (cnp.trafficClass() & Ecn.MASK) == Ecn.NOT_CAPABLE,
                                    "the CNP's traffic class is " + cnp.trafficClass());
                            peer.alive(1);
                        }),
                unheeded("ECN-08b", "A CNP with its reserved bytes set is ignored", peer -> {
                    byte[] reserved = new byte[CNP_BYTES];
                    reserved[CNP_BYTES - 1] = 1;
                    return notification(peer).payload(reserved);
                }),
                unheeded(
                        "ECN-08c",
                        "A CNP without BECN is ignored",
                        peer -> peer.packet(Opcode.CNP, 0).payload(new byte[CNP_BYTES])),
                unheeded(
                        "ECN-08d",
                        "A CNP with 20 bytes is ignored",
                        peer -> notification(peer).payload(new byte[CNP_BYTES + 4])),
                unheeded(
                        "ECN-08e",
                        "A CNP of another partition is ignored",
                        peer -> notification(peer).payload(new byte[CNP_BYTES]).pKey(0x9234)),
                Check.responder("ECN-10", "A gap alone is no congestion")
                        .clause("A17")
                        .congestionControlled()
                        .stimulus("a WRITE one PSN too far, not marked")
                        .answer("NAK PSN sequence error, and no CNP; devices are known that send one")
                        .open("a NAK alone", "a NAK and a CNP")
                        .story(peer -> {
                            peer.send(peer.good(1));
                            List<Seen> packets = answers(peer);
                            others(peer, packets, peer.nakSequence(0));
                            peer.records(cnps(packets).isEmpty() ? "a NAK alone" : "a NAK and a CNP");
                            peer.alive(0);
                        }),
                counters());
    }

    private static boolean isCnp(Seen packet) {
        return packet.opcode() == Opcode.CNP;
    }

    private static List<Seen> cnps(List<Seen> packets) {
        return packets.stream().filter(EcnChecks::isCnp).toList();
    }

    /** All that comes, of which something is due. */
    private static List<Seen> answers(Scene peer) {
        List<Seen> packets = new ArrayList<>();
        packets.add(peer.next());
        packets.addAll(peer.rest());
        return packets;
    }

    /** What came besides CNPs, which may overtake it, is this. */
    private static void others(Scene peer, List<Seen> packets, Expected... expected) {
        List<Seen> others = packets.stream().filter(packet -> !isCnp(packet)).toList();
        peer.require(
                others.size() == expected.length,
                "the peer answered with " + others.size() + " packets besides CNPs, not " + expected.length);
        for (int index = 0; index < expected.length; index++) {
            String mismatch = expected[index].mismatch(others.get(index).packet());
            peer.require(mismatch == null, "due of the peer: " + expected[index] + ": " + mismatch);
        }
    }

    /** What a marked packet at this place gets besides a CNP. */
    private static Expected answer(Responder peer, Crafted packet) {
        int place = (packet.psn() - peer.psn(0) << 8) >> 8;
        return place > 0 ? peer.nakSequence(0) : peer.ack(place);
    }

    private static Check told(String id, String title, String stimulus, Function<Responder, Crafted> packet) {
        return Check.responder(id, title)
                .clause("A17")
                .congestionControlled()
                .stimulus(stimulus)
                .answer("its ACK or NAK, and one CNP to the sender's queue pair; devices may do without")
                .open(ONE, NONE)
                .story(peer -> {
                    Crafted marked = packet.apply(peer).trafficClass(Ecn.CONGESTED);
                    peer.send(marked);
                    List<Seen> packets = answers(peer);
                    others(peer, packets, answer(peer, marked));
                    int count = cnps(packets).size();
                    peer.require(count < 2, "the peer sent " + count + " CNPs for one mark");
                    peer.records(count == 1 ? ONE : NONE);
                    peer.alive(marked.psn() == peer.psn(0) ? 1 : 0);
                });
    }

    private static Check untold(
            String id, String title, String stimulus, Function<Responder, Crafted> packet, boolean answered) {
        return Check.responder(id, title)
                .clause("A17")
                .congestionControlled()
                .stimulus(stimulus)
                .answer(answered ? "its ACK, and no CNP" : "silence")
                .story(peer -> {
                    peer.send(packet.apply(peer));
                    if (answered) {
                        peer.expect(peer.ack(0));
                    }
                    peer.silence();
                    peer.alive(answered ? 1 : 0);
                });
    }

    /** The one CNP that a marked request gets. */
    private static Seen cnp(Responder peer, Crafted request) {
        peer.send(request.trafficClass(Ecn.CONGESTED));
        List<Seen> packets = answers(peer);
        others(peer, packets, answer(peer, request));
        List<Seen> cnps = cnps(packets);
        if (cnps.isEmpty()) {
            throw new Outcome.NotApplicable("the peer tells nobody of congestion: it sends no CNP");
        }
        return cnps.getFirst();
    }

    private static Check form() {
        return Check.responder("ECN-02", "A CNP has BECN, PSN 0, the connection's P_Key, and 16 bytes of zeros")
                .clause("A17")
                .congestionControlled()
                .stimulus("a WRITE that asks, marked CE")
                .answer("opcode 0x81; FECN, SE, AckReq, pad, TVer, reserved bits and PSN are 0")
                .story(peer -> {
                    Seen cnp = cnp(peer, peer.good(0));
                    Bth bth = cnp.packet().bth();
                    peer.require(bth.becn(), "BECN is clear");
                    peer.require(!bth.fecn(), "FECN is set");
                    peer.require(bth.psn() == 0, "the PSN is " + bth.psn());
                    peer.require(!bth.solicited() && !bth.ackReq(), "SE or AckReq is set");
                    peer.require(bth.padCount() == 0, "PadCnt is " + bth.padCount());
                    peer.require(
                            bth.transportVersion() == 0 && bth.reserved6() == 0 && bth.reserved7() == 0,
                            "TVer or reserved bits are set");
                    peer.require((bth.pKey() & 0x7FFF) == 0x7FFF, String.format("the P_Key is 0x%04x", bth.pKey()));
                    MemorySegment payload = cnp.packet().payload();
                    peer.require(
                            payload.byteSize() == CNP_BYTES
                                    && payload.mismatch(MemorySegment.ofArray(new byte[CNP_BYTES])) < 0,
                            "behind its BTH are not 16 bytes of zeros");
                    peer.alive(1);
                });
    }

    private static Check distance() {
        return Check.responder("ECN-03", "However many marks come, CNPs keep their distance")
                .clause("DCQCN")
                .congestionControlled()
                .inside("knows the least time between two CNPs")
                .stimulus(BURST + " WRITEs, all marked CE")
                .answer("one CNP for each 50 µs that the burst took, and one more")
                .story(peer -> {
                    Crafted[] burst = new Crafted[BURST];
                    for (int place = 0; place < BURST; place++) {
                        burst[place] = peer.writeOnly(place, Responder.SMALL).trafficClass(Ecn.CONGESTED);
                    }
                    burst[BURST - 1].ackReq();
                    long start = peer.now();
                    peer.send(burst);
                    List<Seen> packets = answers(peer);
                    long took = packets.isEmpty() ? 0 : packets.getLast().time() - start;
                    long most = 1 + took / Dcqcn.at(1).cnpInterval();
                    int count = cnps(packets).size();
                    peer.require(count > 0, "no CNP came");
                    peer.require(count <= most, count + " CNPs came within " + took / 1000 + " µs");
                    peer.alive(BURST);
                });
    }

    private static Crafted notification(Responder peer) {
        return peer.packet(Opcode.CNP, 0).becn();
    }

    private static long handled(Scene peer) {
        return peer.inside().device().counters().mlx5().get("rp_cnp_handled");
    }

    private static Check unheeded(String id, String title, Function<Responder, Crafted> packet) {
        return Check.responder(id, title)
                .clause("A17")
                .congestionControlled()
                .stimulus("that CNP; a good WRITE")
                .answer("no rate is cut for it (counters); no PSN is taken, nothing is answered")
                .story(peer -> {
                    long before = peer.inside() == null ? 0 : handled(peer);
                    peer.send(packet.apply(peer));
                    peer.silence();
                    peer.alive(0);
                    if (peer.inside() != null) {
                        peer.require(handled(peer) == before, "the peer has cut a rate for it");
                    }
                });
    }

    private static Check counters() {
        return Check.responder("ECN-11", "What is counted of congestion is what was on the wire")
                .clause("Lumina")
                .congestionControlled()
                .inside("counters")
                .stimulus("two marked WRITEs and one that is not marked, one after the other; two CNPs")
                .answer("np_ecn_marked_roce_packets 2, np_cnp_sent as many as came, rp_cnp_handled 2")
                .story(peer -> {
                    Map<String, Long> before = peer.inside().device().counters().mlx5();
                    int sent = 0;
                    for (int place = 0; place < 3; place++) {
                        peer.send(peer.good(place).trafficClass(place < 2 ? Ecn.CONGESTED : Ecn.CAPABLE));
                        sent += cnps(answers(peer)).size();
                    }
                    byte[] zeros = new byte[CNP_BYTES];
                    peer.send(
                            notification(peer).payload(zeros),
                            notification(peer).payload(zeros));
                    peer.silence();
                    peer.alive(3);
                    more(peer, before, "np_ecn_marked_roce_packets", 2);
                    more(peer, before, "np_cnp_sent", sent);
                    more(peer, before, "rp_cnp_handled", 2);
                });
    }

    private static void more(Responder peer, Map<String, Long> before, String name, long due) {
        long more = peer.inside().device().counters().mlx5().get(name) - before.get(name);
        peer.require(more == due, name + " went up by " + more + ", on the wire were " + due);
    }
}
