package org.rdma4j.iwarp.capture;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.TcpEnds;

/** The TCP segments of a capture of Ethernet frames with IPv4 in them. */
final class CapturedFrames {

    private static final int TCP = 6;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** One of them. */
    record Segment(TcpEnds ends, int sequence, boolean syn, MemorySegment payload) {}

    private CapturedFrames() {}

    static void forEach(byte[] pcap, Consumer<Segment> consumer) {
        try (CaptureReader reader = CaptureReader.open("capture", new ByteArrayInputStream(pcap))) {
            while (reader.hasNext()) {
                MemorySegment frame = reader.next().bytes();
                int ip = EthernetHeader.LENGTH;
                if (EthernetHeader.etherType(frame, 0) == EthernetHeader.IPV4
                        && Ipv4Header.protocol(frame, ip) == TCP) {
                    consumer.accept(segment(frame, ip));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Segment segment(MemorySegment frame, int ip) {
        long tcp = ip + 4L * Ipv4Header.headerWords(frame, ip);
        long payload = tcp + (frame.get(ValueLayout.JAVA_BYTE, tcp + 12) >> 4 & 0xF) * 4L;
        long end = ip + (long) Ipv4Header.totalLength(frame, ip);
        return new Segment(
                new TcpEnds(
                        Gid.ofIpv4(Ipv4Header.source(frame, ip)),
                        frame.get(SHORT, tcp) & 0xFFFF,
                        Gid.ofIpv4(Ipv4Header.destination(frame, ip)),
                        frame.get(SHORT, tcp + 2) & 0xFFFF),
                frame.get(INT, tcp + 4),
                (frame.get(ValueLayout.JAVA_BYTE, tcp + 13) & 2) != 0,
                frame.asSlice(payload, end - payload));
    }
}
