package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * RDMAP header of a Terminate, behind its untagged DDP header (RFC 5040, 4.8).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+-------+---------------+-+-+-+-------------------------+
 * | Layer | EType |  Error code   |M|D|R|        reserved         |  0
 * +-------+-------+---------------+-+-+-+-------------------------+
 * |   DDP segment length (if M)   |                               |  4
 * +-------------------------------+                               +
 * |        terminated DDP header (if D), 14 or 18 bytes           |  6
 * |        terminated RDMAP header (if R), 28 bytes of a          |
 * |        Read Request                                           |
 * +---------------------------------------------------------------+
 * </pre>
 *
 * M, D and R say what follows of the segment that the error is about. Readers take the {@link TerminateEncoding} of the
 * word; writers write the RFC's.
 *
 * @param layer who found the error: {@link TerminateCode#LAYER_RDMAP}, {@code LAYER_DDP} or {@code LAYER_LLP}
 * @param errorType 4 bits, by layer
 * @param errorCode 8 bits, by layer and type
 * @param hasSegmentLength M: the length of the terminated DDP segment follows
 * @param hasDdpHeader D: its DDP header follows
 * @param hasRdmapHeader R: its RDMAP header follows
 */
public record Terminate(
        int layer,
        int errorType,
        int errorCode,
        boolean hasSegmentLength,
        boolean hasDdpHeader,
        boolean hasRdmapHeader) {

    /** Bytes that are always there. */
    public static final int CONTROL_LENGTH = 4;

    /** Bytes of the longest: control, segment length, untagged DDP header, Read Request. */
    public static final int MAX_LENGTH = CONTROL_LENGTH + 2 + UntaggedHeader.LENGTH + ReadRequest.LENGTH;

    public static final int ERROR_CODE_OFFSET = 1;
    public static final int HEADER_CONTROL_OFFSET = 2;
    public static final int SEGMENT_LENGTH_OFFSET = 4;

    /** Where the terminated DDP header lies; the segment length is in front of it whenever D is set. */
    public static final int DDP_HEADER_OFFSET = 6;

    static final int HEADER_CONTROL_MASK = 0xE0;
    static final int SIW_HEADER_CONTROL_MASK = 0x07;

    private static final int SEGMENT_LENGTH = 0x80;
    private static final int DDP_HEADER = 0x40;
    private static final int RDMAP_HEADER = 0x20;
    private static final int SIW_SEGMENT_LENGTH = 0x01;
    private static final int SIW_DDP_HEADER = 0x02;
    private static final int SIW_RDMAP_HEADER = 0x04;

    public static int layer(MemorySegment segment, long offset, TerminateEncoding encoding) {
        int both = segment.get(NetworkOrder.BYTE, offset) & 0xFF;
        return encoding == TerminateEncoding.RFC ? both >> 4 : both & 0xF;
    }

    public static int errorType(MemorySegment segment, long offset, TerminateEncoding encoding) {
        int both = segment.get(NetworkOrder.BYTE, offset) & 0xFF;
        return encoding == TerminateEncoding.RFC ? both & 0xF : both >> 4;
    }

    public static int errorCode(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + ERROR_CODE_OFFSET) & 0xFF;
    }

    /** What the three numbers mean; null where the RFCs do not say. */
    public static TerminateCode code(MemorySegment segment, long offset, TerminateEncoding encoding) {
        return TerminateCode.of(
                layer(segment, offset, encoding), errorType(segment, offset, encoding), errorCode(segment, offset));
    }

    public static boolean hasSegmentLength(MemorySegment segment, long offset, TerminateEncoding encoding) {
        return has(segment, offset, encoding == TerminateEncoding.RFC ? SEGMENT_LENGTH : SIW_SEGMENT_LENGTH);
    }

    public static boolean hasDdpHeader(MemorySegment segment, long offset, TerminateEncoding encoding) {
        return has(segment, offset, encoding == TerminateEncoding.RFC ? DDP_HEADER : SIW_DDP_HEADER);
    }

    public static boolean hasRdmapHeader(MemorySegment segment, long offset, TerminateEncoding encoding) {
        return has(segment, offset, encoding == TerminateEncoding.RFC ? RDMAP_HEADER : SIW_RDMAP_HEADER);
    }

    private static boolean has(MemorySegment segment, long offset, int bit) {
        return (segment.get(NetworkOrder.BYTE, offset + HEADER_CONTROL_OFFSET) & bit) != 0;
    }

    /** The length of the terminated segment: siw's counts its payload only, the RFC's its headers too. */
    public static int segmentLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + SEGMENT_LENGTH_OFFSET) & 0xFFFF;
    }

    /** A Terminate without a copy of the segment that caused it. @return its bytes */
    public static int write(MemorySegment segment, long offset, TerminateCode code) {
        writeControl(segment, offset, code, 0);
        return CONTROL_LENGTH;
    }

    /**
     * A Terminate with a copy of the headers of the segment that caused it.
     *
     * @param ulpdu where the terminated segment's DDP header lies; its whole DDP header must be there
     * @param segmentLength bytes of the terminated segment, DDP header and payload
     * @param readRequest copies the Read Request too, which must be there in whole
     * @return the bytes written, at most {@link #MAX_LENGTH}
     */
    public static int write(
            MemorySegment segment,
            long offset,
            TerminateCode code,
            MemorySegment terminated,
            long ulpdu,
            int segmentLength,
            boolean readRequest) {
        int headers = DdpControl.headerLength(TaggedHeader.control(terminated, ulpdu))
                + (readRequest ? ReadRequest.LENGTH : 0);
        writeControl(segment, offset, code, SEGMENT_LENGTH | DDP_HEADER | (readRequest ? RDMAP_HEADER : 0));
        segment.set(NetworkOrder.SHORT, offset + SEGMENT_LENGTH_OFFSET, (short) segmentLength);
        MemorySegment.copy(terminated, ulpdu, segment, offset + DDP_HEADER_OFFSET, headers);
        return DDP_HEADER_OFFSET + headers;
    }

    private static void writeControl(MemorySegment segment, long offset, TerminateCode code, int headerControl) {
        int first = code.layer() << 4 | code.errorType();
        segment.set(NetworkOrder.INT, offset, first << 24 | code.errorCode() << 16 | headerControl << 8);
    }

    public static Terminate parse(MemorySegment segment, long offset, TerminateEncoding encoding) {
        return new Terminate(
                layer(segment, offset, encoding),
                errorType(segment, offset, encoding),
                errorCode(segment, offset),
                hasSegmentLength(segment, offset, encoding),
                hasDdpHeader(segment, offset, encoding),
                hasRdmapHeader(segment, offset, encoding));
    }

    /** Writes the control word in either encoding, reserved bits 0. */
    public void emit(MemorySegment segment, long offset, TerminateEncoding encoding) {
        boolean rfc = encoding == TerminateEncoding.RFC;
        int first = rfc ? layer << 4 | errorType & 0xF : errorType << 4 | layer & 0xF;
        int bits = (hasSegmentLength ? rfc ? SEGMENT_LENGTH : SIW_SEGMENT_LENGTH : 0)
                | (hasDdpHeader ? rfc ? DDP_HEADER : SIW_DDP_HEADER : 0)
                | (hasRdmapHeader ? rfc ? RDMAP_HEADER : SIW_RDMAP_HEADER : 0);
        segment.set(NetworkOrder.INT, offset, (first & 0xFF) << 24 | (errorCode & 0xFF) << 16 | bits << 8);
    }
}
