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

    /** What the IP packet holds from {@code at} on; null where that is no whole TCP header. */
    static TcpFrame parse(
            MemorySegment segment, long network, boolean isIpv6, long at, long packetEnd, long capturedEnd) {
        if (Math.min(packetEnd, capturedEnd) - at < TcpHeader.LENGTH) {
            return null;
        }
        int words = TcpHeader.headerWords(segment, at);
        long payload = at + 4L * words;
        if (payload < at + TcpHeader.LENGTH || payload > packetEnd) {
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

    public TcpEnds ends() {
        return new TcpEnds(source(), sourcePort(), destination(), destinationPort());
    }

    public int sourcePort() {
        return TcpHeader.sourcePort(segment, tcpOffset);
    }

    public int destinationPort() {
        return TcpHeader.destinationPort(segment, tcpOffset);
    }

    public int sequence() {
        return TcpHeader.sequence(segment, tcpOffset);
    }

    public int acknowledgment() {
        return TcpHeader.acknowledgment(segment, tcpOffset);
    }

    /** {@link TcpHeader#FIN}, {@link TcpHeader#SYN}, {@link TcpHeader#RST}, {@link TcpHeader#ACK} and the others. */
    public int flags() {
        return TcpHeader.flags(segment, tcpOffset);
    }

    /** The payload, as far as it was captured. */
    public MemorySegment payload() {
        return segment.asSlice(capturedLength == 0 ? 0 : payloadOffset, capturedLength);
    }
}
