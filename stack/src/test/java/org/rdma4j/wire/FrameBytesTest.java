package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.vectors.HardwareVectors;

/** Bytes within an array that holds others, too, are read as those of a segment are. */
class FrameBytesTest {

    private static final int BEFORE = 5;
    private static final int BEHIND = 9;

    private static byte[] within(byte[] bytes) {
        byte[] array = new byte[BEFORE + bytes.length + BEHIND];
        new Random(1).nextBytes(array);
        System.arraycopy(bytes, 0, array, BEFORE, bytes.length);
        return array;
    }

    static List<HardwareVectors.Frame> vectors() {
        return HardwareVectors.all();
    }

    @Test
    void numbersAreThoseOfTheSegment() {
        byte[] random = new byte[64];
        new Random(2).nextBytes(random);
        FrameBytes inArray = FrameBytes.of(within(random), BEFORE, random.length);
        MemorySegment segment = MemorySegment.ofArray(random);
        FrameBytes inSegment = FrameBytes.of(segment);
        for (int at = 0; at <= random.length - Long.BYTES; at++) {
            int word = segment.get(NetworkOrder.INT, at);
            for (FrameBytes bytes : List.of(inArray, inSegment)) {
                assertEquals(random[at] & 0xFF, bytes.uint8(at));
                assertEquals(word >>> 16, bytes.uint16(at));
                assertEquals(word, bytes.int32(at));
                assertEquals(word & 0xFFFF_FFFFL, bytes.uint32(at));
                assertEquals(word & 0xFF_FFFF, bytes.uint24(at));
                assertEquals(segment.get(NetworkOrder.LONG, at), bytes.int64(at));
            }
        }
        assertArrayEquals(random, inArray.segment().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void nothingOutsideIsRead() {
        byte[] array = within(new byte[8]);
        FrameBytes bytes = FrameBytes.of(array, BEFORE, 8);
        byte[] into = new byte[8];
        for (long at : new long[] {-1, 8}) {
            assertThrows(IndexOutOfBoundsException.class, () -> bytes.uint8(at));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.uint16(7));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.int32(5));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.int64(1));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.copy(1, into, 0, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> FrameBytes.of(array, BEFORE, array.length));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void aFrameIsTheSameWhereverItLies(HardwareVectors.Frame vector) {
        byte[] bytes = vector.bytes();
        FrameBytes inArray = FrameBytes.of(within(bytes), BEFORE, bytes.length);
        RoceFrame expected = frame(FrameBytes.of(MemorySegment.ofArray(bytes)), bytes.length, vector.linkType());
        RoceFrame found = frame(inArray, bytes.length, vector.linkType());
        assertEquals(what(expected), what(found));
        assertEquals(vector.intact(), new IcrcCheck().isRight(found));
        assertEquals(vector.intact(), found.icrcIsRight());
    }

    /** All that a frame says of itself; the BTH's fields as the record has them, too. */
    private static List<Object> what(RoceFrame frame) {
        Bth bth = Bth.parse(frame.segment(), frame.bthOffset());
        assertEquals(bth.opcode(), frame.opcode());
        assertEquals(bth.solicited(), frame.solicited());
        assertEquals(bth.migReq(), frame.migReq());
        assertEquals(bth.padCount(), frame.padCount());
        assertEquals(bth.transportVersion(), frame.transportVersion());
        assertEquals(bth.pKey(), frame.pKey());
        assertEquals(bth.fecn(), frame.fecn());
        assertEquals(bth.becn(), frame.becn());
        assertEquals(bth.destQp(), frame.destQp());
        assertEquals(bth.ackReq(), frame.ackReq());
        assertEquals(bth.psn(), frame.psn());
        return List.of(
                bth,
                frame.encapsulation(),
                frame.ethernetOffset(),
                frame.networkOffset(),
                frame.bthOffset(),
                frame.transportLength(),
                frame.source(),
                frame.destination(),
                frame.trafficClass(),
                frame.hopLimit(),
                frame.udpSourcePort(),
                frame.identification(),
                frame.vlan(),
                frame.icrc(),
                frame.payloadLength());
    }

    private static RoceFrame frame(FrameBytes bytes, int length, int linkType) {
        return (RoceFrame) FrameParser.parse(bytes, 0, length, linkType, UdpHeader.ROCE_V2_PORT);
    }
}
