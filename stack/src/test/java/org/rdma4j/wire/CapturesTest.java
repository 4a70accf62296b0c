package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.vectors.Captures;

/** Every frame of every capture of two Linux rxe peers. */
class CapturesTest {

    static List<Captures.Capture> captures() {
        return Captures.all();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyFrameIsReadAndNoneIsMalformed(Captures.Capture capture) {
        List<CapturedPacket> packets = CaptureFrames.packets(capture.bytes());
        assertEquals(capture.frames(), packets.size());
        assertFalse(packets.stream().map(CaptureFrames::parse).anyMatch(Malformed.class::isInstance));
    }

    @ParameterizedTest
    @MethodSource("captures")
    void opcodesAreThoseThatAnotherToolCounted(Captures.Capture capture) {
        Map<Integer, Integer> counts = CaptureFrames.roceFrames(capture)
                .collect(Collectors.toMap(
                        frame -> Bth.opcode(frame.segment(), frame.bthOffset()), _ -> 1, Integer::sum, TreeMap::new));
        assertEquals(new TreeMap<>(capture.opcodes()), counts);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void naksAreThoseThatAnotherToolCounted(Captures.Capture capture) {
        long naks = CaptureFrames.roceFrames(capture)
                .map(RoceFrame::packet)
                .flatMap(packet -> ((Packet) packet).extension(Aeth.class).stream())
                .filter(aeth -> !Syndrome.isAck(aeth.syndrome()))
                .count();
        assertEquals(capture.naks(), naks);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyPacketIsEmittedAsItWasParsed(Captures.Capture capture) {
        CaptureFrames.roceFrames(capture).forEach(frame -> {
            Packet packet = assertInstanceOf(Packet.class, frame.packet());
            byte[] wire = frame.segment()
                    .asSlice(frame.bthOffset(), frame.transportLength())
                    .toArray(NetworkOrder.BYTE);
            assertArrayEquals(wire, packet.toBytes());
        });
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyIcrcIsRightButThoseOfTheFramesThatTheNetworkDamaged(Captures.Capture capture) {
        long wrong = CaptureFrames.roceFrames(capture)
                .filter(frame -> !frame.icrcIsRight())
                .count();
        assertEquals(capture.name().equals(Captures.DAMAGED) ? Captures.DAMAGED_FRAMES : 0, wrong);
    }

    @ParameterizedTest
    @MethodSource("captures")
    void identificationThatASocketHidesIsSolvedFor(Captures.Capture capture) {
        CaptureFrames.roceFrames(capture)
                .filter(frame -> frame.encapsulation() == Encapsulation.ROCE_V2_IPV4)
                .forEach(frame -> {
                    int solved = Icrc.solveIdentification(
                            withIdentificationZero(frame), frame.icrc(), frame.transportLength());
                    assertEquals(frame.icrcIsRight() ? frame.identification() : -1, solved);
                });
    }

    private static int withIdentificationZero(RoceFrame frame) {
        byte[] bytes = CaptureFrames.bytes(frame);
        int at = (int) (frame.networkOffset() - frame.start()) + Ipv4Header.IDENTIFICATION_OFFSET;
        bytes[at] = 0;
        bytes[at + 1] = 0;
        return CaptureFrames.frame(bytes, 1).expectedIcrc();
    }

    @ParameterizedTest
    @MethodSource("captures")
    void everyFrameIsBuiltAgainByteForByte(Captures.Capture capture) {
        CaptureFrames.roceFrames(capture).filter(RoceFrame::icrcIsRight).forEach(frame -> {
            byte[] wire = CaptureFrames.bytes(frame);
            MemorySegment segment = frame.segment();
            byte[] built = new FrameBuilder(frame.encapsulation())
                    .gids(frame.source(), frame.destination())
                    .macs(
                            EthernetHeader.source(segment, frame.start()),
                            EthernetHeader.destination(segment, frame.start()))
                    .udpPorts(frame.udpSourcePort(), UdpHeader.ROCE_V2_PORT)
                    .udpChecksum(UdpHeader.checksum(segment, frame.bthOffset() - UdpHeader.LENGTH))
                    .identification(frame.identification())
                    .trafficClass(frame.trafficClass())
                    .hopLimit(frame.hopLimit())
                    .build(segment, frame.bthOffset(), frame.transportLength());
            assertArrayEquals(wire, built);
        });
    }

    /** netem flips one bit of a frame, so each damaged frame must have one bit that explains its ICRC. */
    @Test
    void theBitThatTheNetworkFlippedIsFound() {
        List<RoceFrame> damaged = CaptureFrames.roceFrames(Captures.named(Captures.DAMAGED))
                .filter(frame -> !frame.icrcIsRight())
                .toList();
        assertEquals(Captures.DAMAGED_FRAMES, damaged.size());
        for (RoceFrame frame : damaged) {
            int covered = Icrc.IPV4_PREFIX + frame.transportLength();
            long bit = Crc32Math.singleBit(frame.expectedIcrc() ^ frame.icrc(), covered);
            assertTrue(bit >= 0, "no single bit explains it");
            byte[] bytes = CaptureFrames.bytes(frame);
            int firstCovered = (int) (frame.networkOffset() - frame.start()) - Icrc.DUMMY_LENGTH;
            bytes[firstCovered + (int) (bit / 8)] ^= (byte) (1 << bit % 8);
            assertTrue(CaptureFrames.frame(bytes, 1).icrcIsRight(), "the bit found does not mend the frame");
        }
    }
}
