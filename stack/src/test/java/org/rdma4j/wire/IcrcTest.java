package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.vectors.HardwareVectors;
import org.rdma4j.vectors.HardwareVectors.Frame;

class IcrcTest {

    static List<Frame> frames() {
        return HardwareVectors.all();
    }

    static List<Frame> intactFrames() {
        return frames().stream().filter(Frame::intact).toList();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void framesOfOtherSendersHaveTheIcrcThatIsComputed(Frame vector) {
        RoceFrame frame = CaptureFrames.frame(vector.bytes(), vector.linkType());
        byte[] icrc = new byte[Icrc.LENGTH];
        Icrc.write(MemorySegment.ofArray(icrc), 0, frame.expectedIcrc());
        assertArrayEquals(vector.icrc(), icrc);
        assertEquals(vector.intact(), frame.icrcIsRight());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void packetsOfOtherSendersAreEmittedAsTheyWereParsed(Frame vector) {
        RoceFrame frame = CaptureFrames.frame(vector.bytes(), vector.linkType());
        byte[] wire = frame.segment()
                .asSlice(frame.bthOffset(), frame.transportLength())
                .toArray(NetworkOrder.BYTE);
        assertArrayEquals(wire, ((Packet) frame.packet()).toBytes());
    }

    /** Flips each bit in turn: those that may change on the way leave the ICRC right, all others make it wrong. */
    @ParameterizedTest
    @MethodSource("intactFrames")
    void everyBitIsCoveredExceptThoseThatChangeOnTheWay(Frame vector) {
        RoceFrame frame = CaptureFrames.frame(vector.bytes(), vector.linkType());
        BitSet mayChange = mayChange(frame);
        for (int bit = 8 * (int) frame.networkOffset(); bit < 8 * (int) frame.icrcOffset(); bit++) {
            byte[] bytes = vector.bytes();
            bytes[bit / 8] ^= (byte) (0x80 >> bit % 8);
            RoceFrame flipped = new RoceFrame(
                    FrameBytes.of(bytes),
                    0,
                    bytes.length,
                    frame.encapsulation(),
                    frame.ethernetOffset(),
                    frame.networkOffset(),
                    frame.bthOffset(),
                    frame.transportLength());
            assertEquals(mayChange.get(bit), flipped.icrcIsRight(), "byte " + bit / 8 + " bit " + bit % 8);
        }
    }

    /** The numbers of the bits that the ICRC leaves out, from the frame's first byte and its highest bit on. */
    private static BitSet mayChange(RoceFrame frame) {
        BitSet bits = new BitSet();
        int network = 8 * (int) frame.networkOffset();
        switch (frame.encapsulation()) {
            case ROCE_V2_IPV4 -> {
                bits.set(network + 8, network + 16); // DSCP, ECN
                bits.set(network + 64, network + 72); // TTL
                bits.set(network + 80, network + 96); // checksum
            }
            case ROCE_V1, ROCE_V2_IPV6 -> {
                bits.set(network + 4, network + 32); // traffic class, flow label
                bits.set(network + 56, network + 64); // hop limit
            }
            case INFINIBAND_LOCAL -> bits.set(network, network + 4); // VL
            case INFINIBAND_GLOBAL -> throw new AssertionError("no vector");
        }
        int bth = 8 * (int) frame.bthOffset();
        if (frame.encapsulation().hasUdp()) {
            bits.set(bth - 16, bth); // UDP checksum
        }
        bits.set(bth + 32, bth + 40); // FECN, BECN, reserved
        return bits;
    }

    /** Frames that a prefix can be written for: this FPGA leaves "don't fragment" clear. */
    static List<Frame> framesOfKnownFlags() {
        return intactFrames().stream()
                .filter(frame -> !frame.name().equals("fpga-write"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("framesOfKnownFlags")
    void prefixWritersGiveTheSameIcrcAsTheWholeFrame(Frame vector) {
        RoceFrame frame = CaptureFrames.frame(vector.bytes(), vector.linkType());
        MemorySegment prefix = prefix(frame);
        assertEquals(frame.icrc(), Icrc.of(prefix, frame.segment(), frame.bthOffset(), frame.transportLength()));
    }

    /** Made for another length and identification first, then set to the frame's own, as a link does. */
    private static MemorySegment prefix(RoceFrame frame) {
        int length = frame.transportLength();
        Gid from = frame.source();
        Gid to = frame.destination();
        int port = frame.udpSourcePort();
        MemorySegment prefix = MemorySegment.ofArray(
                new byte
                        [switch (frame.encapsulation()) {
                            case ROCE_V1, INFINIBAND_GLOBAL -> Icrc.GRH_PREFIX;
                            case ROCE_V2_IPV4 -> Icrc.IPV4_PREFIX;
                            case ROCE_V2_IPV6 -> Icrc.IPV6_PREFIX;
                            case INFINIBAND_LOCAL -> Icrc.DUMMY_LENGTH;
                        }]);
        switch (frame.encapsulation()) {
            case ROCE_V2_IPV4 -> {
                Icrc.writeIpv4Prefix(prefix, 0, 999, 7, from.ipv4(), to.ipv4(), port, UdpHeader.ROCE_V2_PORT);
                Icrc.setIpv4Prefix(prefix, 0, length, frame.identification());
            }
            case ROCE_V2_IPV6 -> {
                Icrc.writeIpv6Prefix(
                        prefix, 0, 999, from.high(), from.low(), to.high(), to.low(), port, UdpHeader.ROCE_V2_PORT);
                Icrc.setIpv6Prefix(prefix, 0, length);
            }
            case ROCE_V1, INFINIBAND_GLOBAL -> {
                Icrc.writeGrhPrefix(prefix, 0, 999, from.high(), from.low(), to.high(), to.low());
                Icrc.setGrhPrefix(prefix, 0, length);
            }
            case INFINIBAND_LOCAL -> Icrc.writeLrhPrefix(prefix, 0, frame.segment(), frame.networkOffset());
        }
        return prefix;
    }

    /** Routers replace the LRH of a packet with GRH, so none of its bits may count. */
    @Test
    void theLrhOfAGlobalPacketIsNotCovered() {
        byte[] bytes = globalPacket();
        RoceFrame frame = CaptureFrames.frame(bytes, 247);
        assertEquals(Encapsulation.INFINIBAND_GLOBAL, frame.encapsulation());
        int icrc = frame.expectedIcrc();
        assertEquals(Icrc.of(prefix(frame), frame.segment(), frame.bthOffset(), frame.transportLength()), icrc);
        for (int bit : new int[] {0, 4, 8, 16, 31, 48, 63}) { // VL, LVer, SL, DLID, SLID
            byte[] other = globalPacket();
            other[bit / 8] ^= (byte) (0x80 >> bit % 8);
            assertEquals(icrc, CaptureFrames.frame(other, 247).expectedIcrc(), "bit " + bit);
        }
        byte[] otherSgid = globalPacket();
        otherSgid[Lrh.LENGTH + Grh.SGID_OFFSET] ^= 1;
        assertNotEquals(icrc, CaptureFrames.frame(otherSgid, 247).expectedIcrc());
    }

    /** The specification's sample packet with a GRH put in. */
    private static byte[] globalPacket() {
        byte[] local = HardwareVectors.named("ib-local-write").bytes();
        int behindLrh = local.length - Lrh.LENGTH - Vcrc.LENGTH;
        byte[] global = new byte[Lrh.LENGTH + Grh.LENGTH + behindLrh];
        MemorySegment segment = MemorySegment.ofArray(global);
        Lrh.write(segment, 0, 7, 1, Lrh.LNH_IBA_GLOBAL, 0x375C, global.length / 4, 0x17D2);
        Grh.write(segment, Lrh.LENGTH, 0, 0, behindLrh, Grh.NEXT_HEADER_IBA, 16, 0x125, 0x26, 0x117, 0x96);
        System.arraycopy(local, Lrh.LENGTH, global, Lrh.LENGTH + Grh.LENGTH, behindLrh);
        return global;
    }

    @Property
    void anyIdentificationIsSolvedFor(
            @ForAll @IntRange(max = 0xFFFF) int identification,
            @ForAll @IntRange(min = 3, max = 4000) int words,
            @ForAll @Size(16) byte[] content) {
        int length = 4 * words;
        MemorySegment packet = MemorySegment.ofArray(new byte[length]);
        MemorySegment.copy(MemorySegment.ofArray(content), 0, packet, 0, Math.min(length, content.length));
        int withZero = icrc(packet, length, 0);
        int real = icrc(packet, length, identification);
        assertEquals(identification, Icrc.solveIdentification(withZero, real, length));
    }

    private static int icrc(MemorySegment packet, int length, int identification) {
        MemorySegment prefix = MemorySegment.ofArray(new byte[Icrc.IPV4_PREFIX]);
        Icrc.writeIpv4Prefix(prefix, 0, length, identification, 0x0A000001, 0x0A000002, 0xC000, 4791);
        return Icrc.of(prefix, packet, 0, length);
    }

    @Test
    void aSenderThatLeavesDontFragmentClearIsSolvedForWhereThatIsAskedFor() {
        RoceFrame fpga = CaptureFrames.frame(HardwareVectors.named("fpga-write").bytes(), 1);
        MemorySegment prefix = MemorySegment.ofArray(new byte[Icrc.IPV4_PREFIX]);
        int from = fpga.source().ipv4();
        int to = fpga.destination().ipv4();
        int length = fpga.transportLength();
        Icrc.writeIpv4Prefix(prefix, 0, length, 0, from, to, fpga.udpSourcePort(), UdpHeader.ROCE_V2_PORT);
        int withZero = Icrc.of(prefix, fpga.segment(), fpga.bthOffset(), length);
        assertEquals(-1, Icrc.solveIdentification(withZero, fpga.icrc(), length));
        assertEquals(0x0001_0000, Icrc.solveIdentificationAndFlags(withZero, fpga.icrc(), length));
    }

    @Property
    void flagsAreSolvedForOnlyWhereASenderMayChooseThem(@ForAll @IntRange(max = 0xFFFF) int identification) {
        int length = 64;
        MemorySegment packet = MemorySegment.ofArray(new byte[length]);
        int withZero = icrc(packet, length, 0);
        int real = icrc(packet, length, identification);
        int solved = Icrc.solveIdentificationAndFlags(withZero, real, length);
        assertEquals(identification << 16 | Ipv4Header.DONT_FRAGMENT, solved);
        int fragment = Crc32Math.changeByFlip(Ipv4Header.MORE_FRAGMENTS >> 8, 13 + UdpHeader.LENGTH + length);
        assertEquals(-1, Icrc.solveIdentificationAndFlags(withZero, real ^ fragment, length));
    }

    @Test
    void noFlippedBitPassesForAnotherIdentification() {
        int length = 4096;
        int difference = 0x1234_5678;
        for (int bit = 0; bit < 8 * length; bit++) {
            int flip = Crc32Math.changeByFlip(1 << bit % 8, bit / 8);
            assertEquals(-1, Icrc.solveIdentification(difference, difference ^ flip, length), "bit " + bit);
        }
    }

    /** What the solved-for identification costs: about 16 of 2^20 random differences, where a whole ICRC lets none by. */
    @Test
    void oneInSixtyFiveThousandDamagedPacketsPasses() {
        SplittableRandom random = new SplittableRandom(1);
        long passed = IntStream.range(0, 1 << 20)
                .filter(_ -> Icrc.solveIdentification(0, random.nextInt(), 1024) >= 0)
                .count();
        assertTrue(passed >= 4 && passed <= 40, passed + " passed");
    }

    @Test
    void packetsLongerThanTheCacheAreSolvedToo() {
        int length = 60_000;
        MemorySegment packet = MemorySegment.ofArray(new byte[length]);
        int solved = Icrc.solveIdentification(icrc(packet, length, 0), icrc(packet, length, 0xBEEF), length);
        assertEquals(0xBEEF, solved);
        assertTrue(Icrc.solveIdentification(1, 0, length) < 0);
    }
}
