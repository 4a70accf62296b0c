package org.rdma4j.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file on a disk reads like the same bytes out of a stream. */
class CaptureFileTest {

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int LARGEST = 60_000;

    @TempDir
    private Path folder;

    /** Some 12 MB: several pieces, and frames that lie across their ends. */
    private static byte[] large() {
        Random random = new Random(7);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(PcapBytes.sectionHeader(ORDER));
        file.writeBytes(PcapBytes.interfaceDescription(ORDER, LinkType.ETHERNET, 0));
        for (int tick = 0; tick < 400; tick++) {
            byte[] frame = new byte[random.nextInt(LARGEST)];
            random.nextBytes(frame);
            file.writeBytes(PcapBytes.enhancedPacket(ORDER, 0, tick, frame));
        }
        return file.toByteArray();
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("t.pcapng"), bytes);
    }

    /** Timestamps and bytes of all packets, looked at when the last one has been read, and the complaint where there is one. */
    private static List<String> read(CaptureReader opened) {
        List<CapturedPacket> packets = new ArrayList<>();
        String complaint = "";
        try (CaptureReader reader = opened) {
            while (reader.hasNext()) {
                packets.add(reader.next());
            }
        } catch (CaptureException e) {
            complaint = e.getMessage();
        }
        List<String> read = new ArrayList<>();
        packets.forEach(packet -> read.add(
                packet.timestamp() + " " + Arrays.hashCode(packet.bytes().toArray(ValueLayout.JAVA_BYTE))));
        read.add(complaint);
        return read;
    }

    private static CaptureReader stream(Path name, byte[] bytes) throws IOException {
        return CaptureReader.open(name.toString(), new ByteArrayInputStream(bytes));
    }

    @Test
    void piecesMakeNoDifference() throws IOException {
        byte[] bytes = large();
        assertTrue(bytes.length > 10 << 20, bytes.length + " bytes");
        Path file = write(bytes);
        List<String> expected = read(stream(file, bytes));
        assertEquals(401, expected.size());
        assertEquals(expected, read(CaptureReader.open(file)));
    }

    @Test
    void truncationIsToldInTheSameWords() throws IOException {
        byte[] whole = large();
        Random random = new Random(8);
        for (int round = 0; round < 20; round++) {
            byte[] cut = Arrays.copyOf(whole, random.nextInt(whole.length));
            Path file = write(cut);
            assertEquals(read(stream(file, cut)), read(CaptureReader.open(file)));
        }
    }

    @Test
    void emptyFileIsRefused() throws IOException {
        Path file = write(new byte[0]);
        CaptureException refusal = assertThrows(CaptureException.class, () -> CaptureReader.open(file));
        assertTrue(refusal.getMessage().contains("the file is empty"), refusal.getMessage());
    }

    @Test
    void packedFileIsUnpacked() throws IOException {
        byte[] bytes = large();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        Path file = write(packed.toByteArray());
        assertEquals(read(stream(file, bytes)), read(CaptureReader.open(file)));
    }

    @Test
    void whatIsAppendedMeanwhileIsReadAsWell() throws IOException {
        byte[] frame = {1, 2, 3};
        Path file = write(PcapBytes.concat(
                PcapBytes.sectionHeader(ORDER),
                PcapBytes.interfaceDescription(ORDER, LinkType.ETHERNET, 0),
                PcapBytes.enhancedPacket(ORDER, 0, 1, new byte[8])));
        try (CaptureReader reader = CaptureReader.open(file)) {
            reader.next();
            Files.write(file, PcapBytes.enhancedPacket(ORDER, 0, 2, frame), StandardOpenOption.APPEND);
            assertArrayEquals(frame, reader.next().bytes().toArray(ValueLayout.JAVA_BYTE));
            assertFalse(reader.hasNext());
        }
    }

    @Test
    void streamIsClosedWhereItIsNoCapture() {
        boolean[] closed = {false};
        InputStream stream = new ByteArrayInputStream(new byte[100]) {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        assertThrows(CaptureException.class, () -> CaptureReader.open("nothing", stream));
        assertTrue(closed[0]);
    }
}
