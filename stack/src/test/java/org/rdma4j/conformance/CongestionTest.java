package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rdma4j.conformance.Packets.ack;
import static org.rdma4j.conformance.Packets.nak;
import static org.rdma4j.conformance.Packets.read;
import static org.rdma4j.conformance.Packets.writeOnly;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.congestion.Dcqcn;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Syndrome;

/** Group ECN: marks of congestion, what receivers tell of them, and what senders do about it (annex A17, DCQCN). */
class CongestionTest extends RcScene {

    private static final long MICROSECOND = 1000;

    /** 1 Gb/s: a packet of 256 bytes and 64 around it takes 2.56 µs. Two may leave at once. */
    private static final Dcqcn GIGABIT = Dcqcn.at(1).withBurst(640);

    private void connectPaced() {
        connect(new Setup().withCongestion(GIGABIT));
    }

    private WirePacket write(int psn) {
        return writeOnly(psn).at(region, 0, 8).payload(8);
    }

    private static WirePacket cnp() {
        return Packets.packet(Opcode.CNP, 0).congestion(false, true).payload(new byte[16]);
    }

    private void mark(int trafficClass) {
        peer.info().trafficClass = trafficClass;
    }

    private long counter(String name) {
        return device.context.counters().mlx5().get(name);
    }

    /** Packets that the device sends while so many µs pass, one after the other. */
    private List<Packet> during(int micros) {
        for (int passed = 0; passed < micros; passed++) {
            clock.advance(MICROSECOND);
            settle();
        }
        return peer.getsAll();
    }

