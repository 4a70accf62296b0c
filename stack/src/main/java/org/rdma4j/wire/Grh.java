package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Global route header: the network header of RoCE v1, and of native InfiniBand packets that cross subnets; UD receive
 * buffers start with one (IBTA volume 1, 8.3, annex A16). Its layout is that of IPv6.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+---------------+---------------------------------------+
 * | IPVer |     TClass    |               Flow Label              |  0
 * +-------+---------------+-------+---------------+---------------+
 * |             PayLen            |     NxtHdr    |     HopLmt    |  4
 * +-------------------------------+---------------+---------------+
 * |                        SGID (16 bytes)                        |  8
 * +---------------------------------------------------------------+
 * |                        DGID (16 bytes)                        | 24
 * +---------------------------------------------------------------+
 * </pre>
 *
 * The ICRC takes traffic class, flow label and hop limit as all ones.
 *
 * @param version 4 bits: 6
 * @param trafficClass 8 bits: DSCP and ECN
 * @param flowLabel 20 bits
 * @param payloadLength 16 bits: bytes behind the GRH up to and with the ICRC
 * @param nextHeader 8 bits: {@link #NEXT_HEADER_IBA}
 * @param hopLimit 8 bits
 * @param sgid the sender
 * @param dgid the addressee
 */
public record Grh(
        int version,
        int trafficClass,
        int flowLabel,
        int payloadLength,
        int nextHeader,
        int hopLimit,
        Gid sgid,
        Gid dgid) {

    /** Bytes on the wire. */
    public static final int LENGTH = 40;

    /** What NxtHdr says where a BTH follows. */
    public static final int NEXT_HEADER_IBA = 0x1B;

    public static final int PAYLOAD_LENGTH_OFFSET = 4;
    public static final int NEXT_HEADER_OFFSET = 6;
    public static final int HOP_LIMIT_OFFSET = 7;
    public static final int SGID_OFFSET = 8;
    public static final int DGID_OFFSET = 24;

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

    public static long sgidHigh(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SGID_OFFSET);
    }

    public static long sgidLow(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + SGID_OFFSET + 8);
    }

    public static long dgidHigh(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DGID_OFFSET);
    }

    public static long dgidLow(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + DGID_OFFSET + 8);
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
            long sgidHigh,
            long sgidLow,
            long dgidHigh,
            long dgidLow) {
        int first = 6 << 28 | (trafficClass & 0xFF) << 20 | flowLabel & FLOW_LABEL_MASK;
        segment.set(NetworkOrder.INT, offset, first);
        int second = payloadLength << 16 | (nextHeader & 0xFF) << 8 | hopLimit & 0xFF;
        segment.set(NetworkOrder.INT, offset + PAYLOAD_LENGTH_OFFSET, second);
        segment.set(NetworkOrder.LONG, offset + SGID_OFFSET, sgidHigh);
        segment.set(NetworkOrder.LONG, offset + SGID_OFFSET + 8, sgidLow);
        segment.set(NetworkOrder.LONG, offset + DGID_OFFSET, dgidHigh);
        segment.set(NetworkOrder.LONG, offset + DGID_OFFSET + 8, dgidLow);
    }

    public static Grh parse(MemorySegment segment, long offset) {
        return new Grh(
                version(segment, offset),
                trafficClass(segment, offset),
                flowLabel(segment, offset),
                payloadLength(segment, offset),
                nextHeader(segment, offset),
                hopLimit(segment, offset),
                new Gid(sgidHigh(segment, offset), sgidLow(segment, offset)),
                new Gid(dgidHigh(segment, offset), dgidLow(segment, offset)));
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
                sgid.high(),
                sgid.low(),
                dgid.high(),
                dgid.low());
        int rest = segment.get(NetworkOrder.BYTE, offset) & 0x0F;
        segment.set(NetworkOrder.BYTE, offset, (byte) (version << 4 | rest));
    }
}
