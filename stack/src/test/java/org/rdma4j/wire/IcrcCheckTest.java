package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.pcap.LinkType;
import org.rdma4j.vectors.HardwareVectors;

class IcrcCheckTest {

    private final IcrcCheck check = new IcrcCheck();

    static List<HardwareVectors.Frame> vectors() {
        return HardwareVectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void saysTheSameOnHeapAndOffIt(HardwareVectors.Frame vector) {
        byte[] bytes = vector.bytes();
        assertEquals(vector.intact(), check.isRight(frame(MemorySegment.ofArray(bytes), vector.linkType())));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
            assertEquals(vector.intact(), check.isRight(frame(outside, vector.linkType())));
        }
    }

    @Test
    void findsEachBitThatFlips() {
        HardwareVectors.Frame vector = HardwareVectors.named("fpga-write");
        byte[] bytes = vector.bytes();
        RoceFrame good = frame(MemorySegment.ofArray(bytes), vector.linkType());
        for (long at = good.bthOffset() + Bth.LENGTH; at < bytes.length; at++) {
            bytes[(int) at] ^= 0x10;
            assertFalse(check.isRight(good), "byte " + at);
            bytes[(int) at] ^= 0x10;
        }
    }

    /** Long packets are run over in two parts, wherever they lie in memory. */
    @ParameterizedTest
    @ValueSource(ints = {12, 508, 512, 516, 1036, 4136})
    void isRightAboutPacketsOfAnyLengthAtAnyAddress(int length) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        byte[] bytes = FrameBuilder.roceV2(Gid.ofIpv4(1)).build(MemorySegment.ofArray(data), 0, length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(bytes.length + 16L, 16);
            for (int start = 0; start < 16; start++) {
                byte[] onHeap = new byte[start + bytes.length];
                System.arraycopy(bytes, 0, onHeap, start, bytes.length);
                both(MemorySegment.ofArray(onHeap).asSlice(start), length);
                both(outside.asSlice(start, bytes.length).copyFrom(MemorySegment.ofArray(bytes)), length);
            }
        }
    }

    private void both(MemorySegment segment, int length) {
        RoceFrame frame = frame(segment, LinkType.ETHERNET);
        assertEquals(length, frame.transportLength());
        assertTrue(check.isRight(frame), () -> length + " bytes at " + segment.address() % 16);
        long last = frame.icrcOffset() - 1;
        segment.set(ValueLayout.JAVA_BYTE, last, (byte) ~segment.get(ValueLayout.JAVA_BYTE, last));
        assertFalse(check.isRight(frame), () -> length + " bytes at " + segment.address() % 16);
    }

    private static RoceFrame frame(MemorySegment segment, int linkType) {
        return (RoceFrame) FrameParser.parse(segment, 0, (int) segment.byteSize(), linkType);
    }
}