    @Test
    @DisplayName("ECN-01: a marked data packet makes one CNP to its sender's queue pair")
    void marked() {
        connectPaced();
        mark(Ecn.CONGESTED);
        peer.sends(write(n));
        peer.expects(cnp().destQp(Peer.QPN));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-01: the same on an unreliable connection")
    void markedUc() {
        connect(new Setup().withType(QpType.UC).withCongestion(GIGABIT));
        mark(Ecn.CONGESTED);
        peer.sends(Packets.packet(Opcode.UC_RDMA_WRITE_ONLY, n).at(region, 0, 8).payload(8));
        peer.expects(cnp().destQp(Peer.QPN));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-02: a CNP has BECN, PSN 0, the connection's P_Key, 16 bytes of zeros, and nothing else set")
    void form() {
        connectPaced();
        mark(Ecn.CONGESTED);
        peer.sends(write(n));
        Packet packet = peer.gets();
        assertEquals(new Bth(0x81, false, false, 0, 0, 0xFFFF, false, true, 0, Peer.QPN, false, 0, 0), packet.bth());
        assertEquals(16, packet.payload().byteSize());
        assertEquals(-1, packet.payload().mismatch(MemorySegment.ofArray(new byte[16])));
    }

    @Test
    @DisplayName("ECN-03: however many marks come, CNPs keep their distance")
    void distance() {
        connectPaced();
        mark(Ecn.CONGESTED);
        for (int packet = 0; packet < 10; packet++) {
            peer.sends(write(plus(n, packet)));
        }
        peer.expects(cnp());
        peer.expectsNothing();
        passes(GIGABIT.cnpInterval() - 1);
        peer.sends(write(plus(n, 10)));
        peer.expectsNothing();
        passes(1);
        peer.sends(write(plus(n, 11)), write(plus(n, 12)));
        peer.expects(cnp());
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-04: a duplicate and a packet behind a gap tell of congestion too")
    void marksOutOfOrder() {
        connectPaced();
        peer.sends(write(n).ackReq());
        peer.expects(ack(n));
        mark(Ecn.CONGESTED);
        peer.sends(write(n));
        assertEquals(List.of(Opcode.CNP, Opcode.RC_ACKNOWLEDGE), opcodes());
        passes(GIGABIT.cnpInterval());
        peer.sends(write(plus(n, 5)));
        assertEquals(List.of(Opcode.CNP, Opcode.RC_ACKNOWLEDGE), opcodes());
    }

    private List<Integer> opcodes() {
        return peer.getsAll().stream()
                .map(packet -> packet.bth().opcode())
                .sorted((a, b) -> b - a)
                .toList();
    }

    @Test
    @DisplayName("ECN-04: what is of no connection here tells nothing")
    void marksOfOthers() {
        connectPaced();
        mark(Ecn.CONGESTED);
        peer.sends(write(n).destQp(0x123456));
        assertEquals(Rule.UNKNOWN_QP, peer.decision());
        peer.sends(write(n).pKey(0x1234));
        assertEquals(Rule.PKEY_MISMATCH, peer.decision());
        peer.sends(write(n).version(1));
        assertEquals(Rule.TRANSPORT_VERSION, peer.decision());
        peer.sendsFrom(Gid.ofIpv4(0x0A00_0063), write(n));
        assertEquals(Rule.WRONG_PEER, peer.decision());
        peer.expectsNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {Ecn.NOT_CAPABLE, Ecn.CAPABLE, Ecn.CAPABLE_1, 0xFC})
    @DisplayName("ECN-05: ECT(0), ECT(1) and no ECN are no marks, and a marked ACK makes no CNP")
    void unmarked(int trafficClass) {
        connectPaced();
        mark(trafficClass);
        peer.sends(write(n));
        peer.expectsNothing();
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        peer.expects(writeOnly(m));
        mark(Ecn.CONGESTED);
        peer.sends(ack(m));
        device.completes(1);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-06: with congestion control data goes as ECT(0), and CNPs in a class of their own")
    void trafficClasses() {
        connectPaced();
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        assertEquals(Ecn.CAPABLE, peer.lastRoute().trafficClass());
        mark(Ecn.CONGESTED);
        peer.sends(write(n));
        assertEquals(48 << 2, peer.lastRoute().trafficClass());
        assertEquals(HandPlayedLink.PEER, peer.lastRoute().remote());
    }

    @Test
    @DisplayName("ECN-06: without congestion control data goes as the application says")
    void plainTrafficClass() {
        connect(new Setup());
        device.posts(WrOpcode.RDMA_WRITE, 1, 8);
        assertEquals(0, peer.lastRoute().trafficClass());
        mark(Ecn.CONGESTED);
        peer.sends(write(n), cnp());
        assertEquals(Rule.CNP_IGNORED, peer.decision());
        peer.expects(writeOnly(m));
        peer.expectsNothing();
        assertFalse(device.context.counters().mlx5().containsKey("np_cnp_sent"));
    }

    @Test
    @DisplayName("ECN-07: a CNP halves the rate at first, time brings it back, PSNs and state are untouched")
    void cutAndRecovery() {
        connectPaced();
        device.posts(WrOpcode.RDMA_WRITE, 1, 200 << 10);
        peer.getsAll();
        int before = during(128).size();
        assertEquals(128 / 2.56, before, 2, "at the line's rate");
        peer.sends(cnp());
        assertEquals(Rule.CNP_HANDLED, peer.decision());
        List<Packet> slow = during(50);
        assertEquals(50 / 5.12, slow.size(), 2, "at half of it");
        int next = slow.getLast().bth().psn();
        during(600);
        int after = during(128).size();
        assertEquals(128 / 2.56, after, 2, "at the line's rate again");
        device.isIn(QpState.RTS);
        assertTrue(next > m);
        assertEquals(1, counter("rp_cnp_handled"));
    }

    @Test
    @DisplayName("ECN-07: READ responses leave at the rate of their queue pair")
    void readResponses() {
        connectPaced();
        peer.sends(read(n).at(region, 0, 200 << 10));
        peer.getsAll();
        // What counts for a response is payload and BTH.
        assertEquals(128 * 125 / 268.0, during(128).size(), 2);
        peer.sends(cnp());
        assertEquals(50 * 62.5 / 268, during(50).size(), 2);
    }

    @Test
    @DisplayName("ECN-07: an unreliable connection has a rate too, and its requests complete")
    void unreliable() {
        connect(new Setup().withType(QpType.UC).withCongestion(GIGABIT));
        device.posts(WrOpcode.RDMA_WRITE, 1, 20 << 10);
        int atOnce = peer.getsAll().size();
        assertTrue(atOnce <= 4, () -> atOnce + " packets at once");
        peer.sends(cnp());
        int slow = during(50).size();
        assertTrue(slow >= 7 && slow <= 13, () -> slow + " packets in 50 µs at half the rate");
        during(500);
        device.completes(1);
    }

    @Test
    @DisplayName(
            "ECN-08: a CNP of another length, without BECN, of another partition, peer or queue pair changes nothing")
    void badNotifications() {
        connectPaced();
        byte[] reserved = new byte[16];
        reserved[15] = 1;
        ignored(
                Rule.CNP_IGNORED,
                Packets.packet(Opcode.CNP, 0).congestion(false, true).payload(new byte[12]));
        ignored(
                Rule.CNP_IGNORED,
                Packets.packet(Opcode.CNP, 0).congestion(false, true).payload(new byte[20]));
        ignored(
                Rule.CNP_IGNORED,
                Packets.packet(Opcode.CNP, 0).congestion(false, true).payload(reserved));
        ignored(Rule.CNP_IGNORED, Packets.packet(Opcode.CNP, 0).payload(new byte[16]));
        ignored(Rule.PKEY_MISMATCH, cnp().pKey(0x1234));
        ignored(Rule.UNKNOWN_QP, cnp().destQp(0x123456));
        peer.sendsFrom(Gid.ofIpv4(0x0A00_0063), cnp());
        assertEquals(Rule.WRONG_PEER, peer.decision());
        assertEquals(0, counter("rp_cnp_handled"));
        isAlive(n);
    }

    private void ignored(Rule rule, WirePacket packet) {
        peer.sends(packet);
        assertEquals(rule, peer.decision(), packet::toString);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-09: a CNP takes no PSN and is not acknowledged")
    void takesNoPsn() {
        connectPaced();
        peer.sends(write(n).ackReq());
        peer.expects(ack(n));
        peer.sends(cnp());
        peer.expectsNothing();
        peer.sends(write(plus(n, 1)).ackReq());
        peer.expects(ack(plus(n, 1)));
    }

    @Test
    @DisplayName("ECN-10: a NAK alone is no CNP")
    void gapWithoutMark() {
        connectPaced();
        peer.sends(write(plus(n, 1)));
        peer.expects(nak(n, Syndrome.NAK_PSN_SEQUENCE));
        peer.expectsNothing();
    }

    @Test
    @DisplayName("ECN-11: the counters are what was on the wire")
    void counters() {
        connectPaced();
        mark(Ecn.CONGESTED);
        peer.sends(write(n), write(plus(n, 1)), write(plus(n, 2)));
        passes(GIGABIT.cnpInterval());
        peer.sends(write(plus(n, 3)));
        mark(Ecn.NOT_CAPABLE);
        peer.sends(cnp(), cnp());
        assertEquals(2, peer.getsAll().size());
        assertEquals(4, counter("np_ecn_marked_roce_packets"));
        assertEquals(2, counter("np_cnp_sent"));
        assertEquals(2, counter("rp_cnp_handled"));
        assertEquals(0, counter("rp_cnp_ignored"));
    }

    @Test
    @DisplayName("ECN-12: the CNP goes out with the look at the network that found the mark")
    void atOnce() {
        connectPaced();
        mark(Ecn.CONGESTED);
        peer.hands(write(n));
        device.context.progress();
        peer.expects(cnp());
    }
}
