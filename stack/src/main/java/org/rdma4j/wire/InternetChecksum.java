package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/** The checksum of IP, UDP and ICMPv6: the ones' complement of the ones' complement sum of 16-bit words (RFC 1071). */
final class InternetChecksum {

    private InternetChecksum() {}

    /** The words of a span, not folded; an odd last byte counts as the upper half of a word. */
    static long sum(MemorySegment segment, long offset, long length) {
        long sum = 0;
        for (long at = 0; at + 1 < length; at += 2) {
            sum += segment.get(NetworkOrder.SHORT, offset + at) & 0xFFFF;
        }
        if (length % 2 != 0) {
            sum += (segment.get(NetworkOrder.BYTE, offset + length - 1) & 0xFF) << 8;
        }
        return sum;
    }

    /** The checksum that a sum of words, its own field not among them, asks for. */
    static int of(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xFFFF) + (folded >>> 16);
        }
        return (int) ~folded & 0xFFFF;
    }
}
