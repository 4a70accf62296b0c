package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * MPA marker, every 512 bytes of the stream of FPDUs, so that a receiver finds the start of a FPDU after a lost segment
 * (RFC 5044, 4.3).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |           RESERVED            |            FPDUPTR            |
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * The first one stands before the first FPDU; 512 bytes lie from the start of one to the start of the next, and the
 * request and reply frames do not count. FPDUPTR is how many bytes of the stream lie between the FPDU's ULPDU_Length and
 * the marker, other markers among them; 0 in a marker in front of ULPDU_Length, which belongs to the FPDU that follows.
 * Its two lowest bits are always 0. Markers are covered by the CRC of the FPDU that they lie in or before.
 */
public final class Marker {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Bytes of the stream from one marker's first byte to the next one's. */
    public static final int INTERVAL = 512;

    /** Bytes of FPDUs between two markers. */
    public static final int STRIDE = INTERVAL - LENGTH;

    public static final int FPDU_POINTER_OFFSET = 2;

    /** The bits of FPDUPTR that count. */
    public static final int POINTER_MASK = 0xFFFC;

    private Marker() {}

    /** FPDUPTR, its two lowest bits taken as 0. */
    public static int fpduPointer(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + FPDU_POINTER_OFFSET) & POINTER_MASK;
    }

    /** The whole marker, RESERVED 0. */
    public static void write(MemorySegment segment, long offset, int fpduPointer) {
        segment.set(NetworkOrder.INT, offset, fpduPointer & POINTER_MASK);
    }

    /**
     * How many markers lie in or directly before a FPDU.
     *
     * @param untilMarker bytes of the stream from where the FPDU starts (its marker in front included) to the next
     *     marker, 0 to 511 and a multiple of 4
     * @param fpduLength bytes of the FPDU without markers
     */
    public static int count(int untilMarker, int fpduLength) {
        return untilMarker >= fpduLength ? 0 : 1 + (fpduLength - untilMarker - 1) / STRIDE;
    }
}
