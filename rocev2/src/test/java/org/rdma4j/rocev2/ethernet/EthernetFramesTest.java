package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.Route;
import org.rdma4j.vectors.HardwareVectors;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;

/** What frames look like, and which ones are taken. */
class EthernetFramesTest {

    private Station left;
    private Station right;
    private Route route;

    private void connect(Encapsulation encapsulation, int vlanId, int priority) {
        left = new Station(Station.config(encapsulation, 1, vlanId, priority));
        right = new Station(Station.config(encapsulation, 2, vlanId, priority));
        route = left.route(right.config.gid());
        left.exchange(right);
        left.poll();
        left.exchange(right);
    }

    private void connect(Encapsulation encapsulation) {
        connect(encapsulation, -1, 0);
    }

    private byte[] sent(int psn, int payload) {
        left.io.takeSent();
        left.send(route, psn, payload);
        assertEquals(1, left.io.sent.size());
        return left.io.takeSent().getFirst();
    }

    private static String hex(byte[] frame, int from, int to) {
        return HexFormat.of().formatHex(frame, from, to);
    }

    @Test
    void roceV1StandsBehindTheEthernetHeader() {
        connect(Encapsulation.ROCE_V1);
        byte[] frame = sent(7, 4);
        assertEquals("020000000002" + "020000000001" + "8915", hex(frame, 0, 14));
        // GRH: PayLen 12 + 4 + 4, NxtHdr 0x1B, hop limit 64, the GIDs that the MACs give.
        assertEquals(
                "600000000014" + "1b40" + "fe800000000000000000" + "00fffe000001" + "fe800000000000000000"
                        + "00fffe000002",
                hex(frame, 14, 54));
        assertEquals("0440ffff00000011" + "00000007" + "0708090a", hex(frame, 54, 70));
        assertEquals(74, frame.length);
    }

