package org.rdma4j.rocev2.udp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Links;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;

/** What both ends of a UDP connection write down is the same frame, though neither sees its IP header. */
class UdpTapTest {

    private static final MemoryBlock PATTERN = Loopback.pattern(1 << 16);
    private static final int PORT = Loopback.port();

    @ParameterizedTest
    @CsvSource({"ffm, IPv4, 33", "ffm, IPv6, 33", "nio, IPv4, 64", "nio, IPv6, 64"})
    void bothEndsWriteTheSameFrames(String implementation, String family, int hopLimit) throws IOException {
        boolean ipv6 = family.equals("IPv6");
        String here = ipv6 ? "::1" : Loopback.address(1);
        String there = ipv6 ? "::1" : Loopback.address(2);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        boolean alone = here.equals(there);
        try (PcapngTap tap = new PcapngTap(file, 0);
                Link left = open(implementation, here);
                Link right = alone ? left : open(implementation, there)) {
            left.tap(tap.of("left"));
            if (!alone) {
                right.tap(tap.of("right"));
            }
            Route route = left.route(new RouteAttributes(right.gids().getFirst(), 0xC777, 0x28, 33));
            for (int psn = 0; psn < 9; psn++) {
                Loopback.send(left, route, psn, 4, PATTERN, psn * 1024, 1024);
            }
            Loopback.send(left, route, 9, 4, PATTERN, 7, 1001, 0x10000);
            left.transmitter().flush(0);
            Loopback.receive(right, 10);
            left.tap(null);
            right.tap(null);
        }
        List<CapturedPacket> packets = read(file.toByteArray());
        assertEquals(20, packets.size());
        for (int index = 0; index < 10; index++) {
            CapturedPacket sent = packets.get(index);
            CapturedPacket received = packets.get(index + 10);
            RoceFrame frame = frame(sent);
            assertEquals(index < 9, frame.icrcIsRight(), "packet " + index);
            assertEquals(hopLimit, frame.hopLimit());
            assertEquals(0x28, frame.trafficClass());
            long checksum = frame.bthOffset() - UdpHeader.LENGTH;
            assertNotEquals(0, UdpHeader.checksum(sent.bytes(), checksum));
            UdpHeader.setChecksum(sent.bytes(), checksum, 0);
            if (implementation.equals("nio")) {
                clearTrafficClass(frame); // what a channel does not see of what it receives
            }
            if (index < 9) {
                assertTrue(received.comments().isEmpty());
                assertArrayEquals(
                        sent.bytes().toArray(ValueLayout.JAVA_BYTE),
                        received.bytes().toArray(ValueLayout.JAVA_BYTE));
            } else {
                assertEquals(List.of(RuleComment.of(Rule.ICRC_MISMATCH)), received.comments());
            }
        }
    }

    private static Link open(String implementation, String address) {
        return Links.open("roce2:" + address, new LinkOptions(PORT, 0, implementation, false));
    }

    private static List<CapturedPacket> read(byte[] file) throws IOException {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open("tap", new ByteArrayInputStream(file))) {
            reader.forEachRemaining(packets::add);
        }
        return packets;
    }

    private static void clearTrafficClass(RoceFrame frame) {
        MemorySegment bytes = frame.segment();
        long at = frame.networkOffset();
        if (frame.encapsulation() == Encapsulation.ROCE_V2_IPV4) {
            bytes.set(ValueLayout.JAVA_BYTE, at + Ipv4Header.TRAFFIC_CLASS_OFFSET, (byte) 0);
            short checksum = Short.reverseBytes((short) Ipv4Header.expectedChecksum(bytes, at));
            bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + Ipv4Header.CHECKSUM_OFFSET, checksum);
        } else {
            bytes.set(ValueLayout.JAVA_INT_UNALIGNED, at, 0x60);
        }
    }

    private static RoceFrame frame(CapturedPacket packet) {
        return assertInstanceOf(
                RoceFrame.class, FrameParser.parse(packet.bytes(), 0, packet.length(), LinkType.ETHERNET, PORT));
    }
}
