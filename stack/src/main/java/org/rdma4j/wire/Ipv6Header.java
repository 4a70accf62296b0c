package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * IPv6 header (RFC 8200, 3), the network header of RoCE v2 over IPv6 (annex A17).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+---------------+---------------------------------------+
 * |  Vers |   Traf Class  |               Flow Label              |  0
 * +-------+---------------+-------+---------------+---------------+
 * |         Payload Length        |    Next Hdr   |   Hop Limit   |  4
 * +-------------------------------+---------------+---------------+
 * |                       Source (16 bytes)                       |  8
 * +---------------------------------------------------------------+
 * |                     Destination (16 bytes)                    | 24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * The ICRC takes traffic class, flow label and hop limit as all ones.
 *
 * @param version 4 bits: 6
 * @param trafficClass 8 bits: DSCP and ECN
 * @param flowLabel 20 bits
 * @param payloadLength 16 bits: bytes behind this header
 * @param nextHeader 8 bits: 17 for UDP
 * @param hopLimit 8 bits
 * @param source the sender
 * @param destination the addressee
 */
public record Ipv6Header(
        int version,
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        Gid source,
        Gid destination) {

    /** Bytes on the wire. */
    public static final int LENGTH = 40;

    public static final int PAYLOAD_LENGTH_OFFSET = 4;
    public static final int NEXT_HEADER_OFFSET = 6;
    public static final int HOP_LIMIT_OFFSET = 7;
    public static final int SOURCE_OFFSET = 8;
    public static final int DESTINATION_OFFSET = 24;

    private static final int FLOW_LABEL_MASK = 0xF_FFFF;

    public static int version(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) >> 4 & 0xF;
    }

    public static int trafficClass(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset) >> 20 & 0xFF;
    }

    public static int flowLabel(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset) & FLOW_LABEL_MASK;
    }

    public static int payloadLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + PAYLOAD_LENGTH_OFFSET) & 0xFFFF;
    }

    public static int nextHeader(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + NEXT_HEADER_OFFSET) & 0xFF;
    }

    public static int hopLimit(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + HOP_LIMIT_OFFSET) & 0xFF;
    }

    public static long sourceHigh(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SOURCE_OFFSET);
    }

    public static long sourceLow(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SOURCE_OFFSET + 8);
    }

    public static long destinationHigh(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DESTINATION_OFFSET);
    }

    public static long destinationLow(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DESTINATION_OFFSET + 8);
    }

    public static void setPayloadLength(MemorySegment segment, long offset, int payloadLength) {
        segment.set(NetworkOrder.SHORT, offset + PAYLOAD_LENGTH_OFFSET, (short) payloadLength);
    }

    /** The whole header, version 6. The addresses come in halves, so that nothing is allocated. */
    public static void write(
            MemorySegment segment,
            long offset,
            int trafficClass,
            int flowLabel,
            int payloadLength,
            int nextHeader,
            int hopLimit,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow) {
        int first = 6 << 28 | (trafficClass & 0xFF) << 20 | flowLabel & FLOW_LABEL_MASK;
        segment.set(NetworkOrder.INT, offset, first);
        int second = payloadLength << 16 | (nextHeader & 0xFF) << 8 | hopLimit & 0xFF;
        segment.set(NetworkOrder.INT, offset + PAYLOAD_LENGTH_OFFSET, second);
        segment.set(NetworkOrder.LONG, offset + SOURCE_OFFSET, sourceHigh);
        segment.set(NetworkOrder.LONG, offset + SOURCE_OFFSET + 8, sourceLow);
        segment.set(NetworkOrder.LONG, offset + DESTINATION_OFFSET, destinationHigh);
        segment.set(NetworkOrder.LONG, offset + DESTINATION_OFFSET + 8, destinationLow);
    }

    public static Ipv6Header parse(MemorySegment segment, long offset) {
        return new Ipv6Header(
                version(segment, offset),
                trafficClass(segment, offset),
                flowLabel(segment, offset),
                payloadLength(segment, offset),
                nextHeader(segment, offset),
                hopLimit(segment, offset),
                new Gid(sourceHigh(segment, offset), sourceLow(segment, offset)),
                new Gid(destinationHigh(segment, offset), destinationLow(segment, offset)));
    }

    public void emit(MemorySegment segment, long offset) {
        write(
                segment,
                offset,
                trafficClass,
                flowLabel,
                payloadLength,
                nextHeader,
                hopLimit,
                source.high(),
                source.low(),
                destination.high(),
                destination.low());
        int rest = segment.get(NetworkOrder.BYTE, offset) & 0x0F;
        segment.set(NetworkOrder.BYTE, offset, (byte) (version << 4 | rest));
    }
}
