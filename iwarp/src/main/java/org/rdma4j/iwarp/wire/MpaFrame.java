package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * MPA request or reply frame, the first bytes that each side of a connection sends (RFC 5044, 7.1.1; the S flag and
 * revision 2: RFC 6581, 6).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                                                               |  0
 * +            Key: "MPA ID Req Frame" or "MPA ID Rep Frame"      +
 * |                           (16 bytes)                          |
 * +-+-+-+-+-------+---------------+-------------------------------+
 * |M|C|R|S|  Res  |     Rev       |           PD_Length           | 16
 * +-+-+-+-+-------+---------------+-------------------------------+
 * |                  Private data, PD_Length bytes                | 20
 * </pre>
 *
 * @param request true for a request, false for a reply
 * @param markers M: the sender of this frame wants markers in what it receives
 * @param crc C: the sender wants CRCs; one side that wants them is enough for both directions
 * @param rejected R: the connection is refused; in a reply only
 * @param enhanced S: the private data starts with {@link EnhancedData}; in revision 2 only
 * @param reserved 4 bits: 0 when sent, not looked at when received
 * @param revision 8 bits: 1, or 2 with RFC 6581
 * @param privateDataLength bytes behind this header, the enhanced data among them; at most {@link #MAX_PRIVATE_DATA}
 */
public record MpaFrame(
        boolean request,
        boolean markers,
        boolean crc,
        boolean rejected,
        boolean enhanced,
        int reserved,
        int revision,
        int privateDataLength) {

    /** Bytes on the wire in front of the private data. */
    public static final int LENGTH = 20;

    public static final int KEY_LENGTH = 16;

    /** The most private data that a frame may carry, in bytes (RFC 5044, 7.1.1). */
    public static final int MAX_PRIVATE_DATA = 512;

    /** Bytes of the longest frame. */
    public static final int MAX_LENGTH = LENGTH + MAX_PRIVATE_DATA;

    public static final int FLAGS_OFFSET = 16;
    public static final int REVISION_OFFSET = 17;
    public static final int PRIVATE_DATA_LENGTH_OFFSET = 18;

    /** The first half of both keys: "MPA ID R". */
    public static final long KEY_START = 0x4D50_4120_4944_2052L;

    /** The second half of a request's key: "eq Frame". */
    public static final long KEY_REQUEST_END = 0x6571_2046_7261_6D65L;

    /** The second half of a reply's key: "ep Frame". */
    public static final long KEY_REPLY_END = 0x6570_2046_7261_6D65L;

    private static final int MARKERS = 0x80;
    private static final int CRC = 0x40;
    private static final int REJECTED = 0x20;
    private static final int ENHANCED = 0x10;
    private static final int RESERVED = 0x0F;

    /** True where the key of a request stands; {@link #KEY_LENGTH} bytes must be there. */
    public static boolean isRequest(MemorySegment segment, long offset) {
        return hasKey(segment, offset, KEY_REQUEST_END);
    }

    /** True where the key of a reply stands; {@link #KEY_LENGTH} bytes must be there. */
    public static boolean isReply(MemorySegment segment, long offset) {
        return hasKey(segment, offset, KEY_REPLY_END);
    }

    private static boolean hasKey(MemorySegment segment, long offset, long end) {
        return segment.get(NetworkOrder.LONG, offset) == KEY_START
                && segment.get(NetworkOrder.LONG, offset + Long.BYTES) == end;
    }

    /**
     * Whether the bytes so far can become a frame: what is not MPA is told from its first wrong byte on, without
     * waiting for all sixteen.
     *
     * @param length bytes that are there, 0 or more; those behind the key do not matter
     */
    public static boolean startsWithKey(MemorySegment segment, long offset, long length, boolean request) {
        int count = (int) Math.min(length, KEY_LENGTH);
        for (int i = 0; i < count; i++) {
            if (segment.get(NetworkOrder.BYTE, offset + i) != keyByte(i, request)) {
                return false;
            }
        }
        return true;
    }

    private static byte keyByte(int index, boolean request) {
        long half = index < Long.BYTES ? KEY_START : request ? KEY_REQUEST_END : KEY_REPLY_END;
        return (byte) (half >>> 56 - 8 * (index % Long.BYTES));
    }

    public static boolean markers(MemorySegment segment, long offset) {
        return (flags(segment, offset) & MARKERS) != 0;
    }

    public static boolean crc(MemorySegment segment, long offset) {
        return (flags(segment, offset) & CRC) != 0;
    }

    public static boolean rejected(MemorySegment segment, long offset) {
        return (flags(segment, offset) & REJECTED) != 0;
    }

    public static boolean enhanced(MemorySegment segment, long offset) {
        return (flags(segment, offset) & ENHANCED) != 0;
    }

    public static int revision(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + REVISION_OFFSET) & 0xFF;
    }

    public static int privateDataLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + PRIVATE_DATA_LENGTH_OFFSET) & 0xFFFF;
    }

    private static int flags(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + FLAGS_OFFSET) & 0xFF;
    }

    /** The whole header, reserved bits 0. The private data goes to {@code offset + LENGTH}. */
    public static void write(
            MemorySegment segment,
            long offset,
            boolean request,
            boolean markers,
            boolean crc,
            boolean rejected,
            boolean enhanced,
            int revision,
            int privateDataLength) {
        int flags = (markers ? MARKERS : 0) | (crc ? CRC : 0) | (rejected ? REJECTED : 0) | (enhanced ? ENHANCED : 0);
        segment.set(NetworkOrder.LONG, offset, KEY_START);
        segment.set(NetworkOrder.LONG, offset + Long.BYTES, request ? KEY_REQUEST_END : KEY_REPLY_END);
        segment.set(NetworkOrder.BYTE, offset + FLAGS_OFFSET, (byte) flags);
        segment.set(NetworkOrder.BYTE, offset + REVISION_OFFSET, (byte) revision);
        segment.set(NetworkOrder.SHORT, offset + PRIVATE_DATA_LENGTH_OFFSET, (short) privateDataLength);
    }

    /** Reads a header whose key has been looked at. */
    public static MpaFrame parse(MemorySegment segment, long offset) {
        return new MpaFrame(
                isRequest(segment, offset),
                markers(segment, offset),
                crc(segment, offset),
                rejected(segment, offset),
                enhanced(segment, offset),
                flags(segment, offset) & RESERVED,
                revision(segment, offset),
                privateDataLength(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, request, markers, crc, rejected, enhanced, revision, privateDataLength);
        int flags = flags(segment, offset) | reserved & RESERVED;
        segment.set(NetworkOrder.BYTE, offset + FLAGS_OFFSET, (byte) flags);
    }
}
