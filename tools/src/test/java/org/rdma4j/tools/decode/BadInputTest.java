package org.rdma4j.tools.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.pcap.CapturedPacket;
import org.rdma4j.pcap.PcapngWriter;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.vectors.Captures;

/** One capture in every form that files come in, sound and damaged: what is wrong is said in a line, the rest is decoded. */
class BadInputTest {

    private static final String CAPTURE = "rxe-send-bw.pcap";
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MICROS = 0xA1B2_C3D4;
    private static final int NANOS = 0xA1B2_3C4D;
    private static final int ETHERNET = 1;
    private static final int ENHANCED_PACKET = 6;

    @TempDir
    private Path folder;

    private final List<CapturedPacket> packets = new ArrayList<>();
    private List<String> asItIs;

    @BeforeEach
    void readTheCapture() throws IOException {
        byte[] bytes = Captures.read(CAPTURE);
        try (CaptureReader reader = CaptureReader.open(CAPTURE, new ByteArrayInputStream(bytes))) {
            reader.forEachRemaining(packets::add);
        }
        asItIs = decode(bytes).lines();
        assertEquals("20 RoCE packets, every ICRC right; 29 other frames: 29 IP protocol 6", asItIs.getLast());
    }

    private CommandRun decode(byte[] file) throws IOException {
        Path path = Files.write(Files.createTempFile(folder, "", ".pcap"), file);
        return CommandRun.of("decode", path.toString());
    }

    /** A pcap file of the packets, each cut to so many bytes. */
    private byte[] pcap(ByteOrder order, int magic, int kept) {
        ByteBuffer file = ByteBuffer.allocate(1 << 20).order(order);
        file.putInt(magic).putShort((short) 2).putShort((short) 4).putLong(0);
        file.putInt(kept).putInt(ETHERNET);
        packets.forEach(packet -> record(packet, magic == NANOS ? 1 : 1000, kept, file));
        return Arrays.copyOf(file.array(), file.position());
    }

    private static void record(CapturedPacket packet, int nanosPerTick, int kept, ByteBuffer file) {
        byte[] frame = packet.bytes().toArray(ValueLayout.JAVA_BYTE);
        int length = Math.min(kept, frame.length);
        file.putInt((int) (packet.timestamp() / 1_000_000_000));
        file.putInt((int) (packet.timestamp() % 1_000_000_000 / nanosPerTick));
        file.putInt(length).putInt((int) packet.originalLength()).put(frame, 0, length);
    }

