package org.rdma4j.pcap;

/**
 * An interface's unit of time (pcapng's if_tsresol and if_tsoffset).
 *
 * @param code {@code n}: 10^-n seconds; {@code 0x80 | n}: 2^-n seconds
 * @param offsetSeconds added to every timestamp
 */
record TimestampResolution(int code, long offsetSeconds) {

    /** What holds where the file says nothing: microseconds. */
    static final TimestampResolution DEFAULT = new TimestampResolution(6, 0);

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int NANOS_DIGITS = 9;

    /** More digits than a long has leave nothing of any timestamp. */
    private static final int LONG_DIGITS = 19;

    /** Nanoseconds since 1970 of a timestamp, which is unsigned. Times that no long holds come out wrong, not as errors. */
    long toNanos(long ticks) {
        long nanos = (code & 0x80) == 0 ? decimal(ticks, code) : binary(ticks, code & 0x7F);
        return nanos + offsetSeconds * NANOS_PER_SECOND;
    }

    private static long decimal(long ticks, int digits) {
        if (digits <= NANOS_DIGITS) {
            return ticks * powerOfTen(NANOS_DIGITS - digits);
        }
        int tooMany = digits - NANOS_DIGITS;
        return tooMany > LONG_DIGITS - 1 ? 0 : Long.divideUnsigned(ticks, powerOfTen(tooMany));
    }

    private static long binary(long ticks, int bits) {
        if (bits >= Long.SIZE) {
            long fractionOfNanos = Math.unsignedMultiplyHigh(ticks, NANOS_PER_SECOND);
            return bits - Long.SIZE >= Long.SIZE ? 0 : fractionOfNanos >>> bits - Long.SIZE;
        }
        long seconds = ticks >>> bits;
        long fraction = ticks & (1L << bits) - 1;
        long high = Math.unsignedMultiplyHigh(fraction, NANOS_PER_SECOND);
        long low = fraction * NANOS_PER_SECOND;
        long nanos = bits == 0 ? 0 : low >>> bits | high << Long.SIZE - bits;
        return seconds * NANOS_PER_SECOND + nanos;
    }

    private static long powerOfTen(int exponent) {
        long power = 1;
        for (int digit = 0; digit < exponent; digit++) {
            power *= 10;
        }
        return power;
    }
}
