package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;
import org.rdma4j.vectors.HardwareVectors;

class FrameParserTest {

    private static final String IP_ACK = "rxe-ack";

    @Test
    void findsTheBthBehindEthernetAndIpv4() {
        RoceFrame frame = vector("connectx-cnp");
        assertEquals(Encapsulation.ROCE_V2_IPV4, frame.encapsulation());
        assertEquals(14 + 20 + 8, frame.bthOffset());
        assertEquals(12 + 16, frame.transportLength());
        assertEquals(Gid.ofIpv4(0x0A001101), frame.source());
        assertEquals(Gid.ofIpv4(0x0A001201), frame.destination());
        assertEquals(0xC2, frame.trafficClass());
        assertEquals(64, frame.hopLimit());
        assertEquals(0, frame.udpSourcePort());
        assertEquals(0x718C, frame.identification());
        assertEquals(Optional.empty(), frame.vlan());
    }

    @Test
    void looksBehindAVlanTag() {
        RoceFrame frame = vector("connectx-ack-vlan");
        assertEquals(Optional.of(new VlanTag(VlanTag.CUSTOMER, 0, false, 1)), frame.vlan());
        assertEquals(18 + 20 + 8, frame.bthOffset());
    }

    @Test
    void looksBehindTwoVlanTags() {
        byte[] ip = HardwareVectors.named(IP_ACK).bytes();
        byte[] frame = concat(Hex.bytes("020000000002 020000000001 88a8 0005 8100 a007 0800"), ip);
        RoceFrame found = CaptureFrames.frame(frame, LinkType.ETHERNET);
        assertEquals(22 + 28, found.bthOffset());
        assertEquals(Optional.of(new VlanTag(VlanTag.SERVICE, 0, false, 5)), found.vlan());
        assertTrue(found.icrcIsRight());
    }

    @Test
    void findsTheBthOfRoceV1AndTakesItsLengthFromTheGrh() {
        byte[] padded = Arrays.copyOf(HardwareVectors.named("roce-v1-send").bytes(), 120);
        RoceFrame frame = CaptureFrames.frame(padded, LinkType.ETHERNET);
        assertEquals(Encapsulation.ROCE_V1, frame.encapsulation());
        assertEquals(0x1B - 4, frame.transportLength() - 5); // PayLen 0x20: 12 + 16 + 4
        assertTrue(frame.icrcIsRight());
    }

    @Test
    void ignoresWhatEthernetPadsBehindTheIcrc() {
        byte[] ip = HardwareVectors.named(IP_ACK).bytes();
        byte[] frame = concat(Hex.bytes("020000000002 020000000001 0800"), Arrays.copyOf(ip, ip.length + 10));
        assertTrue(CaptureFrames.frame(frame, LinkType.ETHERNET).icrcIsRight());
    }

    @Test
    void readsLinuxCookedCaptures() {
        byte[] ipv4 = HardwareVectors.named(IP_ACK).bytes();
        byte[] ipv6 = HardwareVectors.named("rxe-ack-ipv6").bytes();
        byte[] first = concat(Hex.bytes("0000 0001 0006 020000000001 0000 0800"), ipv4);
        byte[] second = concat(Hex.bytes("86dd 0000 00000002 0001 00 06 020000000001 0000"), ipv6);
        assertTrue(CaptureFrames.frame(first, LinkType.LINUX_SLL).icrcIsRight());
        assertTrue(CaptureFrames.frame(second, LinkType.LINUX_SLL2).icrcIsRight());
    }

    @Test
    void readsRawIpOfBothVersions() {
        assertEquals(Encapsulation.ROCE_V2_IPV4, vector(IP_ACK).encapsulation());
        assertEquals(Encapsulation.ROCE_V2_IPV6, vector("rxe-ack-ipv6").encapsulation());
    }

    @Test
    void readsNativeInfiniBandUpToItsVcrc() {
        RoceFrame frame = vector("ib-local-write");
        assertEquals(Encapsulation.INFINIBAND_LOCAL, frame.encapsulation());
        assertEquals(new Gid(0, 0x17D2), frame.source());
        Packet packet = assertInstanceOf(Packet.class, frame.packet());
        assertEquals(Opcode.RC_RDMA_WRITE_ONLY, packet.bth().opcode());
        assertEquals(14, packet.payload().byteSize());
        assertEquals(2, packet.pad().byteSize());
    }