    @Test
    void eitherByteOrderAndEitherUnitOfTimeReadTheSame() throws IOException {
        for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
            for (int magic : new int[] {MICROS, NANOS}) {
                CommandRun run = decode(pcap(order, magic, 1 << 16));
                assertEquals(asItIs, run.lines(), () -> order + " " + Integer.toHexString(magic));
                assertEquals(ExitStatus.SUCCESS, run.status());
            }
        }
    }

    @Test
    void blocksThatNobodyKnowsArePassedOver() throws IOException {
        ByteBuffer unknown = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
        unknown.putInt(0x0BAD_CAFE).putInt(20).putLong(0x1122_3344).putInt(20);
        CommandRun run = decode(pcapng(unknown.array()));
        assertEquals(asItIs, run.lines());
        assertEquals("", run.err());
    }

    /** A pcapng file of the packets with something behind each. */
    private byte[] pcapng(byte[] behindEach) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapngWriter writer = new PcapngWriter(file, "test")) {
            writer.addInterface(ETHERNET, "eth0");
            for (CapturedPacket packet : packets) {
                writer.write(0, packet.timestamp(), packet.bytes(), 0, packet.length());
                file.write(behindEach);
            }
        }
        return file.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"22, 1", "23, 1", "20, 12"})
    void aDamagedBlockIsOneLineAndThoseBehindItAreDecoded(int first, int count) throws IOException {
        byte[] file = pcapng(new byte[0]);
        ByteBuffer blocks = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0, packet = 0; at < file.length; at += blocks.getInt(at + 4)) {
            boolean isPacket = blocks.getInt(at) == ENHANCED_PACKET;
            packet += isPacket ? 1 : 0;
            if (isPacket && packet >= first && packet < first + count) {
                blocks.putInt(at + 8, 7);
            }
        }
        CommandRun run = decode(file);
        assertEquals(ExitStatus.FAILED, run.status());
        List<String> err = run.err().lines().toList();
        assertEquals(Math.min(count, 10) + (count > 10 ? 1 : 0), err.size(), run.err());
        assertTrue(err.getFirst().endsWith(": a packet names interface 7 of 1"), run.err());
        if (count > 10) {
            assertTrue(err.getLast().endsWith(": 2 more damaged blocks"), run.err());
        }
        long others = asItIs.stream()
                .filter(line -> line.contains("  ICRC right"))
                .mapToInt(line -> Integer.parseInt(line.substring(0, 6).strip()))
                .filter(number -> number < first || number >= first + count)
                .count();
        assertEquals(
                others,
                run.lines().stream()
                        .filter(line -> line.contains("  ICRC right"))
                        .count());
    }

    @Test
    void aPacketOfNoBytesIsCounted() throws IOException {
        packets.add(7, new CapturedPacket(packets.get(7).timestamp(), 0, ETHERNET, 0, new byte[0], 0, 0, List.of()));
        CommandRun run = decode(pcap(ByteOrder.LITTLE_ENDIAN, MICROS, 1 << 16));
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        assertEquals(
                "20 RoCE packets, every ICRC right; 30 other frames: 29 IP protocol 6, 1 empty",
                run.lines().getLast());
        assertEquals(asItIs.size(), run.lines().size());
    }

    /** Ethernet, IPv4, UDP, BTH and AETH end at byte 58 at the latest. */
    @ParameterizedTest
    @ValueSource(ints = {60, 64, 96, 200})
    void framesThatAreCutShortAreDecodedAsFarAsTheyGo(int kept) throws IOException {
        CommandRun run = decode(pcap(ByteOrder.LITTLE_ENDIAN, MICROS, kept));
        assertEquals(ExitStatus.SUCCESS, run.status(), run.err());
        List<String> lines = run.lines();
        assertEquals(asItIs.size(), lines.size());
        for (int index = 0; index < asItIs.size() - 1; index++) {
            String whole = asItIs.get(index);
            String cut = whole.contains(" RC ACKNOWLEDGE ") && kept > 60
                    ? whole
                    : whole.replace("  ICRC right", "  ICRC cut off");
            assertEquals(cut, lines.get(index));
        }
    }

    @Test
    void ofFramesThatEndBeforeTheirHeadersEachIsALine() throws IOException {
        CommandRun run = decode(pcap(ByteOrder.LITTLE_ENDIAN, MICROS, 48));
        assertEquals(
                20,
                run.lines().stream()
                        .filter(line -> line.endsWith("malformed: the capture kept only 48 bytes"))
                        .count());
        assertTrue(run.err().endsWith(": 20 of 20 packets are malformed\n"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals(ExitStatus.FAILED, run.status());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, at byte 0: the file is empty",
        "3, 0, at byte 3: the file ends within the magic number: 3 of 4 bytes",
        "10, 0, at byte 10: the file ends within the file header: 6 of 20 bytes",
        "20000, 4, at byte 20000: the file ends within a frame: 3914 of 4154 bytes",
    })
    void aFileThatBreaksOffIsOneLineAndWhatIsInFrontOfItDecoded(int length, int roce, String complaint)
            throws IOException {
        CommandRun run = decode(Arrays.copyOf(Captures.read(CAPTURE), length));
        assertTrue(run.err().endsWith(": " + complaint + "\n"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals(ExitStatus.FAILED, run.status());
        assertEquals(asItIs.subList(0, roce), run.lines().subList(0, roce));
    }

    @Test
    void eachOfSeveralDamagedFilesIsALine() throws IOException {
        byte[] whole = Captures.read(CAPTURE);
        Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(whole, FILE_HEADER + RECORD_HEADER + 1));
        Path empty = Files.write(folder.resolve("empty.pcap"), new byte[0]);
        CommandRun run = CommandRun.of("decode", cut.toString(), empty.toString());
        List<String> lines = run.err().lines().toList();
        assertEquals(2, lines.size(), run.err());
        assertTrue(lines.get(0).startsWith("rdma4j decode: " + cut + ": at byte 41: "), run.err());
        assertEquals("rdma4j decode: " + empty + ": at byte 0: the file is empty", lines.get(1));
    }
}
