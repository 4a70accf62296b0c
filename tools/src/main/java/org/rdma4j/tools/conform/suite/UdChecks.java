package org.rdma4j.tools.conform.suite;

import static org.rdma4j.tools.conform.suite.Shapes.packets;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Setup;
import org.rdma4j.tools.conform.check.Unacked;
import org.rdma4j.tools.conform.check.UnackedRequester;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.Crafted;
import org.rdma4j.tools.conform.craft.Seen;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.UdpHeader;

/** UD: unreliable datagrams. */
final class UdChecks {

    private static final int IMMEDIATE = 0x0102_0304;
    private static final int MULTICAST_QP = 0xFF_FFFF;
    private static final int LONGEST_RECEIVE = 8192;

    private UdChecks() {}

    static List<Check> all() {
        return List.of(
                ud("UD-01", "A datagram is received behind 40 bytes, and tells of its sender")
                        .stimulus("a SEND ONLY of 30 bytes")
                        .answer(
                                "70 bytes are received; the completion names the sender's queue pair and has the GRH flag")
                        .unackedStory(peer -> {
                            var completion = peer.takes(peer.message(0, 30));
                            if (completion != null) {
                                int sender = peer.connection().line().qpn();
                                peer.require(
                                        completion.sourceQp() == sender,
                                        "the completion names queue pair " + completion.sourceQp() + ", not " + sender);
                                peer.require(completion.hasGrh(), "the completion does not tell of a GRH");
                            }
                            peer.alive(1);
                        }),
                ud("UD-02", "The 40 bytes are the network header: IPv6's, or IPv4's in the last 20")
                        .clause("A17")
                        .inside("memory")
                        .stimulus("a SEND ONLY of 30 bytes")
                        .answer("the header that the datagram came with, addresses and length right")
                        .unackedStory(peer -> {
                            long at = peer.receive(peer.taken());
                            peer.takes(peer.message(0, 30));
                            networkHeader(peer, peer.inside().bytes(at, Grh.LENGTH));
                            peer.alive(1);
                        }),
                ud("UD-03", "A datagram that is longer than the port's MTU is dropped")
                        .setup(Setup.STOCK.withReceives(8, LONGEST_RECEIVE))
                        .stimulus("a SEND ONLY 4 bytes longer than the port's MTU, which would fit its receive")
                        .answer("silence; the receive is the next datagram's")
                        .unackedStory(peer -> {
                            int mtu = peer.inside().device().queryPort().activeMtu();
                            peer.send(peer.message(0, mtu + 4));
                            peer.ignored();
                            peer.alive(1);
                        }),
                ud("UD-04", "A datagram that is longer than its receive is not received")
                        .clause("9.9.3")
                        .stimulus("a SEND ONLY 8 bytes longer than the receive behind its 40 bytes")
                        .answer("it is dropped; or the receive fails with LOC_LEN_ERR")
                        .open("dropped", "the receive fails")
                        .unackedStory(peer -> {
                            Crafted behind = peer.good(1);
                            peer.send(peer.message(0, peer.mtu() + 8));
                            peer.send(behind);
                            String status = peer.failure();
                            if (status != null) {
                                peer.require("1".equals(status), "the receive failed with status " + status);
                                peer.records("the receive fails");
                                return;
                            }
                            peer.taken(behind);
                            peer.records("dropped");
                            peer.alive(2);
                        }),
                dropped(
                        "UD-05a",
                        "There is no FIRST of datagrams",
                        "a packet with the opcode UD would have for SEND FIRST",
                        peer -> packets(peer.packet(Opcode.UD, 0, peer.deth()).payload(peer.mtu()))),
                dropped(
                        "UD-05b",
                        "There is no LAST of datagrams",
                        "a packet with the opcode UD would have for SEND LAST",
                        peer -> packets(peer.packet(Opcode.UD | Opcode.RC_SEND_LAST, 0, peer.deth())
                                .payload(8))),
                dropped(
                        "UD-05c",
                        "There is no WRITE of datagrams",
                        "a packet with the opcode UD would have for WRITE ONLY",
                        peer -> packets(peer.packet(Opcode.UD | Opcode.RC_RDMA_WRITE_ONLY, 0, peer.deth(), peer.reth(8))
                                .payload(8))),
                dropped(
                        "UD-05d",
                        "A SEND of RC or UC is nothing to a datagram's queue pair",
                        "an RC SEND ONLY and a UC SEND ONLY",
                        peer -> packets(
                                peer.packet(Opcode.RC_SEND_ONLY, 0).ackReq().payload(8),
                                peer.packet(Opcode.UC_SEND_ONLY, 0).payload(8))),
                ud("UD-06", "PSNs of datagrams are not looked at")
                        .stimulus("three datagrams: 1000 PSNs ahead, 500 back, and the same again")
                        .answer("each is received")
                        .unackedStory(peer -> {
                            peer.takes(peer.message(1000, 16));
                            peer.takes(peer.message(500, 24));
                            peer.takes(peer.message(500, 32));
                            peer.alive(0);
                        }),
                ud("UD-07", "A datagram's immediate is delivered as it came")
                        .stimulus("a SEND ONLY with immediate 0x01020304")
                        .answer("it is received; the completion has that immediate")
                        .unackedStory(peer -> {
                            var completion = peer.takes(peer.packet(Opcode.UD_SEND_ONLY_WITH_IMMEDIATE, 0, peer.deth())
                                    .imm(IMMEDIATE)
                                    .payload(16));
                            peer.require(
                                    completion == null
                                            || completion.hasImmediate() && completion.immediate() == IMMEDIATE,
                                    "the completion has another immediate");
                            peer.alive(1);
                        }),
                localError(),
                dropped(
                        "UD-11",
                        "QP 0xFFFFFF is for groups: with an address of one port it is nobody",
                        "a datagram to QP 0xFFFFFF at the peer's own address",
                        peer -> packets(peer.good(0).destQp(MULTICAST_QP))),
                Check.requester("UD-12", "A datagram carries its sender's queue pair and its destination's Q_Key")
                        .clause("9.8.3")
                        .over(QpType.UD)
                        .work(Work.Op.SEND, 2, mtu -> mtu)
                        .stimulus("the peer sends two datagrams of one path MTU, and hears nothing")
                        .answer("two SEND ONLY, PSNs in order, from the peer's address; both complete")
                        .unackedPlay(peer -> {
                            for (int number = 0; number < 2; number++) {
                                ofItsSender(peer, peer.expectMessage(number).getFirst());
                            }
                            peer.succeeds();
                        }),
                dropped(
                        "KEY-14",
                        "A datagram with another Q_Key is dropped",
                        "a datagram whose Q_Key differs in one bit",
                        peer -> packets(peer.packet(
                                        Opcode.UD_SEND_ONLY,
                                        0,
                                        new Deth(
                                                Unacked.Q_KEY ^ 0x10,
                                                peer.connection().line().qpn()))
                                .payload(8))));
    }

