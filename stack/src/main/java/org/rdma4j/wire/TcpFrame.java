package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * A frame that carries a TCP segment (RFC 9293): where its parts lie. The bytes stay where they are.
 *
 * @param segment the memory that holds it
 * @param networkOffset where the IP header starts
 * @param isIpv6 of which kind that is
 * @param tcpOffset where the TCP header starts, all of whose fields were captured
 * @param payloadOffset where the payload starts
 * @param payloadLength bytes of it on the wire; a capture may have kept fewer
 * @param capturedLength bytes of it that are there
 */
public record TcpFrame(
        MemorySegment segment,
        long networkOffset,
        boolean isIpv6,
        long tcpOffset,
        long payloadOffset,
        int payloadLength,
        int capturedLength)
        implements ParsedFrame {

    public static final int PROTOCOL = 6;

    /** Bytes of a TCP header without options. */
    public static final int HEADER_LENGTH = 20;

    private static final int SEQUENCE_OFFSET = 4;
    private static final int ACKNOWLEDGMENT_OFFSET = 8;
    private static final int DATA_OFFSET_OFFSET = 12;
    private static final int FLAGS_OFFSET = 13;

    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int ACK = 0x10;

    /** What the IP packet holds from {@code at} on; null where that is no whole TCP header. */
    static TcpFrame parse(
            MemorySegment segment, long network, boolean isIpv6, long at, long packetEnd, long capturedEnd) {
        if (Math.min(packetEnd, capturedEnd) - at < HEADER_LENGTH) {
            return null;
        }
        int words = segment.get(NetworkOrder.BYTE, at + DATA_OFFSET_OFFSET) >> 4 & 0xF;
        long payload = at + 4L * words;
        if (payload < at + HEADER_LENGTH || payload > packetEnd) {
            return null;
        }
        int captured = (int) Math.max(0, Math.min(packetEnd, capturedEnd) - payload);
        return new TcpFrame(segment, network, isIpv6, at, payload, (int) (packetEnd - payload), captured);
    }

    public Gid source() {
        return isIpv6
                ? new Gid(Grh.sgidHigh(segment, networkOffset), Grh.sgidLow(segment, networkOffset))
                : Gid.ofIpv4(Ipv4Header.source(segment, networkOffset));
    }

    public Gid destination() {
        return isIpv6
                ? new Gid(Grh.dgidHigh(segment, networkOffset), Grh.dgidLow(segment, networkOffset))
                : Gid.ofIpv4(Ipv4Header.destination(segment, networkOffset));
    }

    public int sourcePort() {
        return segment.get(NetworkOrder.SHORT, tcpOffset) & 0xFFFF;
    }

    public int destinationPort() {
        return segment.get(NetworkOrder.SHORT, tcpOffset + 2) & 0xFFFF;
    }

    public int sequence() {
        return segment.get(NetworkOrder.INT, tcpOffset + SEQUENCE_OFFSET);
    }

    public int acknowledgment() {
        return segment.get(NetworkOrder.INT, tcpOffset + ACKNOWLEDGMENT_OFFSET);
    }

    /** {@link #FIN}, {@link #SYN}, {@link #RST}, {@link #ACK} and the others. */
    public int flags() {
        return segment.get(NetworkOrder.BYTE, tcpOffset + FLAGS_OFFSET) & 0xFF;
    }

    /** The payload, as far as it was captured. */
    public MemorySegment payload() {
        return segment.asSlice(capturedLength == 0 ? 0 : payloadOffset, capturedLength);
    }
}
