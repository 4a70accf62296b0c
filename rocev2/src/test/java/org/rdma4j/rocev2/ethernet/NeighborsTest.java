package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.ArpPacket;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.NeighborMessage;

/** ARP and neighbor discovery, in a time that the test turns. */
class NeighborsTest {

    private static Station station(Encapsulation encapsulation, int number) {
        Station station = new Station(Station.config(encapsulation, number));
        station.io.takeSent(); // its announcement
        return station;
    }

    private static String hex(byte[] frame, int from, int to) {
        return HexFormat.of().formatHex(frame, from, to);
    }

    private static boolean isPacket(byte[] frame) {
        return frame.length > 80;
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void packetsWaitForTheNeighborAndThenGoInTheirOrder(Encapsulation encapsulation) {
        Station left = station(encapsulation, 1);
        Station right = station(encapsulation, 2);
        Route route = left.route(right.config.gid());
        left.send(route, 1, 100);
        left.send(route, 2, 100);
        assertEquals(0, left.io.sent.size(), "nobody knows where to yet");
        left.poll();
        assertEquals(1, left.io.sent.size(), "but he asks");
        left.exchange(right);
        assertEquals(2, right.packets.size());
        assertTrue(right.packets.get(0).contains("00000001" + "0102"), right.packets.get(0));
        assertTrue(right.packets.get(1).contains("00000002" + "0203"), right.packets.get(1));
        assertEquals(2, left.link.counters().sentPackets);
        left.send(route, 3, 100);
        assertEquals(1, left.io.sent.size(), "now they go at once");
    }

    @Test
    void asksByArpAsTheRfcDrawsIt() {
        Station left = station(Encapsulation.ROCE_V2_IPV4, 1);
        left.route(Gid.ofIpv4(0x0A000002));
        left.poll();
        byte[] frame = left.io.takeSent().getFirst();
        assertEquals("ffffffffffff" + "020000000001" + "0806", hex(frame, 0, 14));
        assertEquals(
                "0001080006040001" + "020000000001" + "0a000001" + "000000000000" + "0a000002", hex(frame, 14, 42));
        assertEquals(60, frame.length);
    }

    @Test
    void asksByNeighborDiscoveryAsTheRfcDrawsIt() {
        Station left = station(Encapsulation.ROCE_V2_IPV6, 1);
        left.route(new Gid(0xFD00L << 48, 0x1234_5678));
        left.poll();
        byte[] frame = left.io.takeSent().getFirst();
        assertEquals("3333ff345678" + "020000000001" + "86dd", hex(frame, 0, 14));
        assertEquals("6000000000203aff", hex(frame, 14, 22));
        assertEquals("ff02000000000000" + "00000001ff345678", hex(frame, 38, 54));
        assertEquals("8700", hex(frame, 54, 56));
        assertEquals("fd00000000000000" + "0000000012345678" + "0101" + "020000000001", hex(frame, 62, 86));
        assertTrue(NeighborMessage.isValid(MemorySegment.ofArray(frame), 14, 54, 32));
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void givesUpAfterThreeQuestionsAndAsksAnewForALaterPacket(Encapsulation encapsulation) {
        Station left = station(encapsulation, 1);
        Station absent = station(encapsulation, 2);
        Route route = left.route(absent.config.gid());
        left.send(route, 1, 100);
        int questions = 0;
        for (int tenths = 0; tenths < 60; tenths++) {
            left.after(Station.SECOND / 10);
            questions += left.io.takeSent().size();
        }
        assertEquals(3, questions);
        assertEquals(1, left.link.counters().sendErrors, "the packet that waited is lost");
        assertEquals(0, left.link.counters().sentPackets);
        assertEquals(Long.MAX_VALUE, left.link.nextEvent());

        left.send(route, 2, 100);
        left.poll();
        left.exchange(absent);
        assertEquals(1, absent.packets.size(), "he is back");
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void asksTheNeighborItselfWhenWhatIsKnownIsOld(Encapsulation encapsulation) {
        Station left = station(encapsulation, 1);
        Station right = station(encapsulation, 2);
        Route route = left.route(right.config.gid());
        left.poll();
        left.exchange(right);
        left.after(29 * Station.SECOND);
        assertEquals(0, left.io.sent.size());
        left.after(Station.SECOND);
        byte[] question = left.io.sent.getFirst();
        assertEquals("020000000002", hex(question, 0, 6));
        left.exchange(right);
        left.after(29 * Station.SECOND);
        assertEquals(0, left.io.sent.size(), "the answer counts for as long again");

        for (int second = 0; second < 10; second++) {
            left.after(Station.SECOND); // he no longer answers
        }
        assertEquals(3, left.io.takeSent().size());
        left.send(route, 1, 100);
        assertTrue(left.io.takeSent().stream().noneMatch(NeighborsTest::isPacket));
    }

    @Test
    void aGratuitousArpMovesTheNeighbor() {
        Station left = station(Encapsulation.ROCE_V2_IPV4, 1);
        Station right = station(Encapsulation.ROCE_V2_IPV4, 2);
        Route route = left.route(right.config.gid());
        left.poll();
        left.exchange(right);
        PortConfig moved = Station.config(Encapsulation.ROCE_V2_IPV4, 2);
        Station elsewhere = new Station(new PortConfig(
                moved.encapsulation(), 0x0200_0000_0099L, moved.gid(), 1500, -1, 0, 24, null, true, 4791));
        elsewhere.io.takeSent().forEach(left.io::arrive);
        left.poll();
        left.send(route, 1, 100);
        assertEquals("020000000099", hex(left.io.takeSent().getFirst(), 0, 6));
    }

    @Test
    void anUnsolicitedAdvertisementMovesTheNeighborAndIsVerified() {
        Station left = station(Encapsulation.ROCE_V2_IPV6, 1);
        Station right = station(Encapsulation.ROCE_V2_IPV6, 2);
        Route route = left.route(right.config.gid());
        left.poll();
        left.exchange(right);
        PortConfig moved = Station.config(Encapsulation.ROCE_V2_IPV6, 2);
        Station elsewhere = new Station(new PortConfig(
                moved.encapsulation(), 0x0200_0000_0099L, moved.gid(), 1500, -1, 0, 64, null, true, 4791));
        elsewhere.io.takeSent().forEach(left.io::arrive);
        left.poll();
        assertEquals("020000000099", hex(left.io.takeSent().getFirst(), 0, 6), "asked whether it is true");
        left.send(route, 1, 100);
        assertEquals("020000000099", hex(left.io.takeSent().getFirst(), 0, 6), "and used meanwhile");
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void answersForItsOwnAddressOnly(Encapsulation encapsulation) {
        Station asker = station(encapsulation, 1);
        Station other = station(encapsulation, 3);
        asker.route(Station.config(encapsulation, 2).gid());
        asker.poll();
        byte[] question = asker.io.takeSent().getFirst();
        other.io.arrive(question);
        other.poll();
        assertEquals(0, other.io.sent.size(), "it is not asked");

        PortConfig asked = Station.config(encapsulation, 2);
        Station kernels = new Station(new PortConfig(
                encapsulation, asked.mac(), asked.gid(), 1500, -1, 0, asked.prefixLength(), null, false, 4791));
        kernels.io.arrive(question);
        kernels.poll();
        assertEquals(0, kernels.io.sent.size(), "the kernel answers for its own");

        Station owner = station(encapsulation, 2);
        owner.io.arrive(question);
        owner.poll();
        assertEquals(1, owner.io.sent.size());
        assertEquals("020000000001", hex(owner.io.sent.getFirst(), 0, 6));
    }

    @Test
    void aDuplicateAddressProbeIsAnsweredToAll() {
        Station owner = station(Encapsulation.ROCE_V2_IPV6, 2);
        byte[] probe = new byte[14 + 40 + 32];
        MemorySegment frame = MemorySegment.ofArray(probe);
        Gid group = NeighborMessage.solicitedNode(2);
        EthernetHeader.write(frame, 0, NeighborMessage.groupMac(group.low()), 0x0200_0000_0007L, EthernetHeader.IPV6);
        new Ipv6Header(6, 0, 0, 24, 58, 255, Gid.ZERO, group).emit(frame, 14);
        new NeighborMessage(NeighborMessage.SOLICITATION, 0, owner.config.gid(), 0).emit(frame, 14, 54);
        int sum = NeighborMessage.expectedChecksum(frame, 14, 54, 24);
        probe[56] = (byte) (sum >> 8);
        probe[57] = (byte) sum;
        owner.io.arrive(Arrays.copyOf(probe, 14 + 40 + 24));
        owner.poll();
        byte[] answer = owner.io.sent.getFirst();
        assertEquals("333300000001", hex(answer, 0, 6));
        assertEquals("8800", hex(answer, 54, 56));
        assertEquals("20000000", hex(answer, 58, 62), "override, not solicited");
    }

    @Test
    void aDamagedQuestionIsNotAnswered() {
        Station owner = station(Encapsulation.ROCE_V2_IPV6, 2);
        Station asker = station(Encapsulation.ROCE_V2_IPV6, 1);
        asker.route(owner.config.gid());
        asker.poll();
        byte[] question = asker.io.takeSent().getFirst();
        for (int at : List.of(21, 55, 56, 62)) { // hop limit, code, checksum, target
            byte[] damaged = question.clone();
            damaged[at] ^= 0x40;
            owner.io.arrive(damaged);
        }
        owner.poll();
        assertEquals(0, owner.io.sent.size());
        owner.io.arrive(question);
        owner.poll();
        assertEquals(1, owner.io.sent.size());
    }

    @Test
    void addressesThatNoStationHasAreNotLearned() {
        Station left = station(Encapsulation.ROCE_V2_IPV4, 1);
        Route route = left.route(Gid.ofIpv4(0x0A000002));
        left.poll();
        left.io.takeSent();
        for (long mac : List.of(0L, EthernetHeader.BROADCAST, 0x0100_5E00_0001L)) {
            byte[] reply = new byte[60];
            MemorySegment frame = MemorySegment.ofArray(reply);
            EthernetHeader.write(frame, 0, left.config.mac(), 0x0200_0000_0002L, EthernetHeader.ARP);
            new ArpPacket(ArpPacket.REPLY, mac, 0x0A000002, left.config.mac(), 0x0A000001).emit(frame, 14);
            left.io.arrive(reply);
        }
        left.poll();
        left.send(route, 1, 100);
        assertEquals(0, left.io.sent.size());
    }

    @Test
    void othersGoToTheGateway() {
        PortConfig own = Station.config(Encapsulation.ROCE_V2_IPV4, 1);
        Gid far = Gid.ofIpv4(0x0A010002);
        Station left = new Station(own);
        LinkException refused =
                assertThrows(LinkException.class, () -> left.link.route(RouteAttributes.to(far, 0xC000)));
        assertEquals(
                "10.1.0.2 is not in 10.0.0.1/24, and no gateway is known: name one, as in"
                        + " roce2eth:eth0?gateway=ADDRESS",
                refused.getMessage());
        Station routed = new Station(new PortConfig(
                own.encapsulation(), own.mac(), own.gid(), 1500, -1, 0, 24, Gid.ofIpv4(0x0A0000FE), true, 4791));
        routed.io.takeSent();
        routed.route(far);
        routed.poll();
        assertEquals("0a0000fe", hex(routed.io.takeSent().getFirst(), 38, 42));
    }

    @Test
    void roceV1NeedsNoQuestion() {
        Station left = new Station(Station.config(Encapsulation.ROCE_V1, 1));
        assertEquals(0, left.io.sent.size(), "nothing to announce");
        Route route = left.route(LinkLocal.of(0x0200_0000_0002L, -1));
        left.send(route, 1, 100);
        assertEquals("020000000002", hex(left.io.takeSent().getFirst(), 0, 6));
        route = left.route(LinkLocal.of(0x5254_0012_3456L, 7));
        left.send(route, 1, 100);
        assertEquals("525400123456", hex(left.io.takeSent().getFirst(), 0, 6));
    }

    /** The kernel has the same address, and answers. */
    @Test
    void roceV1DoesNotAnswerForItsLinkLocalGid() {
        Station v1 = new Station(Station.config(Encapsulation.ROCE_V1, 2));
        Station asker = station(Encapsulation.ROCE_V2_IPV6, 1);
        asker.route(v1.config.gid());
        asker.poll();
        asker.io.takeSent().forEach(v1.io::arrive);
        v1.poll();
        assertEquals(0, v1.io.sent.size());
        LinkException refused = assertThrows(LinkException.class, () -> v1.route(Gid.ofIpv4(0x0A000002)));
        assertEquals(
                "test at fe80::ff:fe00:2 cannot reach 10.0.0.2: one is IPv4 and the other is not",
                refused.getMessage());
    }

    @Test
    void linkLocalGidsHoldTheMacAndTheVlan() {
        assertEquals(
                "fe80::5054:ff:fe12:3456", LinkLocal.of(0x5254_0012_3456L, -1).toString());
        assertEquals(
                "fe80::5054:ff:fe12:3456", LinkLocal.of(0x5254_0012_3456L, 0).toString());
        assertEquals("fe80::5054:0:512:3456", LinkLocal.of(0x5254_0012_3456L, 5).toString());
        assertTrue(LinkLocal.holdsMac(0xFE80L << 48, LinkLocal.of(1, 4094).low()));
        assertTrue(!LinkLocal.holdsMac(0xFE80L << 48, 0x1234_5678_9ABC_DEF0L));
    }

    @Test
    void aFloodOfQuestionsChangesNothing() {
        Station left = station(Encapsulation.ROCE_V2_IPV4, 1);
        for (int i = 0; i < 10_000; i++) {
            byte[] question = new byte[60];
            MemorySegment frame = MemorySegment.ofArray(question);
            EthernetHeader.write(frame, 0, EthernetHeader.BROADCAST, 0x0200_0000_0002L, EthernetHeader.ARP);
            new ArpPacket(ArpPacket.REQUEST, 0x0200_0001_0000L + i, 0x0A010000 + i, 0, 0x0A000005).emit(frame, 14);
            left.io.arrive(question);
        }
        left.poll();
        assertEquals(0, left.io.sent.size());
        assertEquals(Long.MAX_VALUE, left.link.nextEvent());
    }
}
