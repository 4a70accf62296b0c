package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.testing.Fuzz;
import org.rdma4j.vectors.Captures;
import org.rdma4j.vectors.HardwareVectors;

/** Whatever bytes come: a value, no exception, and no byte read that is not there. */
class FrameFuzzTest {

    private static final int FRAMES = 3_400_000;
    private static final int PACKETS = 1_600_000;
    private static final int LONGEST = 160;

    private static final int[] LINK_TYPES = {
        LinkType.ETHERNET,
        LinkType.ETHERNET,
        LinkType.RAW,
        LinkType.LINUX_SLL,
        LinkType.LINUX_SLL2,
        LinkType.INFINIBAND,
        LinkType.IPV6,
        -1
    };

    @Test
    void frameParserTakesAnyBytes() {
        boolean[] seen = new boolean[4];
        new Fuzz(frames(), LONGEST + 1).run(FRAMES, input -> {
            if (input.length > 0) {
                seen[checkFrame(input)] = true;
            }
        });
        assertTrue(seen[0] && seen[1] && seen[2] && seen[3], "every kind of answer was given");
    }

    /** The first byte chooses the link type, the rest is the frame. */
    private static int checkFrame(byte[] input) {
        MemorySegment segment = MemorySegment.ofArray(input);
        int length = input.length - 1;
        int linkType = LINK_TYPES[input[0] & LINK_TYPES.length - 1];
        return switch (FrameParser.parse(segment, 1, length, linkType)) {
            case OtherFrame other -> {
                assertNotNull(other.what());
                yield 0;
            }
            case TcpFrame tcp -> {
                assertTrue(tcp.payload().byteSize() <= tcp.payloadLength());
                assertNotNull(tcp.source());
                assertNotNull(tcp.destination());
                yield 0;
            }
            case Malformed malformed -> {
                assertNotNull(malformed.rule());
                yield 1;
            }
            case RoceFrame frame -> {
                assertTrue(frame.icrcOffset() + Icrc.LENGTH <= input.length);
                readEverything(frame);
                yield frame.icrcIsRight() ? 2 : 3;
            }
        };
    }

    private static void readEverything(RoceFrame frame) {
        int sum = frame.trafficClass() + frame.hopLimit() + frame.udpSourcePort() + frame.identification();
        assertTrue(sum >= 0);
        assertNotNull(frame.source());
        assertNotNull(frame.destination());
        assertNotNull(frame.vlan());
        checkPacket(frame.packet(), frame.segment(), frame.bthOffset(), frame.transportLength());
    }

    @Test
    void packetParserTakesAnyBytes() {
        new Fuzz(packets(), LONGEST).run(PACKETS, input -> {
            MemorySegment segment = MemorySegment.ofArray(input);
            checkPacket(Packet.parse(segment, 0, input.length), segment, 0, input.length);
        });
    }

    /** A message of any length with any options is read, or has no address, and never past its end. */
    @Test
    void neighborMessageTakesAnyOptions() {
        byte[] message = new byte[NeighborMessage.LENGTH + 24];
        message[0] = (byte) NeighborMessage.SOLICITATION;
        message[NeighborMessage.SHORTEST] = 1;
        message[NeighborMessage.SHORTEST + 1] = 1;
        message[NeighborMessage.SHORTEST + 9] = 2;
        boolean[] found = new boolean[2];
        new Fuzz(List.of(message), LONGEST).run(PACKETS / 8, input -> {
            if (input.length >= NeighborMessage.SHORTEST) {
                long mac = NeighborMessage.mac(MemorySegment.ofArray(input), 0, input.length);
                assertTrue(mac >= -1 && mac <= 0xFFFF_FFFF_FFFFL);
                found[mac < 0 ? 0 : 1] = true;
            }
        });
        assertTrue(found[0] && found[1]);
    }

    private static void checkPacket(ParsedPacket parsed, MemorySegment segment, long offset, int length) {
        switch (parsed) {
            case Malformed malformed -> assertNotNull(malformed.rule());
            case Packet packet -> {
                assertEquals(length, packet.length());
                byte[] wire = segment.asSlice(offset, length).toArray(NetworkOrder.BYTE);
                assertArrayEquals(wire, packet.toBytes());
            }
        }
    }

    private static List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        HardwareVectors.all().forEach(vector -> frames.add(withLinkType(vector.linkType(), vector.bytes())));
        shortFrames().forEach(frame -> frames.add(withLinkType(LinkType.ETHERNET, CaptureFrames.bytes(frame))));
        return frames;
    }

    private static byte[] withLinkType(int linkType, byte[] frame) {
        int index = 0;
        while (LINK_TYPES[index] != linkType) {
            index++;
        }
        byte[] input = new byte[frame.length + 1];
        input[0] = (byte) index;
        System.arraycopy(frame, 0, input, 1, frame.length);
        return input;
    }

    private static List<byte[]> packets() {
        return shortFrames()
                .map(frame -> frame.segment()
                        .asSlice(frame.bthOffset(), frame.transportLength())
                        .toArray(NetworkOrder.BYTE))
                .toList();
    }

    private static Stream<RoceFrame> shortFrames() {
        return Stream.of("rxe-6.1-tools.pcap", "rxe-ipv6-rping.pcap", "rxe-atomic-CMP_AND_SWAP.pcap", "rxe-udaddy.pcap")
                .map(Captures::named)
                .flatMap(CaptureFrames::roceFrames)
                .filter(frame -> frame.length() <= LONGEST);
    }
}
