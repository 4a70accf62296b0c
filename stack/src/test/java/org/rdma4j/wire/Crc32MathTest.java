package org.rdma4j.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class Crc32MathTest {

    @Property
    void multiplicationIsThatOfAField(@ForAll int a, @ForAll int b, @ForAll int c) {
        assertEquals(Crc32Math.multiply(a, b), Crc32Math.multiply(b, a));
        assertEquals(Crc32Math.multiply(Crc32Math.multiply(a, b), c), Crc32Math.multiply(a, Crc32Math.multiply(b, c)));
        assertEquals(Crc32Math.multiply(a, b ^ c), Crc32Math.multiply(a, b) ^ Crc32Math.multiply(a, c));
        assertEquals(a, Crc32Math.multiply(a, Crc32Math.ONE));
    }

    @Property
    void negativePowersUndoPositiveOnes(@ForAll int a, @ForAll @IntRange(max = 10_000_000) int n) {
        int there = Crc32Math.multiply(a, Crc32Math.powerOfX(n));
        assertEquals(a, Crc32Math.multiply(there, Crc32Math.powerOfX(-n)));
    }

    @Property
    void singleStepsAreMultiplicationByX(@ForAll int a) {
        assertEquals(Crc32Math.multiply(a, Crc32Math.powerOfX(1)), Crc32Math.timesX(a));
        assertEquals(a, Crc32Math.overX(Crc32Math.timesX(a)));
        assertEquals(a, Crc32Math.timesX(Crc32Math.overX(a)));
    }

    @Property
    void changeByFlipIsWhatTheCrcReallyDoes(
            @ForAll @Size(min = 1, max = 300) byte[] bytes,
            @ForAll @IntRange(min = 1, max = 255) int bits,
            @ForAll @IntRange(max = 299) int position) {
        int at = position % bytes.length;
        int before = crc(bytes);
        bytes[at] ^= (byte) bits;
        assertEquals(before ^ crc(bytes), Crc32Math.changeByFlip(bits, bytes.length - 1 - at));
    }

    @Test
    void everySingleBitIsFoundAgain() {
        byte[] bytes = Hex.bytes("0102030405060708ff00ff00aa55aa55");
        int right = crc(bytes);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertEquals(bit, Crc32Math.singleBit(right ^ crc(bytes), bytes.length));
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void aBitOfTheCrcItselfIsFoundToo() {
        assertEquals(8 * 100 + 31, Crc32Math.singleBit(1 << 31, 100));
    }

    @Test
    void twoFlippedBitsAreNoSingleBit() {
        int two = Crc32Math.changeByFlip(1, 3) ^ Crc32Math.changeByFlip(0x10, 40);
        assertEquals(-1, Crc32Math.singleBit(two, 100));
    }

    private static int crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
