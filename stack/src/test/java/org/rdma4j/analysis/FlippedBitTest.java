package org.rdma4j.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.vectors.HardwareVectors;
import org.rdma4j.wire.FrameParser;
import org.rdma4j.wire.RoceFrame;

class FlippedBitTest {

    @ParameterizedTest
    @ValueSource(strings = {"fpga-write", "roce-v1-send", "ib-local-write", "ipv6-rnr-nak", "connectx-uc-send"})
    void namesEachBitBehindTheHeadersThatMayChange(String name) {
        HardwareVectors.Frame vector = HardwareVectors.named(name);
        byte[] bytes = vector.bytes();
        RoceFrame good = frame(bytes, vector.linkType());
        long end = good.icrcOffset() + 4;
        for (long at = good.bthOffset() + 5; at < end; at++) {
            for (int bit = 0; bit < 8; bit++) {
                bytes[(int) at] ^= (byte) (1 << bit);
                FlippedBit found = FlippedBit.of(good).orElseThrow();
                assertEquals(at, found.offset(), found.toString());
                assertEquals(bit, found.bit(), found.toString());
                bytes[(int) at] ^= (byte) (1 << bit);
                assertEquals(bytes[(int) at] & 0xFF, flippedBack(bytes, at, bit, found, good));
            }
        }
        assertEquals(Optional.empty(), FlippedBit.of(good));
    }

    /** What the finding says that was sent is what stands there when nothing is flipped. */
    private static int flippedBack(byte[] bytes, long at, int bit, FlippedBit found, RoceFrame frame) {
        bytes[(int) at] ^= (byte) (1 << bit);
        int sent = found.sent(frame);
        bytes[(int) at] ^= (byte) (1 << bit);
        return sent;
    }

    @Test
    void twoBitsAreNotExplained() {
        HardwareVectors.Frame vector = HardwareVectors.named("fpga-write");
        byte[] bytes = vector.bytes();
        RoceFrame frame = frame(bytes, vector.linkType());
        bytes[(int) frame.bthOffset() + 9] ^= 1;
        bytes[(int) frame.bthOffset() + 20] ^= 4;
        assertEquals(Optional.empty(), FlippedBit.of(frame));
    }

    @Test
    void namesTheField() {
        HardwareVectors.Frame vector = HardwareVectors.named("fpga-write");
        byte[] bytes = vector.bytes();
        RoceFrame frame = frame(bytes, vector.linkType());
        bytes[(int) frame.bthOffset() + 10] ^= 2;
        assertTrue(FlippedBit.of(frame).orElseThrow().toString().startsWith("bit 1 of BTH.PSN (frame byte "));
        bytes[(int) frame.bthOffset() + 10] ^= 2;
        bytes[(int) frame.bthOffset() + 28 + 3] ^= (byte) 0x80;
        assertEquals("byte 3 of the payload", FlippedBit.of(frame).orElseThrow().field());
    }

    private static RoceFrame frame(byte[] bytes, int linkType) {
        return (RoceFrame) FrameParser.parse(MemorySegment.ofArray(bytes), 0, bytes.length, linkType);
    }
}
