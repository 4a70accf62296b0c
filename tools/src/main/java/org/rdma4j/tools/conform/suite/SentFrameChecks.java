package org.rdma4j.tools.conform.suite;

import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Scene;
import org.rdma4j.tools.conform.check.Service;
import org.rdma4j.tools.conform.check.Work;
import org.rdma4j.tools.conform.craft.PeerFrame;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.UdpHeader;

/** HDR: what the peer puts in front of the BTH, looked at in whole frames. All of them are IPv4's. */
final class SentFrameChecks {

    private static final int ODD = 5; // bytes, with a pad of 3

    private SentFrameChecks() {}

    /** What is to be seen of a frame; the bytes are those of its packet's payload. */
    private interface Look {
        void at(Scene peer, PeerFrame frame, int payload);
    }

    static List<Check> all() {
        return List.of(
                ack("HDR-13a", "An ACK's IPv4 header", HEADER, SentFrameChecks::header),
                responses("HDR-13b", "The IPv4 headers of READ responses", HEADER, SentFrameChecks::header),
                requests("HDR-13c", "The IPv4 headers of requests", HEADER, SentFrameChecks::header),
                ack("HDR-25a", "The lengths in front of an ACK", LENGTHS, SentFrameChecks::lengths),
                responses("HDR-25b", "The lengths in front of READ responses", LENGTHS, SentFrameChecks::lengths),
                requests("HDR-25c", "The lengths in front of requests", LENGTHS, SentFrameChecks::lengths));
    }

    private static final String HEADER =
            "five words, protocol 17, Don't Fragment, no fragment, a time to live, a right "
                    + "checksum; UDP's destination port is 4791";
    private static final String LENGTHS =
            "UDP's length is that of BTH to ICRC and 8 more, IP's total length 20 more still";

    private static Check ack(String id, String title, String answer, Look look) {
        return framed(Check.responder(id, title), "a WRITE that asks", "in the ACK's frame: " + answer)
                .story(peer -> {
                    peer.send(peer.good(0));
                    peer.expect(peer.goodAnswer(0));
                    look.at(peer, peer.frameOf(peer.psn(0)), 0);
                    peer.alive(1);
                });
    }

    private static Check responses(String id, String title, String answer, Look look) {
        return framed(
                        Check.responder(id, title).on(Service.READ),
                        "a READ of two path MTUs and 5 bytes",
                        "in the frames of FIRST, MIDDLE and LAST: " + answer)
                .story(peer -> {
                    peer.send(peer.read(0, 2L * peer.mtu() + ODD));
                    peer.expect(peer.readFirst(0), peer.readMiddle(1), peer.readLast(2, ODD));
                    look.at(peer, peer.frameOf(peer.psn(0)), peer.mtu());
                    look.at(peer, peer.frameOf(peer.psn(1)), peer.mtu());
                    look.at(peer, peer.frameOf(peer.psn(2)), ODD);
                    peer.alive(3);
                });
    }

    private static Check requests(String id, String title, String answer, Look look) {
        return framed(
                        Check.requester(id, title).work(Work.Op.WRITE, 1, mtu -> mtu + ODD),
                        "the peer WRITEs one path MTU and 5 bytes",
                        "in the frames of FIRST and LAST: " + answer)
                .play(peer -> {
                    peer.expectAll();
                    look.at(peer, peer.frameOf(peer.psn(0)), peer.mtu());
                    look.at(peer, peer.frameOf(peer.psn(1)), ODD);
                    peer.send(peer.ack(1));
                    peer.succeeded(1);
                });
    }

    private static Check framed(Check check, String stimulus, String answer) {
        return check.clause("A17").framed().stimulus(stimulus).answer(answer);
    }

    private static void header(Scene peer, PeerFrame frame, int payload) {
        int words = Ipv4Header.headerWords(frame.memory(), frame.ip());
        peer.require(words == Ipv4Header.LENGTH / 4, "the IPv4 header has " + words + " words");
        int protocol = Ipv4Header.protocol(frame.memory(), frame.ip());
        peer.require(protocol == UdpHeader.PROTOCOL, "the IP protocol is " + protocol);
        int flags = Ipv4Header.flagsAndOffset(frame.memory(), frame.ip());
        peer.require((flags & Ipv4Header.DONT_FRAGMENT) != 0, "Don't Fragment is clear");
        peer.require(
                (flags & (Ipv4Header.MORE_FRAGMENTS | Ipv4Header.FRAGMENT_OFFSET_MASK)) == 0,
                String.format("it is a fragment: 0x%04x", flags));
        peer.require(Ipv4Header.timeToLive(frame.memory(), frame.ip()) != 0, "the time to live is 0");
        int checksum = Ipv4Header.checksum(frame.memory(), frame.ip());
        int right = Ipv4Header.expectedChecksum(frame.memory(), frame.ip());
        peer.require(
                checksum == right,
                String.format("the IPv4 header's checksum is 0x%04x in place of 0x%04x", checksum, right));
        int port = UdpHeader.destinationPort(frame.memory(), frame.udp());
        peer.require(port == UdpHeader.ROCE_V2_PORT, "UDP's destination port is " + port);
    }

    private static void lengths(Scene peer, PeerFrame frame, int payload) {
        int pad = -payload & 3;
        int transport = Opcode.headerLength(Bth.opcode(frame.memory(), frame.bth())) + payload + pad + Icrc.LENGTH;
        int udp = UdpHeader.udpLength(frame.memory(), frame.udp());
        peer.require(
                udp == UdpHeader.LENGTH + transport,
                "UDP's length is " + udp + " in front of " + transport + " bytes from BTH to ICRC");
        int total = Ipv4Header.totalLength(frame.memory(), frame.ip());
        peer.require(
                total == Ipv4Header.LENGTH + UdpHeader.LENGTH + transport,
                "IP's total length is " + total + " in front of " + transport + " bytes from BTH to ICRC");
        peer.require(frame.ip() + total <= frame.memory().byteSize(), "the frame ends before its packet does");
    }
}
