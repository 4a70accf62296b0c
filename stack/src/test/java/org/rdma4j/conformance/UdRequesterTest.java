package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;

/** Group UD, the requester's half: what datagrams look like, and what becomes of those that cannot be sent (9.8.3). */
class UdRequesterTest extends UdScene {

    private VerbsException refused(SendWorkRequest request) {
        return assertThrows(VerbsException.class, () -> device.qp.postSend(request));
    }

    @Test
    @DisplayName("UD-06: datagrams carry PSNs from sq_psn on, their sender, and ask for no acknowledgement")
    void datagrams() {
        openUd(new Setup());
        byte[] bytes = HandPlayedLink.bytes(3, 61);
        memory.inside().asSlice(0, 61).copyFrom(MemorySegment.ofArray(bytes));
        device.posts(
                datagram(WrOpcode.SEND, 1).sge(region, 0, 61),
                datagram(WrOpcode.SEND_WITH_IMM, 2).immediate(0x1234).solicited());
        peer.expects(
                Packets.datagram(m)
                        .destQp(Peer.QPN)
                        .deth(Q_KEY, device.qpn())
                        .pad(3)
                        .ackReq(false)
                        .solicited(false)
                        .payload(bytes),
                Packets.datagramImm(plus(m, 1), 0x1234)
                        .deth(Q_KEY, device.qpn())
                        .solicited()
                        .payload(new byte[0]));
        assertEquals(WcOpcode.SEND, device.completes(1).opcode());
        device.completes(2);
    }

    @Test
    @DisplayName("UD-12: each datagram goes where its address handle leads, with its traffic class and hop limit")
    void ways() {
        openUd(new Setup());
        Gid other = Gid.ofIpv4(0x0A00_0063);
        AddressHandle there = device.pd.createAh(new AhAttributes(other, 0, 0x40, 9, 0));
        device.posts(datagram(WrOpcode.SEND, 1).sge(region, 0, 8));
        assertEquals(HandPlayedLink.PEER, peer.lastRoute().remote());
        device.posts(datagram(WrOpcode.SEND, 2).ud(there, 0x77, 5).sge(region, 0, 8));
        assertEquals(other, peer.lastRoute().remote());
        assertEquals(0x40, peer.lastRoute().trafficClass());
        assertEquals(9, peer.lastRoute().hopLimit());
        assertTrue(peer.lastRoute().udpSourcePort() >= 0xC000);
        peer.expects(
                Packets.datagram(m).destQp(Peer.QPN),
                Packets.datagram(plus(m, 1)).destQp(0x77).deth(5, device.qpn()));
    }

    @Test
    @DisplayName("UD-12: each datagram of a list goes where its own address handle leads")
    void waysOfAList() {
        openUd(new Setup());
        Gid other = Gid.ofIpv4(0x0A00_0063);
        AddressHandle there = device.pd.createAh(new AhAttributes(other, 0, 0, 0, 0));
        device.postsList(datagram(WrOpcode.SEND, 1).ud(there, 0x77, 5), datagram(WrOpcode.SEND, 2));
        peer.expects(
                Packets.datagram(m).destQp(0x77), Packets.datagram(plus(m, 1)).destQp(Peer.QPN));
        assertEquals(HandPlayedLink.PEER, peer.lastRoute().remote());
        device.postsList(datagram(WrOpcode.SEND, 3), datagram(WrOpcode.SEND, 4).ud(there, 0x77, 5));
        peer.expects(
                Packets.datagram(plus(m, 2)).destQp(Peer.QPN),
                Packets.datagram(plus(m, 3)).destQp(0x77));
        assertEquals(other, peer.lastRoute().remote());
    }

