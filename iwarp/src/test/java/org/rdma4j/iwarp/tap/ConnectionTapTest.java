package org.rdma4j.iwarp.tap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.link.FrameTap;
import org.rdma4j.trace.Rule;
import org.rdma4j.vectors.Tshark;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Ipv4Header;
import org.rdma4j.wire.TcpHeader;

class ConnectionTapTest {

    private static final InetSocketAddress HERE = new InetSocketAddress("10.1.0.1", 1234);
    private static final InetSocketAddress THERE = new InetSocketAddress("10.1.0.2", 7471);
    private static final int TCP = EthernetHeader.LENGTH + Ipv4Header.LENGTH;

    @TempDir
    Path folder;

    /** One frame that a tap was shown. */
    private record Shown(boolean sent, TcpHeader header, MemorySegment payload) {}

    private final List<Shown> shown = new ArrayList<>();

    private final FrameTap tap = new FrameTap() {
        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            show(true, frame.asSlice(offset, length));
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            show(false, frame.asSlice(offset, length));
        }
    };

    private void show(boolean sent, MemorySegment frame) {
        int length = (int) frame.byteSize() - TCP;
        int right = TcpHeader.expectedChecksum(frame, TCP, length, EthernetHeader.LENGTH + Ipv4Header.SOURCE_OFFSET, 8);
        assertEquals(right, TcpHeader.checksum(frame, TCP));
        byte[] payload = frame.asSlice(TCP + TcpHeader.LENGTH).toArray(ValueLayout.JAVA_BYTE);
        shown.add(new Shown(sent, TcpHeader.parse(frame, TCP), MemorySegment.ofArray(payload)));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.1, 10.1.0.2, false, false",
        "10.1.0.1, 10.1.0.2, true, true",
        "fd77::1, fd77::2, true, false",
    })
    void tsharkReadsEveryLayerOfIt(String from, String to, boolean crc, boolean markers)
            throws IOException, InterruptedException {
        Path file = folder.resolve("tap.pcapng");
        TappedConnection.run(file, new InetSocketAddress(from, 43210), new InetSocketAddress(to, 7174), crc, markers);
        String trouble = "_ws.malformed || iwarp_mpa.bad_length || tcp.checksum.status == Bad"
                + " || tcp.analysis.lost_segment || tcp.analysis.retransmission || tcp.analysis.out_of_order"
                + " || tcp.analysis.ack_lost_segment || tcp.analysis.keep_alive";
        assertEquals(List.of(), field(file, trouble, "frame.number"));
        List<String> flags = field(file, "tcp.len == 0", "tcp.flags");
        assertEquals(5, flags.size(), "SYN, SYN and ACK, ACK, and a FIN from each side: " + flags);
        assertEquals(
                2, field(file, "iwarp_mpa.req || iwarp_mpa.rep", "frame.number").size());
        List<String> opcodes = field(file, "iwarp_mpa.fpdu", "iwarp_rdma.opcode");
        assertEquals(List.of("0x03", "0x00", "0x01", "0x05", "0x02", "0x04", "0x03"), opcodes);
        List<String> words = tshark(file, "iwarp_mpa.fpdu", "-V");
        assertEquals(crc ? TappedConnection.FPDUS : 0, count(words, "(Good CRC32)"));
        assertEquals(markers ? TappedConnection.MARKERS : 0, count(words, "FPDU back pointer:"));
    }

    /** A field of each frame that a filter finds. */
    private static List<String> field(Path file, String filter, String name) throws IOException, InterruptedException {
        return tshark(file, filter, "-T", "fields", "-e", name);
    }

    private static List<String> tshark(Path file, String filter, String... form)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-Y", filter));
        options.addAll(List.of(form));
        options.addAll(List.of("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"));
        return Tshark.lines(file, options.toArray(String[]::new)).orElseGet(() -> abort(Tshark.MISSING));
    }

    private static long count(List<String> lines, String text) {
        return lines.stream().filter(line -> line.contains(text)).count();
    }

    @Test
    void theHandshakeComesFirstAndTheNumbersFitTogether() {
        ConnectionTap connection = new ConnectionTap(tap, HERE, THERE, true, 0);
        byte[] request = new byte[MpaFrame.LENGTH];
        MpaFrame.write(MemorySegment.ofArray(request), 0, true, false, false, false, false, 1, 0);
        connection.sent(1, MemorySegment.ofArray(request), 0, request.length);
        connection.reset(2, true);
        assertEquals(
                List.of(true, false, true, true, false),
                shown.stream().map(Shown::sent).toList());
        int own = shown.get(0).header.sequence();
        int peers = shown.get(1).header.sequence();
        assertEquals(TcpHeader.SYN, shown.get(0).header.flags());
        assertEquals(TcpHeader.SYN | TcpHeader.ACK, shown.get(1).header.flags());
        assertEquals(own + 1, shown.get(1).header.acknowledgment());
        assertEquals(peers + 1, shown.get(2).header.acknowledgment());
        assertEquals(own + 1, shown.get(3).header.sequence());
        assertArrayEquals(request, shown.get(3).payload.toArray(ValueLayout.JAVA_BYTE));
        assertEquals(TcpHeader.RST | TcpHeader.ACK, shown.get(4).header.flags());
        assertEquals(own + 1 + request.length, shown.get(4).header.acknowledgment());
        assertEquals(HERE.getPort(), shown.get(0).header.sourcePort());
        assertEquals(HERE.getPort(), shown.get(1).header.destinationPort());
    }

    @Test
    void eachUnitHasASegmentOfItsOwnAndTheRestComesWithTheEnd() {
        ConnectionTap connection = new ConnectionTap(tap, HERE, THERE, false, 0);
        byte[] frame = new byte[MpaFrame.LENGTH + 7];
        MpaFrame.write(MemorySegment.ofArray(frame), 0, true, false, false, false, false, 1, 7);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(frame);
        byte[] first = new FpduStream(false, false).add(new byte[30]).bytes();
        byte[] second = new FpduStream(false, false).add(new byte[31]).bytes();
        stream.writeBytes(first);
        stream.writeBytes(second);
        stream.writeBytes(new byte[] {0, 99, 1});
        byte[] bytes = stream.toByteArray();
        for (int at = 0; at < bytes.length; at++) {
            connection.received(at, MemorySegment.ofArray(bytes), at, 1);
        }
        assertEquals(3 + 3, shown.size());
        connection.ended(1000);
        connection.ended(1001);
        List<Long> lengths =
                shown.stream().skip(3).map(each -> each.payload.byteSize()).toList();
        assertEquals(List.of(27L, (long) first.length, (long) second.length, 3L, 0L), lengths);
    }

    @Test
    void whatIsNoMpaIsShownAsItComes() {
        ConnectionTap connection = new ConnectionTap(tap, HERE, THERE, false, 0);
        byte[] http = "GET / HTTP/1.1\r\nHost: here.example\r\n".getBytes(StandardCharsets.US_ASCII);
        connection.received(1, MemorySegment.ofArray(http), 0, 20);
        connection.received(2, MemorySegment.ofArray(http), 20, http.length - 20);
        assertEquals(3 + 2, shown.size());
        assertEquals(http.length - 20, shown.getLast().payload.byteSize());
    }
}
