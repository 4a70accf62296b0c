package org.rdma4j.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapReadTest {

    private static final byte[] FIRST = {1, 2, 3, 4, 5};
    private static final byte[] SECOND = {6, 7};

    @Test
    void readsBothByteOrdersAndBothUnitsOfTime() {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            check(PcapBytes.pcap(PcapSource.MAGIC_MICROS, order, LinkType.ETHERNET, FIRST, SECOND), 7000);
            check(PcapBytes.pcap(PcapSource.MAGIC_NANOS, order, LinkType.ETHERNET, FIRST, SECOND), 7);
        }
    }

    private static void check(byte[] file, long nanos) {
        List<CapturedPacket> packets = PcapBytes.read(file).packets();
        assertEquals(2, packets.size());
        assertArrayEquals(FIRST, packets.get(0).bytes().toArray(ValueLayout.JAVA_BYTE));
        assertArrayEquals(SECOND, packets.get(1).bytes().toArray(ValueLayout.JAVA_BYTE));
        assertEquals(1_700_000_000_000_000_000L + nanos, packets.get(0).timestamp());
        assertEquals(1_700_000_001_000_000_000L + nanos, packets.get(1).timestamp());
        assertEquals(LinkType.ETHERNET, packets.get(0).linkType());
        assertEquals(105, packets.get(0).originalLength());
        assertTrue(packets.get(0).cutShort());
    }

    @Test
    void readsThroughGzip() {
        check(PcapBytes.gzip(PcapBytes.pcap(PcapSource.MAGIC_NANOS, ByteOrder.BIG_ENDIAN, 1, FIRST, SECOND)), 7);
    }

    @Test
    void readsAFileByItsPath(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.pcap");
        Files.write(file, PcapBytes.pcap(PcapSource.MAGIC_NANOS, ByteOrder.BIG_ENDIAN, 1, FIRST));
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertEquals(5, reader.next().length());
            assertFalse(reader.hasNext());
            assertThrows(NoSuchElementException.class, reader::next);
        }
    }

    @Test
    void takesTheOldNumbersOfRawIpAndDropsTheFcsBits() {
        byte[] old = PcapBytes.pcap(PcapSource.MAGIC_NANOS, ByteOrder.BIG_ENDIAN, 12, FIRST);
        byte[] fcs = PcapBytes.pcap(PcapSource.MAGIC_NANOS, ByteOrder.BIG_ENDIAN, 0x5400_0001, FIRST);
        assertEquals(LinkType.RAW, PcapBytes.read(old).packets().getFirst().linkType());
        assertEquals(LinkType.ETHERNET, PcapBytes.read(fcs).packets().getFirst().linkType());
    }

    @Test
    void aFileThatBreaksOffGivesThePacketsBeforeAndNamesTheByte() {
        byte[] whole = PcapBytes.pcap(PcapSource.MAGIC_MICROS, ByteOrder.LITTLE_ENDIAN, 1, FIRST, SECOND);
        int firstEnds = 24 + 16 + FIRST.length;
        for (int length = 0; length < whole.length; length++) {
            PcapBytes.Outcome outcome = PcapBytes.read(Arrays.copyOf(whole, length));
            assertEquals(length < firstEnds ? 0 : 1, outcome.packets().size(), "length " + length);
            if (length == 24 || length == firstEnds) {
                assertNull(outcome.complaint(), "between two records nothing is missing");
            } else {
                assertNotNull(outcome.complaint(), "length " + length);
                assertEquals(length, outcome.complaint().offset());
                assertTrue(outcome.complaint().getMessage().startsWith("t.pcap: at byte " + length + ": "));
            }
        }
    }

    @Test
    void aCompressedFileThatBreaksOffGivesThePacketsBeforeAndAComplaint() {
        byte[] packed = PcapBytes.gzip(
                PcapBytes.pcap(PcapSource.MAGIC_MICROS, ByteOrder.LITTLE_ENDIAN, 1, FIRST, SECOND, FIRST));
        for (int length = 0; length < packed.length; length++) {
            PcapBytes.Outcome outcome = PcapBytes.read(Arrays.copyOf(packed, length));
            assertNotNull(outcome.complaint(), "length " + length);
        }
        assertNull(PcapBytes.read(packed).complaint());
    }

    @Test
    void aLengthThatNoFrameHasIsDamageAndNotMemory() {
        byte[] file = PcapBytes.pcap(PcapSource.MAGIC_MICROS, ByteOrder.BIG_ENDIAN, 1, FIRST, SECOND);
        int secondRecord = 24 + 16 + FIRST.length;
        file[secondRecord + 8] = 0x7F;
        PcapBytes.Outcome outcome = PcapBytes.read(file);
        assertEquals(1, outcome.packets().size());
        assertEquals(
                "t.pcap: at byte 45: a record says that it has 2130706434 bytes",
                outcome.complaint().getMessage());
    }

    @Test
    void saysWhatIsNoCapture() {
        assertEquals("t.pcap: at byte 0: the file is empty", message(new byte[0]));
        assertEquals("t.pcap: at byte 3: the file ends within the magic number: 3 of 4 bytes", message(new byte[3]));
        assertEquals(
                "t.pcap: at byte 0: neither pcap nor pcapng: it starts with 0x89504e47",
                message(new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 0, 0, 0}));
    }

    private static String message(byte[] file) {
        return PcapBytes.read(file).complaint().getMessage();
    }

    @Test
    void complainsOnceAndIsThenAtItsEnd() throws IOException {
        byte[] file = Arrays.copyOf(PcapBytes.pcap(PcapSource.MAGIC_MICROS, ByteOrder.BIG_ENDIAN, 1, FIRST), 30);
        try (CaptureReader reader = CaptureReader.open("t.pcap", new ByteArrayInputStream(file))) {
            assertThrows(CaptureException.class, reader::hasNext);
            assertFalse(reader.hasNext());
        }
    }
}
