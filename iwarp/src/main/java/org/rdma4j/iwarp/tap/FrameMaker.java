package org.rdma4j.iwarp.tap;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.Ipv6Header;
import org.rdma4j.wire.TcpHeader;

/** Makes the Ethernet frames of one direction of a TCP connection, checksums and all. */
final class FrameMaker {

    /** Bytes of the longest payload that an IP packet holds behind the headers made here. */
    static final int MOST_PAYLOAD = 0xFFFF - Ipv6Header.LENGTH - TcpHeader.LENGTH;

    private static final int WINDOW = 0xFFFF;
    private static final int TIME_TO_LIVE = 64;

    private final Gid from;
    private final Gid to;
    private final int fromPort;
    private final int toPort;
    private final boolean ipv4;
    private final int network = EthernetHeader.LENGTH;
    private final int tcp;
    private MemorySegment frame = MemorySegment.NULL;
    private int identification;

    FrameMaker(InetSocketAddress source, InetSocketAddress destination) {
        from = Gid.of(source.getAddress());
        to = Gid.of(destination.getAddress());
        fromPort = source.getPort();
        toPort = destination.getPort();
        ipv4 = from.isIpv4() && to.isIpv4();
        tcp = network + (ipv4 ? Ipv4Header.LENGTH : Ipv6Header.LENGTH);
    }

    /**
     * The number of the connection's first byte in this direction: the same at both ends, so that what the taps of both
     * show is one stream.
     */
    int initialSequence() {
        return 31 * (31 * from.hashCode() + to.hashCode()) + (fromPort << 16 | toPort);
    }

    /** A frame. @return its bytes, which start {@link #frame} */
    int make(int sequence, int acknowledgment, int flags, MemorySegment payload, long offset, int length) {
        int end = tcp + TcpHeader.LENGTH + length;
        if (frame.byteSize() < end) {
            frame = MemorySegment.ofArray(new byte[Math.max(end, (int) frame.byteSize() * 2)]);
        }
        long macFrom = EthernetHeader.macOf(from.high(), from.low());
        long macTo = EthernetHeader.macOf(to.high(), to.low());
        EthernetHeader.write(frame, 0, macTo, macFrom, ipv4 ? EthernetHeader.IPV4 : EthernetHeader.IPV6);
        int tcpLength = TcpHeader.LENGTH + length;
        if (ipv4) {
            Ipv4Header.write(
                    frame,
                    network,
                    0,
                    Ipv4Header.LENGTH + tcpLength,
                    identification++,
                    Ipv4Header.DONT_FRAGMENT,
                    TIME_TO_LIVE,
                    TcpHeader.PROTOCOL,
                    (int) from.low(),
                    (int) to.low());
        } else {
            Ipv6Header.write(
                    frame,
                    network,
                    0,
                    0,
                    tcpLength,
                    TcpHeader.PROTOCOL,
                    TIME_TO_LIVE,
                    from.high(),
                    from.low(),
                    to.high(),
                    to.low());
        }
        TcpHeader.write(frame, tcp, fromPort, toPort, sequence, acknowledgment, flags, WINDOW);
        MemorySegment.copy(payload, offset, frame, tcp + (long) TcpHeader.LENGTH, length);
        int addresses = network + (ipv4 ? Ipv4Header.SOURCE_OFFSET : Ipv6Header.SOURCE_OFFSET);
        int addressesLength = ipv4 ? 2 * Integer.BYTES : 2 * Gid.LENGTH;
        TcpHeader.setChecksum(
                frame, tcp, TcpHeader.expectedChecksum(frame, tcp, tcpLength, addresses, addressesLength));
        return end;
    }

    MemorySegment frame() {
        return frame;
    }
}
