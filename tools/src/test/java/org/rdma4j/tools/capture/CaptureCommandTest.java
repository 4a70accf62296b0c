package org.rdma4j.tools.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rdma4j.pcap.CaptureReader;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;

class CaptureCommandTest {

    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aRingKeepsTheLastFilesEachOfThemWhole() throws IOException {
        MemorySegment frame = MemorySegment.ofArray(new byte[1000]);
        try (RingFiles ring = new RingFiles(folder.resolve("r.pcapng"), null, "eth0", 3200, 2)) {
            for (int count = 0; count < 11; count++) {
                ring.write(count, frame, 0, 1000, 1500);
            }
        }
        assertEquals(List.of("r-0003.pcapng", "r-0004.pcapng"), names(), "three frames a file");
        try (CaptureReader reader = CaptureReader.open(folder.resolve("r-0004.pcapng"))) {
            assertEquals(9, reader.next().timestamp());
            assertEquals(1500, reader.next().originalLength());
            assertFalse(reader.hasNext());
        }
    }

    @Test
    void withoutASizeThereIsOneFileOfThatName() throws IOException {
        try (RingFiles ring = new RingFiles(folder.resolve("one.pcapng"), null, "eth0", Long.MAX_VALUE, 0)) {
            ring.write(1, MemorySegment.ofArray(new byte[60]), 0, 60, 60);
        }
        assertEquals(List.of("one.pcapng"), names());
    }

    @Test
    void whatMakesNoSenseIsOneLine() {
        String file = folder.resolve("x.pcapng").toString();
        refused(ExitStatus.USAGE, "-W 3 goes with -C", "-i", "eth0", "-w", file, "-W", "3");
        refused(ExitStatus.USAGE, "-C goes with a file", "-i", "eth0", "-w", "-", "-C", "3");
        refused(ExitStatus.USAGE, "--tcp 70000 is no port", "-i", "eth0", "-w", file, "--tcp", "70000");
        CommandRun run = CommandRun.of("capture", "-i", "nothere", "-w", file);
        assertTrue(run.status() == ExitStatus.FAILED || run.status() == ExitStatus.MISSING, run.err());
        assertTrue(run.err().contains("nothere"), run.err());
        assertFalse(Files.exists(Path.of(file)), "no file where there is nothing to capture");
    }

    @Test
    void endsOnceNobodyReadsItsStandardOutputAnyMore() throws IOException, InterruptedException {
        Process capture = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.rdma4j.tools.Main",
                        "capture",
                        "-i",
                        "lo",
                        "--all",
                        "-w",
                        "-")
                .start();
        try (DatagramSocket socket = new DatagramSocket()) {
            boolean isAllowed = capture.getInputStream().read() >= 0;
            assumeTrue(isAllowed || capture.waitFor() != ExitStatus.MISSING, "it takes CAP_NET_RAW");
            capture.getInputStream().close();
            byte[] bytes = new byte[1000];
            for (int frame = 0; frame < 1000 && !capture.waitFor(20, TimeUnit.MILLISECONDS); frame++) {
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), 9));
            }
            assertFalse(capture.isAlive(), "it still captures");
            String words = new String(capture.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(ExitStatus.FAILED, capture.exitValue(), words);
            assertTrue(words.contains("Broken pipe"), words);
        } finally {
            capture.destroyForcibly();
        }
    }

    private static void refused(int status, String part, String... options) {
        CommandRun run = CommandRun.of(
                Stream.concat(Stream.of("capture"), Stream.of(options)).toArray(String[]::new));
        assertEquals(status, run.status(), run.err());
        assertTrue(run.err().contains(part), run.err());
    }
}
