package org.rdma4j.iwarp.mpa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.Marker;
import org.rdma4j.iwarp.wire.TerminateCode;

class FpduReaderTest {

    private static byte[] ulpdu(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Provide
    Arbitrary<List<Integer>> lengths() {
        return Arbitraries.oneOf(
                        Arbitraries.integers().between(0, 40),
                        Arbitraries.integers().between(480, 530),
                        Arbitraries.integers().between(0, 3000),
                        Arbitraries.integers().between(Fpdu.MAX_ULPDU - 8, Fpdu.MAX_ULPDU))
                .list()
                .ofMaxSize(12);
    }

    @Property(tries = 300)
    void givesBackWhatWasSentHoweverTheStreamIsCut(
            @ForAll("lengths") List<Integer> lengths, @ForAll boolean markers, @ForAll boolean crc, @ForAll long seed) {
        FpduStream stream = new FpduStream(markers, crc);
        List<byte[]> sent = new ArrayList<>();
        for (int length : lengths) {
            sent.add(ulpdu(length, seed + sent.size()));
            stream.add(sent.getLast());
        }
        byte[] bytes = stream.bytes();
        Reading reading = new Reading(markers, crc);
        SplittableRandom random = new SplittableRandom(seed);
        int longest = 1 + random.nextInt(3) * random.nextInt(20_000);
        for (int at = 0; at < bytes.length; ) {
            int chunk = bytes.length - at < 4096 ? 1 + random.nextInt(40) : 1 + random.nextInt(longest + 900);
            int end = Math.min(bytes.length, at + chunk);
            reading.chunk(bytes, at, end);
            at = end;
        }
        assertNull(reading.refusal());
        assertEquals(0, reading.left());
        assertEquals(sent.size(), reading.ulpdus.size());
        for (int i = 0; i < sent.size(); i++) {
            assertArrayEquals(sent.get(i), reading.ulpdus.get(i), "ULPDU " + i);
        }
    }

    @ParameterizedTest
    @DisplayName("MPA-12: takes an FPDU that is cut at any byte")
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void takesAnFpduCutAtEveryByte(boolean markers, boolean crc) {
        byte[] first = ulpdu(47, 1);
        byte[] second = ulpdu(1021, 2);
        byte[] bytes =
                new FpduStream(markers, crc).add(first).add(second).add(first).bytes();
        for (int cut = 0; cut <= bytes.length; cut++) {
            Reading reading = new Reading(markers, crc).chunk(bytes, 0, cut).chunk(bytes, cut, bytes.length);
            assertEquals(3, reading.ulpdus.size(), "cut at " + cut);
            assertArrayEquals(second, reading.ulpdus.get(1), "cut at " + cut);
            assertEquals(0, reading.left());
        }
        Reading byByte = new Reading(markers, crc);
        for (int at = 0; at < bytes.length; at++) {
            byByte.chunk(bytes, at, at + 1);
            assertTrue(byByte.reader.needed() > byByte.left() || byByte.left() == 0);
        }
        assertEquals(3, byByte.ulpdus.size());
    }

    /** Each bit of three FPDUs in turn; what lies in front of the damaged one is delivered, it and the rest is not. */
    @ParameterizedTest
    @DisplayName("MPA-13, MPA-14: any flipped bit is caught, and nothing is delivered: MPA 2, in a marker MPA 3")
    @CsvSource({"false", "true"})
    void anyFlippedBitIsCaughtByTheCrc(boolean markers) {
        byte[] first = ulpdu(100, 1);
        byte[] second = ulpdu(1203, 2);
        byte[] last = ulpdu(60, 3);
        int firstEnd = new FpduStream(markers, true).add(first).bytes().length;
        int secondEnd = new FpduStream(markers, true).add(first).add(second).bytes().length;
        byte[] good = new FpduStream(markers, true)
                .add(first)
                .add(second)
                .add(last)
                .add(ulpdu(1000, 4))
                .bytes();
        int lengthField = firstEnd; // no marker falls on its start
        for (int bit = 8 * firstEnd; bit < 8 * secondEnd; bit++) {
            byte[] bytes = good.clone();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            Reading reading = new Reading(markers, true).all(bytes);
            int place = bit / 8;
            assertEquals(1, reading.ulpdus.size(), "nothing of it is delivered, bit " + bit);
            boolean inPointer = markers && place % Marker.INTERVAL / 2 == 1;
            boolean loose = place % Marker.INTERVAL == 3 && bit % 8 < 2; // the two bits of FPDUPTR that do not count
            if (place - lengthField < Fpdu.HEADER_LENGTH) {
                boolean waits = reading.refusal() == null && reading.reader.needed() > reading.left();
                boolean refused = reading.refusal() == TerminateCode.MPA_CRC
                        || markers && reading.refusal() == TerminateCode.MPA_MARKER;
                assertTrue(waits || refused, "a wrong length, bit " + bit + ": " + reading.refusal());
            } else {
                TerminateCode wanted = inPointer && !loose ? TerminateCode.MPA_MARKER : TerminateCode.MPA_CRC;
                assertEquals(wanted, reading.refusal(), "bit " + bit);
            }
        }
    }

    @Test
    @DisplayName("MPA-14: with markers a wrong length is found before its bytes have come")
    void withMarkersAWrongLengthIsFoundBeforeItsBytesHaveCome() {
        byte[] bytes = new FpduStream(true, true)
                .add(ulpdu(100, 1))
                .add(ulpdu(400, 2))
                .add(ulpdu(400, 3))
                .bytes();
        Fpdu.setUlpduLength(MemorySegment.ofArray(bytes), Marker.LENGTH, 0x8000);
        Reading reading = new Reading(true, true).all(bytes);
        assertEquals(TerminateCode.MPA_MARKER, reading.refusal());
        assertTrue(bytes.length < 1024);
    }

    @Test
    @DisplayName("MPA-05, MPA-15: without CRCs their place is not looked at, nor the pad")
    void withoutCrcsTheirPlaceIsNotLookedAt() {
        byte[] bytes = new FpduStream(false, false).add(ulpdu(33, 1)).bytes();
        bytes[bytes.length - 1] = 0x55;
        bytes[bytes.length - Fpdu.CRC_LENGTH - 1] = 0x55; // nor the pad
        Reading reading = new Reading(false, false).all(bytes);
        assertArrayEquals(ulpdu(33, 1), reading.ulpdus.getFirst());
    }

    @Test
    @DisplayName("MPA-16: a ULPDU of no bytes is one")
    void aUlpduOfNoBytesIsOne() {
        Reading reading = new Reading(true, true)
                .all(new FpduStream(true, true)
                        .add(new byte[0])
                        .add(new byte[0])
                        .bytes());
        assertEquals(2, reading.ulpdus.size());
        assertEquals(0, reading.ulpdus.getFirst().length);
    }

    @Test
    @DisplayName("MPA-16: the longest FPDU fits the room")
    void theLongestFpduFitsTheRoom() {
        for (int skew = 0; skew < 128; skew++) {
            FpduStream stream = new FpduStream(true, false);
            for (int i = 0; i < skew; i++) {
                stream.add(new byte[0]);
            }
            int before = stream.bytes().length;
            int length = stream.add(new byte[Fpdu.MAX_ULPDU]).bytes().length - before;
            assertTrue(length <= Fpdu.MAX_MARKED_LENGTH, "skew " + skew + ": " + length);
        }
    }

    @Test
    void onceRefusedItStaysSo() {
        byte[] bytes = new FpduStream(false, true).add(ulpdu(10, 1)).bytes();
        byte[] bad = bytes.clone();
        bad[5] ^= 1;
        Reading reading = new Reading(false, true).all(bad);
        assertEquals(TerminateCode.MPA_CRC, reading.refusal());
        MemorySegment good = MemorySegment.ofArray(bytes);
        assertEquals(FpduReader.Outcome.REFUSED, reading.reader.next(good, 0, bytes.length));
        assertFalse(reading.ulpdus.iterator().hasNext());
    }
}
