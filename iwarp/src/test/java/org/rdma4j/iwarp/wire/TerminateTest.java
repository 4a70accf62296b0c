package org.rdma4j.iwarp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TerminateTest {

    @ParameterizedTest
    @CsvSource({
        "02020000, MPA_CRC",
        "21060000, DDP_UNTAGGED_VERSION",
        "20060000, RDMAP_UNEXPECTED_OPCODE",
        "11000300, DDP_TAGGED_INVALID_STAG",
        "10000700, RDMAP_INVALID_STAG",
        "21030300, DDP_UNTAGGED_MSN_RANGE",
        "21020300, DDP_UNTAGGED_NO_BUFFER",
        "21040300, DDP_UNTAGGED_MESSAGE_OFFSET",
        "20090300, RDMAP_CANNOT_INVALIDATE",
        "11010300, DDP_TAGGED_BOUNDS",
        "01000300, DDP_CATASTROPHIC",
    })
    void readsWhatSiwSends(String word, TerminateCode code) {
        MemorySegment bytes = Hex.segment(word);
        TerminateEncoding encoding = TerminateEncoding.of(bytes, 0, true);
        assertEquals(code, Terminate.code(bytes, 0, encoding));
        boolean headers = !word.endsWith("0000");
        assertEquals(headers, Terminate.hasSegmentLength(bytes, 0, encoding));
        assertEquals(headers, Terminate.hasDdpHeader(bytes, 0, encoding));
        assertEquals(word.endsWith("0700"), Terminate.hasRdmapHeader(bytes, 0, encoding));
    }

    @ParameterizedTest
    @EnumSource(TerminateCode.class)
    void readsWhatTheRfcSays(TerminateCode code) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Terminate.MAX_LENGTH]);
        MemorySegment segment = Hex.segment("0143 00000000 00000000 00000001 00000000");
        assertEquals(6 + 18, Terminate.write(bytes, 0, code, segment, 0, 100, false));
        TerminateEncoding encoding = TerminateEncoding.of(bytes, 0, true);
        assertEquals(code, Terminate.code(bytes, 0, encoding));
        assertEquals(100, Terminate.segmentLength(bytes, 0));
        assertEquals(
                -1, MemorySegment.mismatch(bytes, Terminate.DDP_HEADER_OFFSET, 6 + 18, segment, 0, segment.byteSize()));
    }

    /** What a bare control word can mean in both encodings, and which one it is taken for. */
    @Test
    void aWordWithoutHeadersIsAmbiguousInFewCases() {
        Set<TerminateCode> misread = EnumSet.noneOf(TerminateCode.class);
        for (TerminateCode code : TerminateCode.values()) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[Terminate.CONTROL_LENGTH]);
            assertEquals(Terminate.CONTROL_LENGTH, Terminate.write(bytes, 0, code));
            if (code != Terminate.code(bytes, 0, TerminateEncoding.of(bytes, 0, true))) {
                misread.add(code);
            }
            assertEquals(code, Terminate.code(bytes, 0, TerminateEncoding.of(bytes, 0, false)), "in the first FPDU");
        }
        assertEquals(EnumSet.of(TerminateCode.MPA_INSUFFICIENT_IRD, TerminateCode.MPA_NO_MATCHING_RTR), misread);
    }

    @Test
    void copiesTheHeadersOfAReadRequest() {
        MemorySegment request = Hex.segment("4141 00000000 00000001 00000007 00000000"
                + "11111111 2222222222222222 00000100 33333333 4444444444444444");
        byte[] bytes = new byte[Terminate.MAX_LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int length =
                Terminate.write(segment, 0, TerminateCode.RDMAP_ACCESS, request, 0, (int) request.byteSize(), true);
        assertEquals(Terminate.MAX_LENGTH, length);
        assertEquals("0102e000002e" + Hex.of(request.toArray(ValueLayout.JAVA_BYTE)), Hex.of(bytes));
    }

    @Test
    void emitsBothEncodings() {
        Terminate terminate = new Terminate(1, 2, 4, true, true, false);
        byte[] bytes = new byte[4];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        terminate.emit(segment, 0, TerminateEncoding.RFC);
        assertEquals("1204c000", Hex.of(bytes));
        assertEquals(terminate, Terminate.parse(segment, 0, TerminateEncoding.of(segment, 0, true)));
        terminate.emit(segment, 0, TerminateEncoding.SIW);
        assertEquals("21040300", Hex.of(bytes));
        assertEquals(terminate, Terminate.parse(segment, 0, TerminateEncoding.of(segment, 0, true)));
    }

    @Test
    void numbersWithoutAMeaningHaveNoCode() {
        assertNull(TerminateCode.of(3, 0, 0));
        assertNull(Terminate.code(Hex.segment("1307e000"), 0, TerminateEncoding.RFC));
        assertEquals("DDP tagged buffer error: invalid STag", TerminateCode.DDP_TAGGED_INVALID_STAG.text());
    }
}