    private static Check ud(String id, String title) {
        return Check.responder(id, title).clause("9.8.3").over(QpType.UD).on(Service.SEND);
    }

    private static Check dropped(String id, String title, String stimulus, Function<Unacked, Crafted[]> packets) {
        return ud(id, title)
                .stimulus(stimulus)
                .answer("silence, nothing is received")
                .unackedStory(peer -> {
                    peer.send(packets.apply(peer));
                    peer.ignored();
                    peer.alive(1);
                });
    }

    private static void networkHeader(Unacked peer, byte[] area) {
        Gid sender = peer.connection().line().gid();
        Gid receiver = peer.inside().device().queryGid(0);
        int behind = UdpHeader.LENGTH + Bth.LENGTH + Deth.LENGTH + 32 + Icrc.LENGTH;
        if (sender.isIpv4()) {
            int at = Grh.LENGTH - Ipv4Header.LENGTH;
            byte[] source = Arrays.copyOfRange(sender.toBytes(), 12, 16);
            byte[] destination = Arrays.copyOfRange(receiver.toBytes(), 12, 16);
            peer.require(area[at] == 0x45, "the last 20 bytes are no IPv4 header");
            require16(peer, area, at + 2, Ipv4Header.LENGTH + behind, "total length");
            same(peer, source, area, at + 12, "source address");
            same(peer, destination, area, at + 16, "destination address");
            return;
        }
        peer.require((area[0] & 0xF0) == 0x60, "the 40 bytes are no IPv6 header");
        require16(peer, area, 4, behind, "payload length");
        same(peer, sender.toBytes(), area, 8, "source address");
        same(peer, receiver.toBytes(), area, 24, "destination address");
    }

    private static void require16(Unacked peer, byte[] area, int at, int value, String what) {
        int found = (area[at] & 0xFF) << 8 | area[at + 1] & 0xFF;
        peer.require(found == value, "the header's " + what + " is " + found + ", not " + value);
    }

    private static void same(Unacked peer, byte[] expected, byte[] area, int at, String what) {
        peer.require(
                Arrays.equals(expected, Arrays.copyOfRange(area, at, at + expected.length)),
                "the header has another " + what);
    }

    private static void ofItsSender(UnackedRequester peer, Seen datagram) {
        Deth deth = datagram.packet().extension(Deth.class).orElseThrow();
        int sender = peer.connection().peerQpn();
        peer.require(deth.sourceQp() == sender, "the datagram names queue pair " + deth.sourceQp() + ", not " + sender);
        peer.require(deth.qKey() == Unacked.Q_KEY, String.format("the Q_Key is 0x%08x", deth.qKey()));
        peer.require(deth.reserved() == 0, "reserved bits of the DETH are set");
    }

    private static Check localError() {
        return Check.requester("UD-08", "A datagram longer than the port's MTU is a local error; receives go on")
                .clause("10.3.1")
                .over(QpType.UD)
                .work(Work.Op.SEND, 1, 8)
                .setup(Setup.STOCK.withReceives(1, LONGEST_RECEIVE))
                .stimulus("the peer sends 8 bytes, then one more than its port's MTU; then a datagram comes")
                .answer("one SEND ONLY; LOC_LEN_ERR; the queue pair is in SQE and still receives")
                .unackedPlay(peer -> {
                    peer.expectMessage(0);
                    peer.completes(0, WcStatus.SUCCESS);
                    int mtu = peer.inside().device().queryPort().activeMtu();
                    peer.inside().post(new Work(Work.Op.SEND, mtu + 1, 1));
                    peer.completes(0, WcStatus.LOC_LEN_ERR);
                    peer.silence();
                    peer.stateIs(QpState.SQE);
                    peer.send(new Crafted(
                                    Opcode.UD_SEND_ONLY,
                                    peer.connection().firstPsn(),
                                    new Deth(
                                            Unacked.Q_KEY,
                                            peer.connection().line().qpn()))
                            .payload(8));
                    peer.completes(0, WcStatus.SUCCESS);
                });
    }
}
