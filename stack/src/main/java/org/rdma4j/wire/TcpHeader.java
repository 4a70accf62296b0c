package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * TCP header without options (RFC 9293, 3.1), below iWARP.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |          Source Port          |       Destination Port        |  0
 * +-------------------------------+-------------------------------+
 * |                        Sequence Number                        |  4
 * +---------------------------------------------------------------+
 * |                     Acknowledgment Number                     |  8
 * +-------+-------+---------------+-------------------------------+
 * | DOffs | Rsrvd |     Flags     |            Window             | 12
 * +-------+-------+---------------+-------------------------------+
 * |           Checksum            |        Urgent Pointer         | 16
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * @param sourcePort 16 bits
 * @param destinationPort 16 bits
 * @param sequence the number of the first byte of payload, or of a SYN
 * @param acknowledgment the number of the next byte that is expected, where {@link #ACK} is set
 * @param headerWords data offset, 4 bits: words of this header, options and all
 * @param flags 8 bits
 * @param window 16 bits
 * @param checksum 16 bits
 * @param urgentPointer 16 bits
 */
public record TcpHeader(
        int sourcePort,
        int destinationPort,
        int sequence,
        int acknowledgment,
        int headerWords,
        int flags,
        int window,
        int checksum,
        int urgentPointer) {

    /** Bytes on the wire. */
    public static final int LENGTH = 20;

    /** The IP protocol number. */
    public static final int PROTOCOL = 6;

    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int PSH = 0x08;
    public static final int ACK = 0x10;

    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = 2;
    public static final int SEQUENCE_OFFSET = 4;
    public static final int ACKNOWLEDGMENT_OFFSET = 8;
    public static final int HEADER_WORDS_OFFSET = 12;
    public static final int FLAGS_OFFSET = 13;
    public static final int WINDOW_OFFSET = 14;
    public static final int CHECKSUM_OFFSET = 16;
    public static final int URGENT_POINTER_OFFSET = 18;

    public static int sourcePort(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + SOURCE_PORT_OFFSET) & 0xFFFF;
    }

    public static int destinationPort(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + DESTINATION_PORT_OFFSET) & 0xFFFF;
    }

    public static int sequence(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SEQUENCE_OFFSET);
    }

    public static int acknowledgment(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + ACKNOWLEDGMENT_OFFSET);
    }

    public static int headerWords(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + HEADER_WORDS_OFFSET) >> 4 & 0xF;
    }

    public static int flags(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + FLAGS_OFFSET) & 0xFF;
    }

    public static int window(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + WINDOW_OFFSET) & 0xFFFF;
    }

    public static int checksum(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET) & 0xFFFF;
    }

    public static int urgentPointer(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + URGENT_POINTER_OFFSET) & 0xFFFF;
    }

    public static void setChecksum(MemorySegment segment, long offset, int checksum) {
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) checksum);
    }

    /** The whole header, without options, checksum and urgent pointer 0. */
    public static void write(
            MemorySegment segment,
            long offset,
            int sourcePort,
            int destinationPort,
            int sequence,
            int acknowledgment,
            int flags,
            int window) {
        segment.set(NetworkOrder.INT, offset + SOURCE_PORT_OFFSET, sourcePort << 16 | destinationPort & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + SEQUENCE_OFFSET, sequence);
        segment.set(NetworkOrder.INT, offset + ACKNOWLEDGMENT_OFFSET, acknowledgment);
        int wordsAndFlags = LENGTH / Integer.BYTES << 12 | flags & 0xFF;
        segment.set(NetworkOrder.INT, offset + HEADER_WORDS_OFFSET, wordsAndFlags << 16 | window & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + CHECKSUM_OFFSET, 0);
    }

    /**
     * The checksum over pseudo header, this header and all behind it (RFC 9293, 3.1), whatever stands in its field.
     *
     * @param length bytes of header and payload
     * @param addresses where source and destination of the IP header lie, one behind the other
     * @param addressesLength 8 for IPv4, 32 for IPv6
     */
    public static int expectedChecksum(
            MemorySegment segment, long offset, int length, long addresses, int addressesLength) {
        long sum = (long) PROTOCOL + length - checksum(segment, offset);
        sum += InternetChecksum.sum(segment, addresses, addressesLength);
        return InternetChecksum.of(sum + InternetChecksum.sum(segment, offset, length));
    }

    public static TcpHeader parse(MemorySegment segment, long offset) {
        return new TcpHeader(
                sourcePort(segment, offset),
                destinationPort(segment, offset),
                sequence(segment, offset),
                acknowledgment(segment, offset),
                headerWords(segment, offset),
                flags(segment, offset),
                window(segment, offset),
                checksum(segment, offset),
                urgentPointer(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, sourcePort, destinationPort, sequence, acknowledgment, flags, window);
        segment.set(NetworkOrder.BYTE, offset + HEADER_WORDS_OFFSET, (byte) (headerWords << 4));
        setChecksum(segment, offset, checksum);
        segment.set(NetworkOrder.SHORT, offset + URGENT_POINTER_OFFSET, (short) urgentPointer);
    }
}
