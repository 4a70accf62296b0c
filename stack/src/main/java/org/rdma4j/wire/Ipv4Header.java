package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * IPv4 header without options (RFC 791, 3.1), the network header of RoCE v2 over IPv4 (annex A17).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+-------+---------------+-------------------------------+
 * |Version|  IHL  |DSCP and ECN   |         Total Length          |  0
 * +-------+-------+---------------+-----+-------------------------+
 * |        Identification         |Flags|     Fragment Offset     |  4
 * +---------------+---------------+-----+-------------------------+
 * | Time to Live  |   Protocol    |        Header Checksum        |  8
 * +---------------+---------------+-------------------------------+
 * |                            Source                             | 12
 * +---------------------------------------------------------------+
 * |                          Destination                          | 16
 * +---------------------------------------------------------------+
 * </pre>
 *
 * The ICRC takes DSCP and ECN, time to live and checksum as all ones; identification and flags it covers as they are.
 *
 * @param version 4 bits: 4
 * @param headerWords IHL, 4 bits: 5 where there are no options
 * @param trafficClass DSCP and ECN, 8 bits
 * @param totalLength 16 bits: bytes of this header and all behind it
 * @param identification 16 bits
 * @param flagsAndOffset 3 bits of flags, 13 bits of fragment offset; {@link #DONT_FRAGMENT} in every RoCE packet
 * @param timeToLive 8 bits
 * @param protocol 8 bits: 17 for UDP
 * @param checksum 16 bits
 * @param source the sender
 * @param destination the addressee
 */
public record Ipv4Header(
        int version,
        int headerWords,
        int trafficClass,
        int totalLength,
        int identification,
        int flagsAndOffset,
        int timeToLive,
        int protocol,
        int checksum,
        int source,
        int destination) {

    /** Bytes on the wire. */
    public static final int LENGTH = 20;

    public static final int DONT_FRAGMENT = 0x4000;
    public static final int MORE_FRAGMENTS = 0x2000;
    public static final int FRAGMENT_OFFSET_MASK = 0x1FFF;

    public static final int TRAFFIC_CLASS_OFFSET = 1;
    public static final int TOTAL_LENGTH_OFFSET = 2;
    public static final int IDENTIFICATION_OFFSET = 4;
    public static final int FLAGS_OFFSET = 6;
    public static final int TIME_TO_LIVE_OFFSET = 8;
    public static final int PROTOCOL_OFFSET = 9;
    public static final int CHECKSUM_OFFSET = 10;
    public static final int SOURCE_OFFSET = 12;
    public static final int DESTINATION_OFFSET = 16;

    private static final int VERSION_AND_WORDS = 0x45;

    public static int version(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) >> 4 & 0xF;
    }

    public static int headerWords(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) & 0xF;
    }

    public static int trafficClass(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + TRAFFIC_CLASS_OFFSET) & 0xFF;
    }

    public static int totalLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + TOTAL_LENGTH_OFFSET) & 0xFFFF;
    }

    public static int identification(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + IDENTIFICATION_OFFSET) & 0xFFFF;
    }

    public static int flagsAndOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + FLAGS_OFFSET) & 0xFFFF;
    }

    public static int timeToLive(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + TIME_TO_LIVE_OFFSET) & 0xFF;
    }

    public static int protocol(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + PROTOCOL_OFFSET) & 0xFF;
    }

    public static int checksum(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET) & 0xFFFF;
    }

    public static int source(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + SOURCE_OFFSET);
    }

    public static int destination(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + DESTINATION_OFFSET);
    }

    /** The checksum that the other fields ask for (RFC 1071). */
    public static int expectedChecksum(MemorySegment segment, long offset) {
        return InternetChecksum.of(InternetChecksum.sum(segment, offset, LENGTH) - checksum(segment, offset));
    }

    /**
     * What a router does to a header: one hop less to live, another traffic class or the same, and the checksum follows
     * (RFC 1812, 5.3.1; RFC 1624, equation 3).
     */
    public static void forward(MemorySegment segment, long offset, int trafficClass) {
        int first = segment.get(NetworkOrder.SHORT, offset) & 0xFFFF;
        int hops = segment.get(NetworkOrder.SHORT, offset + TIME_TO_LIVE_OFFSET) & 0xFFFF;
        int newFirst = first & 0xFF00 | trafficClass & 0xFF;
        int newHops = hops - 0x100;
        segment.set(NetworkOrder.SHORT, offset, (short) newFirst);
        segment.set(NetworkOrder.SHORT, offset + TIME_TO_LIVE_OFFSET, (short) newHops);
        long sum = (~checksum(segment, offset) & 0xFFFF)
                + (~first & 0xFFFF)
                + newFirst
                + (~hops & 0xFFFF)
                + (long) newHops;
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) InternetChecksum.of(sum));
    }

    /** The whole header, with its checksum. */
    public static void write(
            MemorySegment segment,
            long offset,
            int trafficClass,
            int totalLength,
            int identification,
            int flagsAndOffset,
            int timeToLive,
            int protocol,
            int source,
            int destination) {
        segment.set(
                NetworkOrder.INT, offset, VERSION_AND_WORDS << 24 | (trafficClass & 0xFF) << 16 | totalLength & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + IDENTIFICATION_OFFSET, identification << 16 | flagsAndOffset & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + TIME_TO_LIVE_OFFSET, timeToLive << 24 | (protocol & 0xFF) << 16);
        segment.set(NetworkOrder.INT, offset + SOURCE_OFFSET, source);
        segment.set(NetworkOrder.INT, offset + DESTINATION_OFFSET, destination);
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) expectedChecksum(segment, offset));
    }

    public static Ipv4Header parse(MemorySegment segment, long offset) {
        return new Ipv4Header(
                version(segment, offset),
                headerWords(segment, offset),
                trafficClass(segment, offset),
                totalLength(segment, offset),
                identification(segment, offset),
                flagsAndOffset(segment, offset),
                timeToLive(segment, offset),
                protocol(segment, offset),
                checksum(segment, offset),
                source(segment, offset),
                destination(segment, offset));
    }

    /** Writes every field as it is, a wrong checksum too. */
    public void emit(MemorySegment segment, long offset) {
        write(
                segment,
                offset,
                trafficClass,
                totalLength,
                identification,
                flagsAndOffset,
                timeToLive,
                protocol,
                source,
                destination);
        segment.set(NetworkOrder.BYTE, offset, (byte) (version << 4 | headerWords & 0xF));
        segment.set(NetworkOrder.SHORT, offset + CHECKSUM_OFFSET, (short) checksum);
    }
}
