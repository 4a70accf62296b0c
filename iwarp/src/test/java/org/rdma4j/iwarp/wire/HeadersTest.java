package org.rdma4j.iwarp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ObjLongConsumer;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HeadersTest {

    /** A FPDU that siw took with its CRC switched on: the go-ahead of rping. */
    private static final String FPDU =
            "0022 4143 00000000 00000000 00000001 00000000" + "0000000000001000 00001234 00000040 ed511bb1";

    @Test
    void readsTheRequestOfRping() {
        MemorySegment request = Hex.segment("4d504120494420526571204672616d65 10 02 0004 0001 0001");
        assertTrue(MpaFrame.isRequest(request, 0));
        assertFalse(MpaFrame.isReply(request, 0));
        assertEquals(new MpaFrame(true, false, false, false, true, 0, 2, 4), MpaFrame.parse(request, 0));
        assertEquals(new EnhancedData(false, false, 1, false, false, 1), EnhancedData.parse(request, MpaFrame.LENGTH));
    }

    @Test
    void readsARejectOfSiw() {
        MemorySegment reply = Hex.segment("4d504120494420526570204672616d65 30 02 0004 0000 0000");
        assertTrue(MpaFrame.isReply(reply, 0));
        assertEquals(new MpaFrame(false, false, false, true, true, 0, 2, 4), MpaFrame.parse(reply, 0));
    }

    @Test
    void tellsWhatIsNoMpaFromItsFirstWrongByte() {
        byte[] request = new byte[MpaFrame.LENGTH];
        MpaFrame.write(MemorySegment.ofArray(request), 0, true, false, true, false, true, 2, 0);
        for (int wrong = 0; wrong < MpaFrame.KEY_LENGTH; wrong++) {
            byte[] bytes = request.clone();
            bytes[wrong] ^= 0x20;
            MemorySegment segment = MemorySegment.ofArray(bytes);
            assertTrue(MpaFrame.startsWithKey(segment, 0, wrong, true), "before byte " + wrong);
            assertFalse(MpaFrame.startsWithKey(segment, 0, wrong + 1L, true), "at byte " + wrong);
        }
        assertTrue(MpaFrame.startsWithKey(MemorySegment.ofArray(request), 0, 20, true));
        assertFalse(MpaFrame.startsWithKey(MemorySegment.ofArray(request), 0, 20, false));
    }

    @Test
    void readsAFpduAndItsCrc() {
        MemorySegment fpdu = Hex.segment(FPDU);
        assertEquals(0x22, Fpdu.ulpduLength(fpdu, 0));
        assertEquals(fpdu.byteSize(), Fpdu.length(0x22));
        assertEquals(0, Fpdu.pad(0x22));
        CRC32C crc = new CRC32C();
        crc.update(fpdu.asByteBuffer().limit((int) fpdu.byteSize() - Fpdu.CRC_LENGTH));
        assertEquals((int) crc.getValue(), Fpdu.crc(fpdu, fpdu.byteSize() - Fpdu.CRC_LENGTH));
        UntaggedHeader header = UntaggedHeader.parse(fpdu, Fpdu.HEADER_LENGTH);
        assertEquals(new UntaggedHeader(0x4143, 0, UntaggedHeader.SEND_QUEUE, 1, 0), header);
    }

    @Property
    void padsEachFpduToWords(@ForAll @IntRange(max = Fpdu.MAX_ULPDU) int ulpduLength) {
        assertEquals(0, (Fpdu.HEADER_LENGTH + ulpduLength + Fpdu.pad(ulpduLength)) % 4);
        assertEquals(
                Fpdu.HEADER_LENGTH + ulpduLength + Fpdu.pad(ulpduLength) + Fpdu.CRC_LENGTH, Fpdu.length(ulpduLength));
        assertTrue(Fpdu.length(ulpduLength) <= Fpdu.MAX_LENGTH);
    }

    @Property
    void countsTheMarkersThatAWalkMeets(
            @ForAll @IntRange(max = 127) int words, @ForAll @IntRange(max = Fpdu.MAX_ULPDU) int ulpduLength) {
        int untilMarker = 4 * words;
        int left = Fpdu.length(ulpduLength);
        int met = 0;
        for (int until = untilMarker; left > until; until = Marker.STRIDE) {
            left -= until;
            met++;
        }
        assertEquals(met, Marker.count(untilMarker, Fpdu.length(ulpduLength)));
    }

    @Property
    void theLongestUlpduFillsASegmentAndNoMore(
            @ForAll @IntRange(min = 256, max = 100_000) int segmentSize,
            @ForAll boolean markers,
            @ForAll @IntRange(max = 127) int words) {
        int ulpdu = Fpdu.mulpdu(segmentSize, markers);
        int bare = Fpdu.length(ulpdu);
        int total = bare + (markers ? Marker.LENGTH * Marker.count(4 * words, bare) : 0);
        assertTrue(total <= segmentSize || ulpdu == Fpdu.MIN_MULPDU, () -> ulpdu + " bytes make " + total);
        assertTrue(total > segmentSize - 12 || ulpdu >= Fpdu.MAX_MARKED_ULPDU, () -> ulpdu + " bytes make " + total);
        assertTrue(!markers || total <= 0x10000);
    }

    @Test
    void knowsTheControlFieldsOfTheRfc() {
        assertEquals(0x4143, DdpControl.of(RdmapOpcode.SEND, true));
        assertEquals(0x0143, DdpControl.of(RdmapOpcode.SEND, false));
        assertEquals(0xC140, DdpControl.of(RdmapOpcode.WRITE, true));
        assertEquals(0x4141, DdpControl.of(RdmapOpcode.READ_REQUEST, true));
        assertEquals(0xC142, DdpControl.of(RdmapOpcode.READ_RESPONSE, true));
        assertEquals(0x4147, DdpControl.of(RdmapOpcode.TERMINATE, true));
        int control = 0xC142;
        assertTrue(DdpControl.tagged(control));
        assertTrue(DdpControl.last(control));
        assertEquals(1, DdpControl.ddpVersion(control));
        assertEquals(1, DdpControl.rdmapVersion(control));
        assertEquals(RdmapOpcode.READ_RESPONSE, DdpControl.opcode(control));
    }

    @Test
    void everyOpcodeHasItsQueueOrIsTagged() {
        for (int opcode = 0; opcode < RdmapOpcode.COUNT; opcode++) {
            boolean queue = RdmapOpcode.queueNumber(opcode) >= 0;
            boolean known = !RdmapOpcode.isReserved(opcode);
            assertEquals(known, queue ^ RdmapOpcode.isTagged(opcode) && known, RdmapOpcode.name(opcode));
            assertEquals(opcode >= 0xC, RdmapOpcode.name(opcode).startsWith("reserved"));
        }
    }

    @Property
    void whatIsEmittedIsParsedAgain(@ForAll @Size(64) byte[] noise) {
        MemorySegment random = MemorySegment.ofArray(noise);
        MpaFrame.write(random, 0, noise[0] < 0, false, false, false, false, noise[1], noise[2]);
        random.set(ValueLayout.JAVA_BYTE, MpaFrame.FLAGS_OFFSET, noise[3]);
        again(random, MpaFrame.LENGTH, MpaFrame.parse(random, 0)::emit);
        again(random, EnhancedData.LENGTH, EnhancedData.parse(random, 0)::emit);
        again(random, TaggedHeader.LENGTH, TaggedHeader.parse(random, 0)::emit);
        again(random, UntaggedHeader.LENGTH, UntaggedHeader.parse(random, 0)::emit);
        again(random, ReadRequest.LENGTH, ReadRequest.parse(random, 0)::emit);
        again(random, AtomicResponse.LENGTH, AtomicResponse.parse(random, 0)::emit);
        again(random, ImmediateData.LENGTH, ImmediateData.parse(random, 0)::emit);
    }

    @Property
    void anAtomicRequestIsParsedAgainButForItsReservedBits(@ForAll @Size(AtomicRequest.LENGTH) byte[] noise) {
        noise[0] = 0;
        noise[1] = 0;
        noise[2] = 0;
        noise[3] &= 0x0F;
        MemorySegment random = MemorySegment.ofArray(noise);
        again(random, AtomicRequest.LENGTH, AtomicRequest.parse(random, 0)::emit);
    }

    /** Emits into other memory, one byte in, and finds the same bytes there and nothing beside them. */
    private static void again(MemorySegment bytes, int length, ObjLongConsumer<MemorySegment> emit) {
        MemorySegment target = MemorySegment.ofArray(new byte[length + 2]).fill((byte) 0x55);
        emit.accept(target, 1);
        assertEquals(-1, MemorySegment.mismatch(bytes, 0, length, target, 1, length + 1L));
        assertEquals(0x55, target.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(0x55, target.get(ValueLayout.JAVA_BYTE, length + 1L));
    }
}
