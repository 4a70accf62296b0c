package org.rdma4j.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.DeviceContext;

class DemoCommandTest {

    /** All of 127.0.0.0/8 is this host; each process takes a corner of its own, so that runs do not meet. */
    private static final long CORNER = ProcessHandle.current().pid();

    private static final String A = "127." + (CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + ".101";
    private static final String B = "127." + (CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + ".102";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"ffm", "nio"})
    void everyOperationIsCheckedAndItsPacketsAreInTheCapture(String link) {
        String file = folder.resolve("demo.pcapng").toString();
        CommandRun demo =
                CommandRun.of("demo", "-d", "roce2:" + A, "--peer", "roce2:" + B, "--trace", file, "--link", link);
        assertEquals("", demo.err());
        assertEquals(ExitStatus.SUCCESS, demo.status());
        List<String> lessons = titles(new RoceWires(link));
        assertEquals(lessons, played(demo));
        assertEquals(lessons.size(), count(demo, "right: all 131072 bytes of both memories"));

        CommandRun decoded = CommandRun.of("decode", file);
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.err());
        int packets = decoded.lines().size() - 1;
        assertTrue(demo.out().contains(file + " holds their " + packets + " packets"), demo.out());
        assertEquals(packets, count(decoded, A + " → " + B) + count(decoded, B + " → " + A));
        for (String opcode : List.of(
                "RC SEND_FIRST",
                "RC SEND_MIDDLE",
                "RC SEND_LAST",
                "RC SEND_ONLY",
                "RC SEND_ONLY_WITH_IMMEDIATE",
                "RC SEND_ONLY_WITH_INVALIDATE",
                "RC RDMA_WRITE_FIRST",
                "RC RDMA_WRITE_MIDDLE",
                "RC RDMA_WRITE_LAST",
                "RC RDMA_WRITE_ONLY",
                "RC RDMA_WRITE_ONLY_WITH_IMMEDIATE",
                "RC RDMA_READ_REQUEST",
                "RC RDMA_READ_RESPONSE_FIRST",
                "RC RDMA_READ_RESPONSE_MIDDLE",
                "RC RDMA_READ_RESPONSE_LAST",
                "RC ACKNOWLEDGE",
                "RC ATOMIC_ACKNOWLEDGE",
                "RC COMPARE_SWAP",
                "RC FETCH_ADD")) {
            assertTrue(count(decoded, "  " + opcode + "  ") > 0, opcode);
        }
        assertEquals(2, count(decoded, "# FLT-01: lost on purpose"));
        assertTrue(count(decoded, "RNR NAK 0.64 ms") > 0);
        assertTrue(count(decoded, "NAK PSN sequence error") > 0);
        assertEquals(1, count(decoded, "NAK remote access error  MSN"));
        // What the demo drew is what the capture draws.
        List<String> live = arrows(demo);
        assertEquals(packets, live.size());
        assertEquals(live, arrows(CommandRun.of("decode", "--ladder", file)));
    }

    @Test
    void overIwarpToo() {
        String file = folder.resolve("demo.pcapng").toString();
        CommandRun demo = CommandRun.of("demo", "-d", "iwarp:" + A, "--peer", "iwarp:" + B, "--trace", file);
        assertEquals("", demo.err());
        assertEquals(ExitStatus.SUCCESS, demo.status());
        List<String> lessons = titles(new IwarpWires());
        assertEquals(lessons, played(demo));
        assertEquals(lessons.size(), count(demo, "right: all 131072 bytes of both memories"));

        CommandRun decoded = CommandRun.of("decode", file);
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.err());
        for (String unit : List.of(
                "MPA Request",
                "MPA Reply",
                "RDMAP Send",
                "RDMAP Send with Invalidate",
                "RDMAP Write",
                "RDMAP Immediate Data",
                "RDMAP Read Request",
                "RDMAP Read Response",
                "RDMAP Atomic Request",
                "RDMAP Atomic Response",
                "RDMAP Terminate")) {
            assertTrue(count(decoded, "  " + unit + "  ") > 0, unit);
        }
        assertEquals(0, count(decoded, "CRC wrong") + count(decoded, "malformed") + count(decoded, "lost"));
        assertTrue(decoded.lines().getLast().endsWith("on 2 connections, every CRC right"), decoded.out());
        // What the demo drew is what the capture draws.
        List<String> drawn = shafts(demo);
        assertEquals(drawn, shafts(CommandRun.of("decode", "--ladder", file)));
        assertEquals(count(decoded, "MPA Re") + count(decoded, "RDMAP "), drawn.size());
    }

    @Test
    void devicesOfTwoFamiliesAreRefused() {
        refused("iwarp:" + A + " and roce2:" + B, "-d", "iwarp:" + A, "--peer", "roce2:" + B);
        refused("roce2:" + A + " and iwarp:" + B, "-d", "roce2:" + A, "--peer", "iwarp:" + B);
        refused("iwarp:" + A + " with --family roce2", "-d", "iwarp:" + A, "--family", "roce2");
    }

    private static void refused(String words, String... options) {
        CommandRun run = CommandRun.of(
                Stream.concat(Stream.of("demo"), Stream.of(options)).toArray(String[]::new));
        assertEquals(ExitStatus.USAGE, run.status());
        assertEquals("rdma4j demo: both devices must be of one family: " + words + "\n", run.err());
    }

    /** What stands on each arrow, and which way it goes. */
    private static List<String> shafts(CommandRun run) {
        return run.lines().stream()
                .filter(line -> line.matches(".*│[─◀✕ ].*[─▶✕ ]│.*"))
                .map(line -> line.substring(line.indexOf('│'), line.lastIndexOf('│')))
                .map(line -> line.replaceAll("[│─ ]+", " ").strip())
                .toList();
    }

    private static List<String> played(CommandRun demo) {
        return demo.lines().stream()
                .filter(line -> line.matches(" ?\\d+\\. .*"))
                .map(line -> line.replaceFirst(" *\\d+\\. ", ""))
                .toList();
    }

    private static List<String> titles(Wires wires) {
        return wires.lessons().stream().map(Lesson::title).toList();
    }

    private static long count(CommandRun run, String part) {
        return run.lines().stream().filter(line -> line.contains(part)).count();
    }

    /** What stands on each arrow, its queue pair and its PSN: the rest is set out otherwise in a capture's ladder. */
    private static List<String> arrows(CommandRun run) {
        return run.lines().stream()
                .filter(line -> line.contains("│ 0x"))
                .map(line -> line.substring(line.indexOf('│')).replaceAll("[│─╌▶◀✕]+", " "))
                .map(line -> line.replaceAll(" error ", " ").strip().replaceAll(" +", " "))
                .map(line -> line.replaceAll("(0x[0-9a-f]{6} \\S+).*", "$1"))
                .toList();
    }

    @Test
    void aByteThatIsNotWhatItMustBeIsNamed() {
        try (DeviceContext device = DeviceContext.open("loop:" + CORNER)) {
            DemoEnd end = new DemoEnd("B", device, new Random(1));
            end.check("WRITE");
            end.set(64, 0);
            end.check("WRITE");
            end.memory.set(ValueLayout.JAVA_BYTE, 67, (byte) 0x1F);
            ToolException refused = assertThrows(ToolException.class, () -> end.check("WRITE"));
            assertEquals("WRITE: byte 67 of B's memory is 0x1f and must be 0x00", refused.getMessage());
            assertEquals(ExitStatus.FAILED, refused.exitStatus());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "roce2:", "token:1"})
    void anUnknownDeviceIsOneLine(String device) {
        CommandRun run = CommandRun.of(
                "demo", "-d", device, "--trace", folder.resolve("x.pcapng").toString());
        assertEquals(ExitStatus.USAGE, run.status());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void anAddressInUseIsOneLine() {
        CommandRun run = CommandRun.of(
                "demo",
                "-d",
                "roce2:" + A,
                "--peer",
                "roce2:" + A,
                "--trace",
                folder.resolve("x.pcapng").toString());
        assertEquals(ExitStatus.FAILED, run.status());
        assertTrue(run.err().startsWith("rdma4j demo: " + A + " port 4791 is taken"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void aTraceThatCannotBeWrittenIsOneLine() {
        String nowhere = folder.resolve("no/such/folder/x.pcapng").toString();
        CommandRun run = CommandRun.of("demo", "-d", "roce2:" + A, "--peer", "roce2:" + B, "--trace", nowhere);
        assertEquals(ExitStatus.FAILED, run.status());
        assertEquals("rdma4j demo: no such file: " + nowhere + "\n", run.err());
        assertTrue(Files.notExists(Path.of(nowhere)));
    }
}
