package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.rdma4j.wire.NetworkOrder;

/**
 * Framed PDU: what MPA makes of each DDP segment, here without its markers (RFC 5044, 4.1 and 4.4).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |         ULPDU_Length          |                               |  0
 * +-------------------------------+                               +
 * |                ULPDU, ULPDU_Length bytes                      |
 * +                               +-------------------------------+
 * |                               |        pad, 0 to 3 bytes      |
 * +-------------------------------+-------------------------------+
 * |                            CRC32C                             |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * ULPDU_Length counts neither itself nor pad nor CRC. The pad makes the whole a multiple of 4; it is sent as zeros and
 * not looked at by the receiver. The CRC's four bytes are always there, whether it is in use or not; it covers
 * everything in front of it, markers included, and its lowest byte comes first.
 */
public final class Fpdu {

    /** Bytes of ULPDU_Length. */
    public static final int HEADER_LENGTH = 2;

    /** Bytes of the CRC. */
    public static final int CRC_LENGTH = 4;

    /** Bytes of the longest ULPDU that the length field can tell of. */
    public static final int MAX_ULPDU = 0xFFFF;

    /** Bytes of the longest FPDU without its markers. */
    public static final int MAX_LENGTH = (HEADER_LENGTH + MAX_ULPDU + 3 & ~3) + CRC_LENGTH;

    /** Bytes of the longest FPDU with as many markers as it can meet. */
    public static final int MAX_MARKED_LENGTH = MAX_LENGTH + Marker.LENGTH * Marker.count(0, MAX_LENGTH);

    /**
     * The longest ULPDU that is made where markers are in use, whatever the segment size: its last marker's FPDUPTR still
     * fits 16 bits.
     */
    public static final int MAX_MARKED_ULPDU = 64_768;

    /** The longest ULPDU is never shorter than this, so that all headers fit. */
    public static final int MIN_MULPDU = 128;

    private static final ValueLayout.OfInt LITTLE_ENDIAN =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Fpdu() {}

    public static int ulpduLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset) & 0xFFFF;
    }

    public static void setUlpduLength(MemorySegment segment, long offset, int ulpduLength) {
        segment.set(NetworkOrder.SHORT, offset, (short) ulpduLength);
    }

    /** Bytes of pad behind a ULPDU. */
    public static int pad(int ulpduLength) {
        return -(HEADER_LENGTH + ulpduLength) & 3;
    }

    /** Bytes of the FPDU of a ULPDU, markers not counted; a multiple of 4. */
    public static int length(int ulpduLength) {
        return (HEADER_LENGTH + ulpduLength + 3 & ~3) + CRC_LENGTH;
    }

    /**
     * MULPDU: bytes of the longest ULPDU whose FPDU fits one TCP segment, with as many markers as it can meet (RFC 5044,
     * 4.5).
     *
     * @param segmentSize EMSS: bytes that a TCP segment carries
     */
    public static int mulpdu(int segmentSize, boolean markers) {
        int markerBytes = markers ? Marker.LENGTH * ((segmentSize + Marker.INTERVAL - 1) / Marker.INTERVAL) : 0;
        int fitting = segmentSize - (HEADER_LENGTH + CRC_LENGTH + markerBytes + segmentSize % 4);
        return Math.clamp(fitting, MIN_MULPDU, markers ? MAX_MARKED_ULPDU : MAX_ULPDU);
    }

    /** The CRC as it lies at an offset. */
    public static int crc(MemorySegment segment, long offset) {
        return segment.get(LITTLE_ENDIAN, offset);
    }

    public static void setCrc(MemorySegment segment, long offset, int crc) {
        segment.set(LITTLE_ENDIAN, offset, crc);
    }
}