    @Test
    void anotherUdpPortIsFoundWhereItIsAskedFor() {
        byte[] bytes = HardwareVectors.named(IP_ACK).bytes();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(NetworkOrder.SHORT, Ipv4Header.LENGTH + UdpHeader.DESTINATION_PORT_OFFSET, (short) 14791);
        assertEquals(new OtherFrame("UDP port 14791"), FrameParser.parse(segment, 0, bytes.length, LinkType.RAW));
        assertInstanceOf(RoceFrame.class, FrameParser.parse(segment, 0, bytes.length, LinkType.RAW, 14791));
    }

    @Test
    void saysWhatAFrameIsThatIsNotRoce() {
        assertEquals(new OtherFrame("ARP"), ethernet("0806 0001"));
        assertEquals(new OtherFrame("EtherType 0x88cc"), ethernet("88cc 0001"));
        assertEquals(new OtherFrame("IP protocol 6"), ethernet("0800 45000028 00004000 40060000 0a000001 0a000002"));
        assertEquals(
                new OtherFrame("a fragment of an IPv4 packet"),
                ethernet("0800 45000028 00002000 40110000 0a000001 0a000002"));
        assertEquals(
                new OtherFrame("UDP behind IPv4 options, which RoCE has not"),
                ethernet("0800 46000028 00004000 40110000 0a000001 0a000002 01010101"));
        assertEquals(new OtherFrame("link type 105"), parse(new byte[40], 105));
    }

    @Test
    void aFrameThatTheCaptureCutShortIsMalformedWhereverItIsCut() {
        byte[] whole = HardwareVectors.named("connectx-cnp").bytes();
        int udpEnds = 14 + 20 + 8;
        for (int length = 0; length < whole.length; length++) {
            ParsedFrame found = parse(Arrays.copyOf(whole, length), LinkType.ETHERNET);
            if (length < udpEnds) {
                assertInstanceOf(OtherFrame.class, found, "length " + length);
            } else {
                assertEquals(
                        Rule.TOO_SHORT, assertInstanceOf(Malformed.class, found).rule(), "length " + length);
            }
        }
    }

    @Test
    void lengthsThatContradictEachOtherAreMalformed() {
        assertEquals(
                new Malformed(Rule.TOO_SHORT, "UDP ends 4 bytes behind its IP packet"), ackWith(24, 0x0020, 2, 48));
        assertEquals(new Malformed(Rule.TOO_SHORT, "15 bytes do not hold a BTH and an ICRC"), ackWith(24, 23, 2, 48));
        assertEquals(
                new Malformed(Rule.LENGTH_NOT_WORDS, "14 bytes from BTH to pad are no multiple of 4"),
                ackWith(24, 26, 2, 48));
        assertEquals(new Malformed(Rule.TOO_SHORT, "-8 bytes do not hold a BTH and an ICRC"), ackWith(24, 0, 2, 48));
    }

    /** The ACK of rxe with one 16-bit field replaced, and a total length. */
    private static ParsedFrame ackWith(int offset, int value, int lengthOffset, int totalLength) {
        byte[] bytes = HardwareVectors.named(IP_ACK).bytes();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        segment.set(NetworkOrder.SHORT, offset, (short) value);
        segment.set(NetworkOrder.SHORT, lengthOffset, (short) totalLength);
        return parse(bytes, LinkType.RAW);
    }

    private static ParsedFrame ethernet(String behindAddresses) {
        return parse(Hex.bytes("020000000002 020000000001 " + behindAddresses), LinkType.ETHERNET);
    }

    private static ParsedFrame parse(byte[] bytes, int linkType) {
        return FrameParser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, linkType);
    }

    private static RoceFrame vector(String name) {
        HardwareVectors.Frame vector = HardwareVectors.named(name);
        return CaptureFrames.frame(vector.bytes(), vector.linkType());
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
