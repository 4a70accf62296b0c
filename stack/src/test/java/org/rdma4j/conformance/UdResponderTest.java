package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.NetworkHeader;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.UdpHeader;

/** Group UD, the responder's half: what becomes of datagrams (9.8.3). */
class UdResponderTest extends UdScene {

    private static final int GRH = Grh.LENGTH;

    private void received(long id, WirePacket packet, long offset) {
        WorkCompletion completion = device.completes(id);
        assertEquals(WcOpcode.RECV, completion.opcode());
        assertEquals(GRH + packet.bytes().length, completion.byteLength());
        assertTrue(completion.hasGrh());
        assertEquals(Peer.QPN, completion.sourceQp());
        byte[] got =
                memory.inside().asSlice(offset + GRH, packet.bytes().length).toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(packet.bytes(), got);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 255, 4096})
    @DisplayName("UD-01: a datagram is received behind 40 bytes of header, which count in the length")
    void received(int length) {
        openUd(new Setup());
        receives(7, 512, length);
        WirePacket packet = good(n).payload(length);
        peer.sends(packet);
        received(7, packet, 512);
        peer.expectsNothing();
    }

    @Test
    @DisplayName("UD-02: of RoCE v2 over IPv4 the last 20 of the 40 bytes are the IPv4 header, the others zero")
    void ipv4Header() {
        openUd(new Setup());
        MemorySegment inside = memory.inside();
        inside.asSlice(0, GRH).fill((byte) 0x55);
        receives(1, 0, 100);
        PacketInfo info = peer.info();
        info.trafficClass = 0x69;
        info.hopLimit = 63;
        info.identification = 0xBEE5;
        peer.sends(good(n).payload(98));
        assertEquals(NetworkHeader.IPV4, device.completes(1).networkHeader());
        for (int at = 0; at < GRH - Ipv4Header.LENGTH; at++) {
            assertEquals(0, inside.get(ValueLayout.JAVA_BYTE, at));
        }
        Ipv4Header header = Ipv4Header.parse(inside, GRH - Ipv4Header.LENGTH);
        int length = Ipv4Header.LENGTH + UdpHeader.LENGTH + 12 + 8 + 100 + Icrc.LENGTH;
        int checksum = Ipv4Header.expectedChecksum(inside, GRH - Ipv4Header.LENGTH);
        Ipv4Header expected = new Ipv4Header(
                4,
                5,
                0x69,
                length,
                0xBEE5,
                0x4000,
                63,
                17,
                checksum,
                HandPlayedLink.PEER.ipv4(),
                HandPlayedLink.DEVICE.ipv4());
        assertEquals(expected, header);
    }

    @Test
    @DisplayName("UD-02: of RoCE v2 over IPv6 they are the IPv6 header")
    void ipv6Header() {
        networkHeaderIs(PacketInfo.UDP, NetworkHeader.IPV6, UdpHeader.LENGTH);
    }

    @Test
    @DisplayName("UD-02: of RoCE v1 they are the GRH")
    void globalRouteHeader() {
        networkHeaderIs(Grh.NEXT_HEADER_IBA, NetworkHeader.GRH, 0);
    }

    private void networkHeaderIs(int nextHeader, NetworkHeader kind, int between) {
        openUd(new Setup());
        Gid from = new Gid(0xFE80_0000_0000_0000L, 0x1234);
        Gid to = new Gid(0xFE80_0000_0000_0000L, 0x5678);
        receives(1, 0, 100);
        PacketInfo info = peer.info();
        info.nextHeader = nextHeader;
        info.trafficClass = 0x69;
        info.flowLabel = 0xABCDE;
        info.hopLimit = 63;
        peer.sends(from, to, good(n).payload(100));
        assertEquals(kind, device.completes(1).networkHeader());
        int length = between + 12 + 8 + 100 + Icrc.LENGTH;
        assertEquals(new Grh(6, 0x69, 0xABCDE, length, nextHeader, 63, from, to), Grh.parse(memory.inside(), 0));
    }

    @Test
    @DisplayName("UD-03: a datagram longer than the port's MTU is dropped")
    void tooLong() {
        openUd(new Setup());
        receives(1, 0, 8192);
        peer.sends(good(n).payload(4100));
        device.counted(Rule.DATAGRAM_TOO_LONG, 1);
        device.completesNothing();
        peer.expectsNothing();
    }

    @Test
    @DisplayName("UD-04: a datagram longer than the receive is dropped, and the receive is the next one's (recorded)")
    void doesNotFit() {
        openUd(new Setup());
        receives(1, 0, 100);
        peer.sends(good(n).payload(101));
        device.counted(Rule.DATAGRAM_DOES_NOT_FIT, 1);
        device.completesNothing();
        peer.expectsNothing();
        memory.isUntouched();
        WirePacket fitting = good(plus(n, 1)).payload(100);
        peer.sends(fitting);
        received(1, fitting, 0);
        device.isIn(QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0x60, 0x61, 0x62, 0x63, 0x66, 0x6A, 0x6C, 0x7F, Opcode.RC_SEND_ONLY, Opcode.UC_SEND_ONLY, Opcode.CNP
            })
    @DisplayName("UD-05: opcodes that the datagram service does not have are dropped")
    void otherOpcodes(int opcode) {
        openUd(new Setup());
        receives(1, 0, 100);
        byte[] bytes = good(n).payload(64).toBytes(device.qpn());
        bytes[0] = (byte) opcode;
        peer.sendsBytes(bytes);
        device.completesNothing();
        peer.expectsNothing();
        assertTrue(!peer.decision().accepted());
        device.isIn(QpState.RTS);
    }

    @Test
    @DisplayName("UD-06: PSNs that jump, stand still or go back are all the same")
    void anyPsn() {
        openUd(new Setup());
        int[] psns = {n, plus(n, 1000), n, plus(n, -7), 0xFF_FFFF};
        for (int i = 0; i < psns.length; i++) {
            receives(i, 1024L * i, 64);
            WirePacket packet = good(psns[i]).payload(64);
            peer.sends(packet);
            received(i, packet, 1024L * i);
        }
    }

    @Test
    @DisplayName("UD-07: immediate data is delivered, and a solicited event raised where it is asked for")
    void immediate() throws InterruptedException {
        openUd(new Setup());
        device.cq.requestNotify(true);
        receives(1, 0, 64);
        receives(2, 256, 64);
        peer.sends(good(n).payload(8));
        assertEquals(null, device.channel.getEvent(java.time.Duration.ZERO));
        peer.sends(Packets.datagramImm(plus(n, 1), 0x0BADF00D)
                .deth(Q_KEY, Peer.QPN)
                .payload(8)
                .solicited());
        assertEquals(device.cq, device.channel.getEvent(java.time.Duration.ZERO));
        device.cq.ackEvents(1);
        assertTrue(!device.completes(1).hasImmediate());
        WorkCompletion second = device.completes(2);
        assertTrue(second.hasImmediate());
        assertEquals(0x0BADF00D, second.immediate());
    }

    @Test
    @DisplayName("UD-01: a packet that ends before its headers do is dropped")
    void cutShort() {
        openUd(new Setup());
        receives(1, 0, 64);
        peer.sends(good(n).payload(0).cutBy(4), good(n).payload(0).pad(3));
        device.counted(Rule.TOO_SHORT, 2);
        device.completesNothing();
    }

    @Test
    @DisplayName("RNR-15: a datagram that finds no receive is dropped in silence")
    void noReceive() {
        openUd(new Setup());
        peer.sends(good(n).payload(8));
        peer.expectsNothing();
        device.counted(Rule.RECEIVE_MISSING, 1);
        device.isIn(QpState.RTS);
        receives(1, 0, 8);
        peer.sends(good(plus(n, 1)).payload(8));
        device.completes(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Q_KEY ^ 1, 0x9111_1111})
    @DisplayName("KEY-14: a wrong Q_Key is dropped in silence and takes no receive")
    void wrongQKey(int qKey) {
        openUd(new Setup());
        receives(1, 0, 64);
        peer.sends(good(n).deth(qKey, Peer.QPN).payload(8));
        peer.expectsNothing();
        device.completesNothing();
        device.counted(Rule.QKEY_MISMATCH, 1);
        peer.sends(good(plus(n, 1)).payload(8));
        device.completes(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Q_KEY, 0x8001_0001})
    @DisplayName("KEY-16: QP 1 takes its own Q_Key alone, whatever it was told")
    void generalServices(int qKey) {
        connect(new Setup().withType(QpType.GSI).withQKey(qKey));
        assertEquals(1, device.qpn());
        receives(1, 0, 256);
        peer.sends(Packets.datagram(n).deth(qKey, 1).payload(256));
        device.counted(Rule.QKEY_MISMATCH, 1);
        peer.sends(Packets.datagram(n).deth(0x8001_0000, 1).payload(256));
        assertEquals(1, device.completes(1).sourceQp());
    }

    @Test
    @DisplayName("QPS-14: a receive whose memory cannot be written fails, and the queue pair with it")
    void receiveFault() {
        openUd(new Setup());
        MemoryRegion readOnly = device.pd.register(memory.inside(), AccessFlags.REMOTE_READ);
        device.qp.postReceive(new ReceiveWorkRequest().reset(1).sge(readOnly, 0, 256));
        receives(2, 0, 256);
        peer.sends(good(n).payload(8));
        device.completes(1, WcStatus.LOC_PROT_ERR);
        device.completes(2, WcStatus.WR_FLUSH_ERR);
        device.counted(Rule.LOCAL_RECEIVE_FAULT, 1);
        device.isIn(QpState.ERR);
        memory.isUntouched();
    }

    @Test
    @DisplayName("UD-01: the 40 bytes and the datagram go to as many pieces as the receive has")
    void scattered() {
        openUd(new Setup());
        device.qp.postReceive(new ReceiveWorkRequest()
                .reset(1)
                .sge(region, 0, 30)
                .sge(region, 100, 15)
                .sge(region, 200, 3)
                .sge(region, 300, 60));
        WirePacket packet = good(n).payload(64);
        peer.sends(packet);
        assertEquals(GRH + 64, device.completes(1).byteLength());
        MemorySegment inside = memory.inside();
        byte[] got = new byte[GRH + 64];
        MemorySegment joined = MemorySegment.ofArray(got);
        MemorySegment.copy(inside, 0, joined, 0, 30);
        MemorySegment.copy(inside, 100, joined, 30, 15);
        MemorySegment.copy(inside, 200, joined, 45, 3);
        MemorySegment.copy(inside, 300, joined, 48, 56);
        assertArrayEquals(packet.bytes(), joined.asSlice(GRH).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(HandPlayedLink.PEER.ipv4(), Ipv4Header.source(joined, 20));
    }
}
