package org.rdma4j.tools.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
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

    /** Makes a pair of interfaces, sends something for half a minute at most, and runs the command meanwhile. */
    private static final String BUSY_NETWORK = """
            ip link add va type veth peer name vb && ip link set va up && ip link set vb up &&
            ip address add 10.9.9.1/24 dev va && ip neighbor add 10.9.9.2 lladdr 02:00:00:00:00:02 dev va
            (for ((i = 0; i < 1500; i++)); do echo x > /dev/udp/10.9.9.2/9; sleep 0.02; done) > /dev/null 2>&1 &
            "$0" "$@"
            status=$?
            kill $!
            exit $status
            """;

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
        assumeTrue(
                new ProcessBuilder("unshare", "-n", "true").start().waitFor() == 0, "a network of its own takes root");
        Process capture = new ProcessBuilder(
                        "unshare",
                        "-n",
                        "bash",
                        "-c",
                        BUSY_NETWORK,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.rdma4j.tools.Main",
                        "capture",
                        "-i",
                        "va",
                        "--all",
                        "-w",
                        "-")
                .start();
        try {
            assertTrue(capture.getInputStream().read() >= 0, "nothing was captured");
            capture.getInputStream().close();
            assertTrue(capture.waitFor(20, TimeUnit.SECONDS), "it still captures");
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