    @Test
    void roceV2StandsBehindIpAndUdp() {
        connect(Encapsulation.ROCE_V2_IPV4);
        byte[] frame = sent(7, 4);
        assertEquals("0800" + "4500003000004000" + "4011", hex(frame, 12, 24));
        assertEquals("0a000001" + "0a000002" + "c12312b7" + "001c0000", hex(frame, 26, 42));
        connect(Encapsulation.ROCE_V2_IPV6);
        frame = sent(7, 4);
        assertEquals("86dd" + "60000000001c1140", hex(frame, 12, 22));
        assertEquals("c12312b7" + "001c0000", hex(frame, 54, 62));
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void theIcrcIsThatOfAnIndependentComputation(Encapsulation encapsulation) {
        connect(encapsulation);
        for (int payload = 0; payload < 70; payload++) {
            byte[] frame = sent(0xABCDE0 + payload, payload);
            assertEquals(BitwiseCrc.icrcOf(frame), BitwiseCrc.icrcIn(frame), "payload of " + payload);
        }
    }

    @ParameterizedTest
    @CsvSource({"5, 3, 8100, 6005", "4094, 0, 8100, 0ffe", "0, 7, 8100, e000"})
    void framesCarryTheTagAndOthersVlansAreIgnored(int vlanId, int priority, String type, String control) {
        connect(Encapsulation.ROCE_V2_IPV4, vlanId, priority);
        byte[] frame = sent(1, 100);
        assertEquals(type + control + "0800", hex(frame, 12, 18));
        right.io.arrive(frame);
        assertEquals(1, right.poll());
        frame[15]++; // another VLAN's
        right.io.arrive(frame);
        assertEquals(0, right.poll());
        assertEquals(0, right.link.counters().malformed + right.link.counters().icrcErrors);
    }

    @Test
    void aPriorityTagIsNoVlan() {
        connect(Encapsulation.ROCE_V2_IPV4, 0, 5);
        byte[] frame = sent(1, 100);
        Station untagged = new Station(Station.config(Encapsulation.ROCE_V2_IPV4, 2));
        untagged.io.arrive(frame);
        assertEquals(1, untagged.poll());
    }

    @Test
    void shortFramesArePaddedAndTheReceiverCutsThemByTheirHeaders() {
        connect(Encapsulation.ROCE_V2_IPV4);
        byte[] frame = sent(1, 0);
        assertEquals(60, frame.length);
        assertEquals("0000", hex(frame, 58, 60)); // Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4
        frame[59] = 0x55; // and whatever it is
        right.io.arrive(frame);
        assertEquals(1, right.poll());
        assertTrue(right.packets.getFirst().endsWith(" 0440ffff0000001100000001"), right.packets.getFirst());
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void everyBitThatTheIcrcCoversIsChecked(Encapsulation encapsulation) {
        connect(encapsulation);
        byte[] frame = sent(9, 24);
        long before = right.link.counters().receivedPackets;
        for (int bit = 14 * 8; bit < frame.length * 8; bit++) {
            frame[bit / 8] ^= (byte) (1 << bit % 8);
            right.packets.clear();
            right.io.arrive(frame);
            right.poll();
            assertEquals(
                    isMasked(encapsulation, bit / 8 - 14, bit % 8) ? 1 : 0, right.packets.size(), "byte " + bit / 8);
            frame[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertTrue(right.link.counters().receivedPackets > before + 24 * 8);
        assertTrue(right.link.counters().icrcErrors > 24 * 8);
    }

    /** What routers may change, and what only UDP looks at. The IPv4 checksum is not ICRC's, but it must be right. */
    private static boolean isMasked(Encapsulation encapsulation, int at, int bit) {
        return switch (encapsulation) {
            case ROCE_V2_IPV4 -> at == 26 || at == 27 || at == 28 + 4;
            case ROCE_V2_IPV6 ->
                at == 0 && bit < 4 || at >= 1 && at <= 3 || at == 7 || at == 46 || at == 47 || at == 48 + 4;
            default -> at == 0 && bit < 4 || at >= 1 && at <= 3 || at == 7 || at == 40 + 4;
        };
    }

    @Test
    void aWrongIpv4ChecksumIsMalformed() {
        connect(Encapsulation.ROCE_V2_IPV4);
        byte[] frame = sent(9, 24);
        frame[14 + 8]--; // a router that counted down and forgot the checksum
        right.io.arrive(frame);
        right.poll();
        assertEquals(1, right.link.counters().malformed);
        frame[14 + 11]++; // it was at its low byte's end
        frame[14 + 10]++;
        right.io.arrive(frame);
        right.poll();
        assertEquals(0, right.packets.size());
        assertEquals(2, right.link.counters().malformed);
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void packetsOfOthersAreIgnoredAndNotCounted(Encapsulation encapsulation) {
        connect(encapsulation);
        Station third = new Station(Station.config(encapsulation, 3));
        byte[] frame = sent(9, 24);
        third.io.arrive(frame); // another MAC
        frame[5] = 3;
        third.io.arrive(frame); // its MAC, another GID
        frame[5] = 2;
        frame[13]++; // another protocol
        right.io.arrive(frame);
        assertEquals(0, third.poll() + right.poll());
        assertEquals(0, third.link.counters().receivedPackets + third.link.counters().malformed);
        assertEquals(0, right.link.counters().receivedPackets + right.link.counters().malformed);
    }

    @ParameterizedTest
    @EnumSource(names = {"ROCE_V1", "ROCE_V2_IPV4", "ROCE_V2_IPV6"})
    void whatBreaksOffIsMalformed(Encapsulation encapsulation) {
        connect(encapsulation);
        byte[] frame = sent(9, 24);
        int headers = frame.length - 12 - 24 - 4;
        for (int length = headers; length < frame.length; length++) {
            right.io.arrive(Arrays.copyOf(frame, length));
        }
        assertEquals(frame.length - headers, right.poll());
        assertEquals(frame.length - headers, right.link.counters().malformed);
        assertEquals(0, right.packets.size());
    }

    @Test
    void aPortTalksToItself() {
        Station self = new Station(Station.config(Encapsulation.ROCE_V1, 1));
        Route home = self.route(self.config.gid());
        self.io.takeSent();
        self.send(home, 1, 8);
        self.send(home, 2, 8);
        assertEquals(0, self.io.sent.size());
        assertTrue(self.link.nextEvent() <= self.now);
        assertEquals(2, self.poll());
        assertEquals(2, self.packets.size());
        assertEquals(2, self.link.counters().sentPackets);
        assertEquals(Long.MAX_VALUE, self.link.nextEvent());
    }

    @Test
    void framesOfHardwareAreTakenAndDamagedOnesAreNot() {
        int taken = 0;
        for (HardwareVectors.Frame vector : HardwareVectors.all()) {
            if (vector.linkType() == 1) {
                byte[] frame = vector.bytes();
                Station owner = new Station(ownerOf(frame));
                owner.io.arrive(frame);
                owner.poll();
                assertEquals(vector.intact() ? 1 : 0, owner.packets.size(), vector.name());
                assertEquals(vector.intact() ? 0 : 1, owner.link.counters().icrcErrors, vector.name());
                taken += owner.packets.size();
            }
        }
        assertTrue(taken >= 5, taken + " of them are there");
    }

    private static PortConfig ownerOf(byte[] frame) {
        boolean tagged = frame[12] == (byte) 0x81;
        int network = tagged ? 18 : 14;
        boolean ipv4 = frame[network - 2] == 8;
        boolean v1 = frame[network - 2] == (byte) 0x89;
        byte[] address = Arrays.copyOfRange(frame, network + (ipv4 ? 16 : 24), network + (ipv4 ? 20 : 40));
        Gid gid = ipv4 ? Gid.ofIpv4(ByteBuffer.wrap(address).getInt()) : Gid.of(address);
        return new PortConfig(
                v1 ? Encapsulation.ROCE_V1 : Encapsulation.roceV2(gid),
                Long.parseLong(hex(frame, 0, 6), 16),
                gid,
                1500,
                tagged ? (frame[14] & 0xF) << 8 | frame[15] & 0xFF : -1,
                0,
                0,
                null,
                true,
                4791);
    }
}
