package org.rdma4j.wire;

/**
 * Arithmetic on remainders of CRC-32's polynomial over GF(2), in the bit order of {@link java.util.zip.CRC32}: bit 31
 * stands for x^0, bit 0 for x^31.
 *
 * <p>Two messages of one length that differ by D(x) have CRCs that differ by D(x)·x^32 mod P(x), whatever else is in
 * them. So a change of the CRC can be told from a change of the message without reading the rest, and the other way
 * round: multiplying with a negative power of x undoes the bytes that came behind.
 */
public final class Crc32Math {

    /** The polynomial that IEEE 802.3 gives, lowest powers at the top. */
    public static final int POLYNOMIAL = 0xEDB8_8320;

    /** The remainder 1. */
    public static final int ONE = 1 << 31;

    /** P is primitive: powers of x repeat after this many. */
    private static final long ORDER = (1L << 32) - 1;

    /** x^(2^k). */
    private static final int[] SQUARES = new int[32];

    static {
        SQUARES[0] = ONE >>> 1;
        for (int k = 1; k < SQUARES.length; k++) {
            SQUARES[k] = multiply(SQUARES[k - 1], SQUARES[k - 1]);
        }
    }

    private Crc32Math() {}

    /** The product of two remainders, in 32 steps without a branch. */
    public static int multiply(int a, int b) {
        int product = 0;
        int power = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= power & rest >> 31;
            power = power >>> 1 ^ POLYNOMIAL & -(power & 1);
        }
        return product;
    }

    /** x to the power of n, which may be negative. */
    public static int powerOfX(long n) {
        long exponent = Math.floorMod(n, ORDER);
        int power = ONE;
        for (int k = 0; exponent != 0; k++, exponent >>>= 1) {
            if ((exponent & 1) != 0) {
                power = multiply(power, SQUARES[k]);
            }
        }
        return power;
    }

    /** The remainder times x. */
    public static int timesX(int remainder) {
        return remainder >>> 1 ^ POLYNOMIAL & -(remainder & 1);
    }

    /** The remainder divided by x. */
    public static int overX(int remainder) {
        int carry = remainder >> 31;
        return (remainder ^ POLYNOMIAL & carry) << 1 | carry & 1;
    }

    /**
     * How the CRC changes when bits of one byte flip.
     *
     * @param bits the bits of the byte that flip, 1 to 255
     * @param bytesBehind how many bytes the CRC covers behind this one
     * @return what to XOR into the CRC
     */
    public static int changeByFlip(int bits, long bytesBehind) {
        return multiply(bits & 0xFF, powerOfX(8 * (bytesBehind + 1)));
    }

    /**
     * The single flipped bit that explains a wrong CRC.
     *
     * @param difference the CRC as it should be, XOR the CRC as it is; not 0
     * @param coveredBytes how many bytes the CRC covers
     * @return the bit's number, from the first covered byte on and from each byte's lowest bit on; {@code 8 *
     *     coveredBytes} and up for a bit of the CRC itself; -1 where no single bit explains it
     */
    public static long singleBit(int difference, long coveredBytes) {
        if (Integer.bitCount(difference) == 1) {
            return 8 * coveredBytes + Integer.numberOfTrailingZeros(difference);
        }
        int remainder = multiply(difference, powerOfX(-32));
        for (long behind = 0; behind < 8 * coveredBytes; behind++) {
            if (remainder == ONE) {
                return 8 * coveredBytes - 1 - behind;
            }
            remainder = overX(remainder);
        }
        return -1;
    }
}
