package org.rdma4j.iwarp.capture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rdma4j.iwarp.craft.FpduStream;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.MpaFrame;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.vectors.IwarpCaptures;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.TcpEnds;

class CapturedConnectionsTest {

    private static final TcpEnds ASKING = new TcpEnds(Gid.ofIpv4(0x0A000001), 40000, Gid.ofIpv4(0x0A000002), 7174);

    static Stream<IwarpCaptures.Capture> captures() {
        return IwarpCaptures.all().stream();
    }

    /** Each connection's bytes as they went over the wire, and as what was made of them is written again. */
    private record Streams(ByteArrayOutputStream wire, ByteArrayOutputStream again) {}

    @ParameterizedTest
    @MethodSource("captures")
    void everyFpduOfSiwIsReadAndWrittenAgainToTheSameBytes(IwarpCaptures.Capture capture) {
        CapturedConnections connections = new CapturedConnections();
        Map<TcpEnds, Streams> streams = new HashMap<>();
        Map<Integer, Integer> opcodes = new TreeMap<>();
        int[] frames = new int[2];
        CapturedFrames.forEach(capture.bytes(), segment -> {
            Streams both = streams.computeIfAbsent(
                    segment.ends(), any -> new Streams(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
            both.wire.writeBytes(segment.payload().toArray(ValueLayout.JAVA_BYTE));
            connections
                    .segment(
                            segment.ends(),
                            segment.sequence(),
                            segment.syn(),
                            segment.payload(),
                            segment.payload().byteSize())
                    .forEach(unit -> {
                        switch (unit) {
                            case CapturedUnit.Setup setup -> {
                                frames[setup.fromInitiator() ? 0 : 1]++;
                                both.again.writeBytes(written(setup));
                            }
                            case CapturedUnit.Fpdu fpdu -> {
                                int control = TaggedHeader.control(fpdu.ulpdu(), 0);
                                opcodes.merge(DdpControl.opcode(control), 1, Integer::sum);
                                assertEquals(CrcVerdict.UNUSED, fpdu.crc());
                                assertEquals(0, fpdu.crcField());
                                both.again.writeBytes(written(fpdu));
                            }
                            case CapturedUnit.Lost lost -> throw new AssertionError(lost);
                        }
                    });
        });
        assertEquals(capture.opcodes(), opcodes);
        assertEquals(capture.connections(), frames[0]);
        assertEquals(capture.connections(), frames[1]);
        assertEquals(0, connections.left());
        streams.forEach((ends, both) -> {
            if (both.again.size() > 0) {
                assertArrayEquals(both.wire.toByteArray(), both.again.toByteArray(), () -> "stream of " + ends);
            }
        });
    }

    private static byte[] written(CapturedUnit.Setup setup) {
        int own = setup.data() == null ? 0 : EnhancedData.LENGTH;
        byte[] bytes =
                new byte[MpaFrame.LENGTH + own + (int) setup.privateData().byteSize()];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        setup.frame().emit(segment, 0);
        if (setup.data() != null) {
            setup.data().emit(segment, MpaFrame.LENGTH);
        }
        MemorySegment.copy(
                setup.privateData(),
                0,
                segment,
                MpaFrame.LENGTH + own,
                setup.privateData().byteSize());
        return bytes;
    }

    /** Every header is parsed into its record and emitted from it; only the payload is copied. */
    private static byte[] written(CapturedUnit.Fpdu fpdu) {
        MemorySegment from = fpdu.ulpdu();
        byte[] bytes = new byte[(int) fpdu.ulpdu().byteSize()];
        MemorySegment to = MemorySegment.ofArray(bytes);
        int control = TaggedHeader.control(from, 0);
        long at = DdpControl.headerLength(control);
        if (DdpControl.tagged(control)) {
            TaggedHeader.parse(from, 0).emit(to, 0);
        } else {
            UntaggedHeader.parse(from, 0).emit(to, 0);
        }
        if (DdpControl.opcode(control) == RdmapOpcode.READ_REQUEST) {
            ReadRequest.parse(from, at).emit(to, at);
            at += ReadRequest.LENGTH;
        }
        MemorySegment.copy(from, at, to, at, from.byteSize() - at);
        byte[] written = new FpduStream(false, false).add(bytes).bytes();
        int pad = (int) fpdu.pad().byteSize(); // siw does not send zeros there
        MemorySegment.copy(fpdu.pad(), 0, MemorySegment.ofArray(written), written.length - Fpdu.CRC_LENGTH - pad, pad);
        return written;
    }

    private static byte[] frame(boolean request, boolean markers, boolean crc) {
        byte[] bytes = new byte[MpaFrame.LENGTH];
        MpaFrame.write(MemorySegment.ofArray(bytes), 0, request, markers, crc, false, false, 1, 0);
        return bytes;
    }

    private static List<CapturedUnit> feed(CapturedConnections connections, TcpEnds ends, int sequence, byte[] bytes) {
        return connections.segment(ends, sequence, false, MemorySegment.ofArray(bytes), bytes.length);
    }

    private static CapturedConnections open(boolean markers, boolean crc) {
        CapturedConnections connections = new CapturedConnections();
        connections.segment(ASKING, 999, true, MemorySegment.ofArray(new byte[0]), 0);
        connections.segment(ASKING.back(), 4999, true, MemorySegment.ofArray(new byte[0]), 0);
        feed(connections, ASKING, 1000, frame(true, false, crc));
        feed(connections, ASKING.back(), 5000, frame(false, markers, false));
        return connections;
    }

    @Test
    void crcsAndMarkersAreThoseThatWereAgreedOn() {
        CapturedConnections connections = open(true, true);
        byte[] ulpdu = new byte[2000];
        ulpdu[3] = 7;
        byte[] stream = new FpduStream(true, true).add(ulpdu).add(ulpdu).bytes();
        List<CapturedUnit> units = new ArrayList<>();
        for (int at = 0; at < stream.length; at += 700) {
            byte[] chunk = Arrays.copyOfRange(stream, at, Math.min(stream.length, at + 700));
            units.addAll(feed(connections, ASKING, 1020 + at, chunk));
        }
        assertEquals(2, units.size());
        for (CapturedUnit unit : units) {
            CapturedUnit.Fpdu fpdu = assertInstanceOf(CapturedUnit.Fpdu.class, unit);
            assertArrayEquals(ulpdu, fpdu.ulpdu().toArray(ValueLayout.JAVA_BYTE));
            assertEquals(CrcVerdict.RIGHT, fpdu.crc());
            assertTrue(fpdu.fromInitiator());
        }
    }

    @Test
    void aWrongCrcIsToldAndTheReadingGoesOn() {
        CapturedConnections connections = open(false, true);
        byte[] stream =
                new FpduStream(false, true).add(new byte[40]).add(new byte[41]).bytes();
        stream[20] ^= 4;
        List<CapturedUnit> units = feed(connections, ASKING, 1020, stream);
        assertEquals(CrcVerdict.WRONG, ((CapturedUnit.Fpdu) units.get(0)).crc());
        assertEquals(CrcVerdict.RIGHT, ((CapturedUnit.Fpdu) units.get(1)).crc());
    }

    @Test
    void aMarkerThatDoesNotFitEndsTheDirection() {
        CapturedConnections connections = open(true, false);
        byte[] stream = new FpduStream(true, false).add(new byte[40]).bytes();
        stream[3] = 8;
        List<CapturedUnit> units = feed(connections, ASKING, 1020, stream);
        assertEquals("MPA marker and ULPDU length do not fit", ((CapturedUnit.Lost) units.getFirst()).reason());
        assertEquals(0, feed(connections, ASKING, 1020 + stream.length, stream).size());
    }

    @Test
    void anotherProtocolIsLeftAlone() {
        CapturedConnections connections = new CapturedConnections();
        connections.segment(ASKING, 999, true, MemorySegment.ofArray(new byte[0]), 0);
        assertEquals(
                0,
                feed(connections, ASKING, 1000, "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII))
                        .size());
        assertEquals(
                0, feed(connections, ASKING, 1014, frame(true, false, false)).size());
    }

    @Test
    void aCaptureThatBeganLateFindsTheKeyAtTheStartOfASegment() {
        CapturedConnections connections = new CapturedConnections();
        feed(connections, ASKING, 1000, new byte[100]);
        List<CapturedUnit> units = feed(connections, ASKING, 1100, frame(true, false, false));
        assertInstanceOf(CapturedUnit.Setup.class, units.getFirst());
    }

    @Test
    void theSamePortsMaySpeakAgain() {
        CapturedConnections connections = open(false, false);
        byte[] stream = new FpduStream(false, false).add(new byte[40]).bytes();
        assertEquals(1, feed(connections, ASKING, 1020, stream).size());
        connections.segment(ASKING, 77_000, true, MemorySegment.ofArray(new byte[0]), 0);
        assertInstanceOf(
                CapturedUnit.Setup.class,
                feed(connections, ASKING, 77_001, frame(true, false, false)).getFirst());
    }

    @Test
    void whatTheCaptureCutOffIsTold() {
        CapturedConnections connections = open(false, false);
        byte[] stream = new FpduStream(false, false).add(new byte[400]).bytes();
        List<CapturedUnit> units = connections.segment(
                ASKING, 1020, false, MemorySegment.ofArray(Arrays.copyOf(stream, 60)), stream.length);
        assertEquals("the capture kept only 60 of 408 bytes", ((CapturedUnit.Lost) units.getFirst()).reason());
    }
}
