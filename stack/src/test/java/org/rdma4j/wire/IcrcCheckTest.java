package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

    private static RoceFrame frame(MemorySegment segment, int linkType) {
        return (RoceFrame) FrameParser.parse(segment, 0, (int) segment.byteSize(), linkType);
    }
}
