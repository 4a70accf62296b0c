package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Variant CRC (IBTA volume 1, 7.8.2): the last two bytes of every packet on a native InfiniBand link, over all bytes from
 * LRH to ICRC as they stand, made anew by each switch. Polynomial 0x100B, each byte's lowest bit first, seed all ones,
 * result inverted, its lower byte first.
 */
public final class Vcrc {

    /** Bytes on the wire. */
    public static final int LENGTH = 2;

    /** 0x100B with its bits in the order in which they are sent. */
    private static final int POLYNOMIAL = 0xD008;

    /** Bytes that are taken in one step. */
    private static final int STEP = Long.BYTES;

    private static final int BYTE_VALUES = 256;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** What a byte leaves in the register once {@code n} zero bytes have followed it: at {@code 256 n + byte}. */
    private static final char[] TABLE = new char[STEP * BYTE_VALUES];

    static {
        for (int index = 0; index < BYTE_VALUES; index++) {
            int remainder = index;
            for (int bit = 0; bit < 8; bit++) {
                remainder = remainder >>> 1 ^ POLYNOMIAL & -(remainder & 1);
            }
            TABLE[index] = (char) remainder;
        }
        for (int index = BYTE_VALUES; index < TABLE.length; index++) {
            TABLE[index] = (char) overZero(TABLE[index - BYTE_VALUES]);
        }
    }

    private Vcrc() {}

    /** The VCRC of a packet, {@code length} bytes from LRH to ICRC: 16 bits. */
    public static int of(MemorySegment segment, long offset, long length) {
        int crc = 0xFFFF;
        long at = offset;
        for (long words = length / STEP; words > 0; words--, at += STEP) {
            crc = overWord(segment.get(WORD, at) ^ crc);
        }
        for (; at < offset + length; at++) {
            crc = crc >>> 8 ^ TABLE[(crc ^ segment.get(NetworkOrder.BYTE, at)) & 0xFF];
        }
        return ~crc & 0xFFFF;
    }

    private static int overWord(long word) {
        return TABLE[0x700 | (int) word & 0xFF]
                ^ TABLE[0x600 | (int) (word >>> 8) & 0xFF]
                ^ TABLE[0x500 | (int) (word >>> 16) & 0xFF]
                ^ TABLE[0x400 | (int) (word >>> 24) & 0xFF]
                ^ TABLE[0x300 | (int) (word >>> 32) & 0xFF]
                ^ TABLE[0x200 | (int) (word >>> 40) & 0xFF]
                ^ TABLE[0x100 | (int) (word >>> 48) & 0xFF]
                ^ TABLE[(int) (word >>> 56)];
    }

    private static int overZero(int register) {
        return register >>> 8 ^ TABLE[register & 0xFF];
    }

    public static int read(MemorySegment segment, long offset) {
        return Short.reverseBytes(segment.get(NetworkOrder.SHORT, offset)) & 0xFFFF;
    }

    public static void write(MemorySegment segment, long offset, int vcrc) {
        segment.set(NetworkOrder.SHORT, offset, Short.reverseBytes((short) vcrc));
    }
}