    @Test
    @DisplayName("UD-12: an answer goes to where the datagram came from")
    void answer() {
        openUd(new Setup());
        Gid stranger = Gid.ofIpv4(0x0A00_0055);
        receives(1, 64, 8);
        peer.info().trafficClass = 0x28;
        peer.sendsFrom(stranger, good(n).payload(8));
        WorkCompletion received = device.completes(1);
        AddressHandle back = device.pd.createAh(received, memory.inside(), 64);
        assertEquals(new AhAttributes(stranger, 0, 0x28, 255, 0), back.attributes());
        device.posts(datagram(WrOpcode.SEND, 2).ud(back, received.sourceQp(), Q_KEY));
        assertEquals(stranger, peer.lastRoute().remote());
        WorkCompletion sent = device.completes(2);
        assertThrows(VerbsException.class, () -> AhAttributes.from(sent, memory.inside(), 64));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0xFFFF_FFFF, 0x9111_1112})
    @DisplayName("KEY-15: a request with the high bit of its Q_Key set carries the queue pair's own")
    void privilegedQKey(int qKey) {
        openUd(new Setup());
        device.posts(datagram(WrOpcode.SEND, 1).ud(way, Peer.QPN, qKey));
        peer.expects(Packets.datagram(m).deth(Q_KEY, device.qpn()));
        device.posts(datagram(WrOpcode.SEND, 2).ud(way, Peer.QPN, 0x7FFF_FFFF));
        peer.expects(Packets.datagram(plus(m, 1)).deth(0x7FFF_FFFF, device.qpn()));
    }

    @Test
    @DisplayName("UD-08, QPS-12: a message longer than the port's MTU is a local error; SQE, where receives go on")
    void tooLong() {
        openUd(new Setup());
        receives(9, 8192, 8);
        device.posts(
                datagram(WrOpcode.SEND, 1).sge(region, 0, 4096),
                datagram(WrOpcode.SEND, 2).sge(region, 0, 4097),
                datagram(WrOpcode.SEND, 3).sge(region, 0, 8));
        device.completes(1);
        device.completes(2, WcStatus.LOC_LEN_ERR);
        device.completes(3, WcStatus.WR_FLUSH_ERR);
        peer.expects(Packets.datagram(m));
        peer.expectsNothing();
        device.isIn(QpState.SQE);
        peer.sends(good(n).payload(8));
        device.completes(9);
        device.posts(datagram(WrOpcode.SEND, 4).sge(region, 0, 8));
        device.completes(4, WcStatus.WR_FLUSH_ERR);
        device.to(QpState.RTS);
        device.posts(datagram(WrOpcode.SEND, 5).sge(region, 0, 8));
        device.completes(5);
        peer.expects(Packets.datagram(plus(m, 1)));
    }

    @Test
    @DisplayName("QPS-12: memory that cannot be read is a local error of its request, behind those before it")
    void badMemory() {
        openUd(new Setup());
        device.posts(
                datagram(WrOpcode.SEND, 1).sge(region, 0, 8),
                datagram(WrOpcode.SEND, 2).sge(region.address(), 8, region.lKey() ^ 1));
        device.completes(1);
        device.completes(2, WcStatus.LOC_PROT_ERR);
        device.isIn(QpState.SQE);
    }

    @Test
    @DisplayName("UD-09: an address handle of another protection domain is refused when posted")
    void foreignWay() {
        openUd(new Setup());
        ProtectionDomain other = device.context.allocPd();
        AddressHandle foreign = other.createAh(AhAttributes.to(HandPlayedLink.PEER));
        assertTrue(refused(datagram(WrOpcode.SEND, 1).ud(foreign, Peer.QPN, Q_KEY))
                .getMessage()
                .contains("another protection domain"));
        assertThrows(VerbsException.class, other::close);
        foreign.close();
        other.close();
        device.completesNothing();
    }

    @Test
    @DisplayName("UD-09: no address handle, or one that was destroyed, is refused when posted")
    void noWay() {
        openUd(new Setup());
        refused(new SendWorkRequest().reset(WrOpcode.SEND));
        way.close();
        assertTrue(refused(datagram(WrOpcode.SEND, 1)).getMessage().contains("destroyed"));
        device.completesNothing();
        peer.expectsNothing();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SEND", "SEND_WITH_IMM"})
    @DisplayName("UD-08: operations that the service does not have are refused when posted")
    void otherOperations(WrOpcode opcode) {
        openUd(new Setup());
        assertTrue(refused(datagram(opcode, 1).sge(region, 0, 8)).getMessage().contains(opcode.name()));
    }

    @Test
    @DisplayName("QPS-12: what is posted in SQD waits for RTS, and the event comes at once where nothing was started")
    void drained() {
        openUd(new Setup());
        device.posts(datagram(WrOpcode.SEND, 1).sge(region, 0, 8));
        device.qp.modify(new QpAttributes().state(QpState.SQD).sqdAsyncNotify(true));
        device.posts(datagram(WrOpcode.SEND, 2).sge(region, 0, 8));
        device.raises(AsyncEventType.SQ_DRAINED);
        device.completes(1);
        device.completesNothing();
        device.to(QpState.RTS);
        device.completes(2);
    }

    @Test
    @DisplayName("KEY-16: a device has one QP 1")
    void oneGsi() {
        openUd(new Setup());
        device.pd.createQp(QpInitAttributes.gsi(device.cq));
        VerbsException second =
                assertThrows(VerbsException.class, () -> device.pd.createQp(QpInitAttributes.gsi(device.cq)));
        assertEquals(VerbsException.Errno.EBUSY, second.errno());
    }
}
