package org.rdma4j.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PcapngWriterTest {

    @Property
    void whatIsWrittenIsReadAgain(
            @ForAll @LongRange(min = 0) long timestamp,
            @ForAll @IntRange(max = 2) int direction,
            @ForAll @Size(max = 300) byte[] frame,
            @ForAll @Size(max = 3) List<String> comments)
            throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(file, "rdma4j")) {
            int ethernet = writer.addInterface(LinkType.ETHERNET, "eth0");
            int raw = writer.addInterface(LinkType.RAW, "wlan");
            MemorySegment memory = MemorySegment.ofArray(frame);
            writer.write(raw, timestamp, direction, memory, 0, frame.length, frame.length + 9L, comments);
            writer.write(ethernet, 1, memory, frame.length / 2, frame.length - frame.length / 2);
        }
        PcapBytes.Outcome outcome = PcapBytes.read(file.toByteArray());
        assertNull(outcome.complaint());
        CapturedPacket first = outcome.packets().getFirst();
        assertEquals(timestamp, first.timestamp());
        assertEquals(LinkType.RAW, first.linkType());
        assertEquals(1, first.interfaceIndex());
        assertEquals(frame.length + 9L, first.originalLength());
        assertArrayEquals(frame, first.bytes().toArray(ValueLayout.JAVA_BYTE));
        assertEquals(comments.stream().map(PcapngWriterTest::throughUtf8).toList(), first.comments());
        assertEquals(frame.length - frame.length / 2, outcome.packets().get(1).length());
    }

    /** A lone surrogate is no character that UTF-8 could hold. */
    private static String throughUtf8(String text) {
        return new String(
                text.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void aCommentThatIsTooLongIsCutBetweenTwoCharacters() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(file, "rdma4j")) {
            writer.addInterface(LinkType.ETHERNET, "eth0");
            writer.write(0, 0, 0, MemorySegment.ofArray(new byte[4]), 0, 4, 4, List.of("a" + "é".repeat(40_000)));
        }
        String comment = PcapBytes.read(file.toByteArray())
                .packets()
                .getFirst()
                .comments()
                .getFirst();
        assertEquals("a" + "é".repeat(32_767), comment);
    }

    @Test
    void interfacesMayBeAddedBetweenPacketsAndFramesLieInNativeMemory() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofConfined();
                PcapngWriter writer = new PcapngWriter(file, "rdma4j")) {
            MemorySegment memory = arena.allocate(9000).fill((byte) 7);
            writer.write(writer.addInterface(LinkType.ETHERNET, "a"), 1, memory, 0, 9000);
            writer.write(writer.addInterface(LinkType.INFINIBAND, "b"), 2, memory, 1, 61);
        }
        List<CapturedPacket> packets = PcapBytes.read(file.toByteArray()).packets();
        assertEquals(
                List.of(9000, 61), packets.stream().map(CapturedPacket::length).toList());
        assertEquals(
                List.of(1, 247), packets.stream().map(CapturedPacket::linkType).toList());
    }

    @Test
    void refusesAnInterfaceThatWasNotDescribed() throws IOException {
        try (PcapngWriter writer = new PcapngWriter(new ByteArrayOutputStream(), "rdma4j")) {
            MemorySegment memory = MemorySegment.ofArray(new byte[4]);
            assertThrows(IllegalArgumentException.class, () -> writer.write(0, 0, memory, 0, 4));
        }
    }
}
