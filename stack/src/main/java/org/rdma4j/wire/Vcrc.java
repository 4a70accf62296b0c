package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

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

    private static final char[] TABLE = new char[256];

    static {
        for (int index = 0; index < TABLE.length; index++) {
            int remainder = index;
            for (int bit = 0; bit < 8; bit++) {
                remainder = remainder >>> 1 ^ POLYNOMIAL & -(remainder & 1);
            }
            TABLE[index] = (char) remainder;
        }
    }

    private Vcrc() {}

    /** The VCRC of a packet, {@code length} bytes from LRH to ICRC: 16 bits. */
    public static int of(MemorySegment segment, long offset, long length) {
        int crc = 0xFFFF;
        for (long at = offset; at < offset + length; at++) {
            crc = crc >>> 8 ^ TABLE[(crc ^ segment.get(NetworkOrder.BYTE, at)) & 0xFF];
        }
        return ~crc & 0xFFFF;
    }

    public static int read(MemorySegment segment, long offset) {
        return Short.reverseBytes(segment.get(NetworkOrder.SHORT, offset)) & 0xFFFF;
    }

    public static void write(MemorySegment segment, long offset, int vcrc) {
        segment.set(NetworkOrder.SHORT, offset, Short.reverseBytes((short) vcrc));
    }
}
