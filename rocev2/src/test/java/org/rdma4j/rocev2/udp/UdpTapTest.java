package org.rdma4j.rocev2.udp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.tap.PcapngTap;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.RuleComment;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.RoceFrame;
import org.rdma4j.wire.UdpHeader;

/** What both ends of a UDP connection write down is the same frame, though neither sees its IP header. */
class UdpTapTest {

    private static final MemoryBlock PATTERN = Loopback.pattern(1 << 16);
    private static final int PORT = 14_792;
    private static final LinkOptions OPTIONS = new LinkOptions(PORT, 0, "", false);

    @Test
    void trainsOverIpv4() throws IOException {
        bothEndsWriteTheSameFrames(Loopback.address(1), Loopback.address(2));
    }

    @Test
    void trainsOverIpv6() throws IOException {
        bothEndsWriteTheSameFrames("::1", "::1");
    }

    private static void bothEndsWriteTheSameFrames(String here, String there) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        boolean alone = here.equals(there);
        try (PcapngTap tap = new PcapngTap(file, 0);
                Link left = UdpFfmLink.open(here, OPTIONS);
                Link right = alone ? left : UdpFfmLink.open(there, OPTIONS)) {
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
            assertEquals(33, frame.hopLimit());
            assertEquals(0x28, frame.trafficClass());
            long checksum = frame.bthOffset() - UdpHeader.LENGTH;
            assertNotEquals(0, UdpHeader.checksum(sent.bytes(), checksum));
            UdpHeader.setChecksum(sent.bytes(), checksum, 0);
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

    private static List<CapturedPacket> read(byte[] file) throws IOException {
        List<CapturedPacket> packets = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open("tap", new ByteArrayInputStream(file))) {
            reader.forEachRemaining(packets::add);
        }
        return packets;
    }

    private static RoceFrame frame(CapturedPacket packet) {
        return assertInstanceOf(
                RoceFrame.class, FrameParser.parse(packet.bytes(), 0, packet.length(), LinkType.ETHERNET, PORT));
    }
}
