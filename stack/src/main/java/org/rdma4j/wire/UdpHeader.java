package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * UDP header (RFC 768), below the BTH of RoCE v2 (annex A17).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |          Source Port          |       Destination Port        |  0
 * +-------------------------------+-------------------------------+
 * |            Length             |           Checksum            |  4
 * +-------------------------------+-------------------------------+
 * </pre>
 *
 * @param sourcePort 16 bits: entropy for the network's load balancing
 * @param destinationPort 16 bits: {@link #ROCE_V2_PORT}
 * @param udpLength 16 bits: bytes of this header and all behind it, the ICRC included
 * @param checksum 16 bits: 0 where the sender leaves it out, as RoCE hardware does; all ones to the ICRC
 */
public record UdpHeader(int sourcePort, int destinationPort, int udpLength, int checksum) {

    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** The IP protocol number. */
    public static final int PROTOCOL = 17;

    /** The destination port that says RoCE v2. */
    public static final int ROCE_V2_PORT = 4791;

    public static final int SOURCE_PORT_OFFSET = 0;
    public static final int DESTINATION_PORT_OFFSET = 2;
    public static final int UDP_LENGTH_OFFSET = 4;
    public static final int CHECKSUM_OFFSET = 6;

    public static int sourcePort(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + SOURCE_PORT_OFFSET) & 0xFFFF;
    }

    public static int destinationPort(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + DESTINATION_PORT_OFFSET) & 0xFFFF;
    }

    public static int udpLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + UDP_LENGTH_OFFSET) & 0xFFFF;
    }

    public static int checksum(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET) & 0xFFFF;
    }

    public static void setChecksum(MemorySegment segment, long offset, int checksum) {
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) checksum);
    }

    public static void setUdpLength(MemorySegment segment, long offset, int udpLength) {
        segment.set(NetworkOrder.SHORT, offset + UDP_LENGTH_OFFSET, (short) udpLength);
    }

    public static void write(
            MemorySegment segment, long offset, int sourcePort, int destinationPort, int udpLength, int checksum) {
        segment.set(NetworkOrder.INT, offset + SOURCE_PORT_OFFSET, sourcePort << 16 | destinationPort & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + UDP_LENGTH_OFFSET, udpLength << 16 | checksum & 0xFFFF);
    }

    /**
     * The checksum over pseudo header, this header and all behind it (RFC 768; RFC 8200, 8.1), whatever stands in its
     * field. Never 0, which would say that there is none.
     *
     * @param addresses where source and destination of the IP header lie, one behind the other
     * @param addressesLength 8 for IPv4, 32 for IPv6
     */
    public static int expectedChecksum(MemorySegment segment, long offset, long addresses, int addressesLength) {
        int udpLength = udpLength(segment, offset);
        long sum = (long) PROTOCOL + udpLength - checksum(segment, offset);
        sum += InternetChecksum.sum(segment, addresses, addressesLength);
        int checksum = InternetChecksum.of(sum + InternetChecksum.sum(segment, offset, udpLength));
        return checksum == 0 ? 0xFFFF : checksum;
    }

    public static UdpHeader parse(MemorySegment segment, long offset) {
        return new UdpHeader(
                sourcePort(segment, offset),
                destinationPort(segment, offset),
                udpLength(segment, offset),
                checksum(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, sourcePort, destinationPort, udpLength, checksum);
    }
}
