package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Local route header, the first of every packet on a native InfiniBand link (IBTA volume 1, 7.7).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+-------+-------+---+---+-------------------------------+
 * |  VL   | LVer  |  SL   |rsv|LNH|             DLID              |  0
 * +-------+-+-----+-------+---+---+-------------------------------+
 * | rsv5    |       PktLen        |             SLID              |  4
 * +---------+---------------------+-------------------------------+
 * </pre>
 *
 * The ICRC takes VL as all ones, since switches change it; where a GRH follows it takes the whole LRH so, since routers
 * replace it.
 *
 * @param virtualLane 4 bits
 * @param linkVersion 4 bits, 0
 * @param serviceLevel 4 bits
 * @param reserved2 2 bits
 * @param nextHeader 2 bits: {@link #LNH_IBA_LOCAL}, {@link #LNH_IBA_GLOBAL}, {@link #LNH_IPV6} or {@link #LNH_RAW}
 * @param destinationLid 16 bits
 * @param reserved5 5 bits
 * @param packetLength 11 bits: words of 4 bytes from the LRH's first byte to the ICRC, without the VCRC
 * @param sourceLid 16 bits
 */
public record Lrh(
        int virtualLane,
        int linkVersion,
        int serviceLevel,
        int reserved2,
        int nextHeader,
        int destinationLid,
        int reserved5,
        int packetLength,
        int sourceLid) {

    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    /** Raw packet with an Ethertype header. */
    public static final int LNH_RAW = 0;

    /** Raw packet with an IPv6 header. */
    public static final int LNH_IPV6 = 1;

    /** A BTH follows. */
    public static final int LNH_IBA_LOCAL = 2;

    /** A GRH and a BTH follow. */
    public static final int LNH_IBA_GLOBAL = 3;

    public static final int DESTINATION_LID_OFFSET = 2;
    public static final int PACKET_LENGTH_OFFSET = 4;
    public static final int SOURCE_LID_OFFSET = 6;

    private static final int LENGTH_MASK = 0x7FF;
    private static final int LENGTH_BITS = 11;

    public static int virtualLane(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) >> 4 & 0xF;
    }

    public static int linkVersion(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset) & 0xF;
    }

    public static int serviceLevel(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + 1) >> 4 & 0xF;
    }

    public static int nextHeader(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + 1) & 3;
    }

    public static int destinationLid(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + DESTINATION_LID_OFFSET) & 0xFFFF;
    }

    public static int packetLength(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + PACKET_LENGTH_OFFSET) & LENGTH_MASK;
    }

    public static int sourceLid(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + SOURCE_LID_OFFSET) & 0xFFFF;
    }

    public static void setVirtualLane(MemorySegment segment, long offset, int virtualLane) {
        segment.set(NetworkOrder.BYTE, offset, (byte) (virtualLane << 4 | linkVersion(segment, offset)));
    }

    /** The whole header, LVer and reserved bits 0. */
    public static void write(
            MemorySegment segment,
            long offset,
            int virtualLane,
            int serviceLevel,
            int nextHeader,
            int destinationLid,
            int packetLength,
            int sourceLid) {
        new Lrh(virtualLane, 0, serviceLevel, 0, nextHeader, destinationLid, 0, packetLength, sourceLid)
                .emit(segment, offset);
    }

    public static Lrh parse(MemorySegment segment, long offset) {
        return new Lrh(
                virtualLane(segment, offset),
                linkVersion(segment, offset),
                serviceLevel(segment, offset),
                segment.get(NetworkOrder.BYTE, offset + 1) >> 2 & 3,
                nextHeader(segment, offset),
                destinationLid(segment, offset),
                (segment.get(NetworkOrder.SHORT, offset + PACKET_LENGTH_OFFSET) & 0xFFFF) >> LENGTH_BITS,
                packetLength(segment, offset),
                sourceLid(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        int first = virtualLane << 4 | linkVersion & 0xF;
        int second = (serviceLevel & 0xF) << 4 | (reserved2 & 3) << 2 | nextHeader & 3;
        int length = reserved5 << LENGTH_BITS | packetLength & LENGTH_MASK;
        segment.set(NetworkOrder.INT, offset, first << 24 | second << 16 | destinationLid & 0xFFFF);
        segment.set(NetworkOrder.INT, offset + PACKET_LENGTH_OFFSET, length << 16 | sourceLid & 0xFFFF);
    }
}
