package org.rdma4j.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;

class SimCommandTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"all-to-all:10000", "incast:64K", "shift:1,10000", "neighbours:2,10000", "ring-all-reduce:1M"})
    void trafficFinishes(String pattern) {
        CommandRun run = CommandRun.of("sim", "fat-tree:4", "--traffic", pattern);
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        assertTrue(run.lines().getFirst().matches("(\\d+) of \\1 streams finished, .* of virtual time: .*"), run.out());
        assertTrue(run.lines().get(1).contains("packet hops in"), run.out());
    }

    @Test
    void everyPacketOfACaptureIsRight() {
        String file = directory.resolve("fabric.pcapng").toString();
        CommandRun run = CommandRun.of("sim", "star:3", "--traffic", "all-to-all:20000", "--capture", file);
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        CommandRun decoded = CommandRun.of("decode", "--stats", file); // ends with 1 where an ICRC or VCRC is wrong
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.toString());
        assertTrue(decoded.out().contains("RDMA_WRITE") || decoded.out().contains("WRITE"), decoded.out());
    }

    @Test
    void aCreditLoopIsNamedAndTheRunFails() {
        CommandRun run =
                CommandRun.of("sim", "ring:5", "--traffic", "shift:2,4M", "--lane-buffer", "4480", "--limit", "1");
        assertEquals(ExitStatus.FAILED, run.status(), run.toString());
        assertTrue(run.out().contains("A credit loop: nothing in it can move"), run.out());
        assertTrue(run.out().contains("\n  S-1[1] VL0\n"), run.out());
    }

    @Test
    void aManagerLeadsTheSameTrafficRoundTheRingWithoutALoop() {
        String file = directory.resolve("ring.pcapng").toString();
        CommandRun run = CommandRun.of(
                "sim", "ring:5", "--sm", "--traffic", "shift:2,64K", "--lane-buffer", "4480", "--capture", file);
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        assertTrue(run.out().contains("The subnet was up after "), run.out());
        CommandRun decoded = CommandRun.of("decode", "--stats", file);
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.toString());
    }

    @Test
    void unknownRoutesAreNamed() {
        CommandRun run = CommandRun.of("sim", "ring:5", "--sm", "sideways");
        assertEquals(ExitStatus.USAGE, run.status());
        assertTrue(
                run.err().contains("\"sideways\" is no way to lead routes; there are min-hop, up-down, auto"),
                run.err());
    }

    @Test
    void jsonHasTheSameFigures() {
        CommandRun run = CommandRun.of("sim", "star:2", "--traffic", "incast:4096", "--json");
        assertTrue(run.out().contains("\"finished\": true"), run.out());
        assertTrue(run.out().contains("\"bytes\": 4096"), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    star:x   | all-to-all:1K | "star:x" is no topology; there are
                    ring:2   | all-to-all:1K | a ring has at least 3 switches
                    nowhere  | all-to-all:1K | nowhere: neither a file that can be read nor one of star:HOSTS
                    star:1   | all-to-all:1K | traffic needs two hosts with a cable; the fabric has 1
                    star:2   | all-to-all    | "all-to-all" is no traffic; there are
                    star:2   | incast:-1     | "incast:-1" is no traffic; there are
                    star:2   | shift:1M      | "shift:1M" is no traffic; there are
                    """)
    void refusesWhatIsNotThere(String topology, String traffic, String message) {
        CommandRun run = CommandRun.of("sim", topology, "--traffic", traffic);
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertTrue(run.err().contains(message), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void fourRunsOnARoceFabricSideBySide() {
        CommandRun run = CommandRun.of("sim", "star:9", "--roce", "--compare", "--traffic", "victim:256K");
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        assertEquals("8 flows, 2,097,152 bytes in 512 packets", run.lines().getFirst());
        assertTrue(run.out().matches("(?s).*\\n +neither +PFC +ECN\\+DCQCN +all three\\n.*"), run.out());
        assertTrue(run.out().matches("(?s).*\\nH-9 to H-2, Gb/s( +\\d+\\.\\d){4}\\n.*"), run.out());
        assertTrue(run.out().matches("(?s).*\\nfinished( +yes){4}\\n.*"), run.out());
    }

    @Test
    void aRoceRunAsJson() {
        CommandRun run = CommandRun.of("sim", "star:3", "--roce", "--dcqcn", "--traffic", "incast:64K", "--json");
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        assertTrue(run.out().contains("\"name\": \"ECN+DCQCN\""), run.out());
        assertTrue(run.out().contains("\"bytes\": 131072"), run.out());
        assertTrue(run.out().contains("\"from\": \"H-3\""), run.out());
    }

    @Test
    void everyFrameOfARoceCaptureIsRight() {
        String file = directory.resolve("roce.pcapng").toString();
        CommandRun run = CommandRun.of(
                "sim", "star:9", "--roce", "--pfc", "--dcqcn", "--traffic", "incast:256K", "--capture", file);
        assertEquals(ExitStatus.SUCCESS, run.status(), run.toString());
        CommandRun decoded = CommandRun.of("decode", "--stats", file); // ends with 1 where an ICRC is wrong
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.toString());
        assertTrue(decoded.out().contains("CNP"), decoded.out());
    }

    @Test
    void aStormEndsWhatIsSentToIt() {
        CommandRun run = CommandRun.of(
                "sim", "star:3", "--roce", "--pfc", "--storm", "H-1", "--traffic", "incast:64K", "--limit", "0.01");
        assertEquals(ExitStatus.FAILED, run.status(), run.toString());
        assertTrue(run.out().contains("PFC: H-2 to H-1 did not finish"), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --pfc                                | --pfc is about RoCE fabrics: it needs --roce
                    --gigabits 25                        | --gigabits is about RoCE fabrics: it needs --roce
                    --roce --compare --ecn               | --compare runs all four
                    --roce --compare --capture x.pcapng  | --capture is of one run
                    --roce --sm                          | --sm is about InfiniBand
                    --roce --gigabits 0                  | a link of 0.0 Gb/s
                    --roce --marks 5                     | "5" is not KMIN,KMAX,PMAX
                    --roce --marks 5K,x,1                | 'x' is no number of bytes
                    --roce --marks 5K,4K,1               | marks from 5120 bytes on and all from 4096
                    --roce --port-buffer 1K              | a buffer of 1024 bytes a port
                    --roce --pfc --port-buffer 20K       | switch "S-1": a buffer of 20480 bytes a port is too small for PFC
                    --roce --storm H-9                   | there is no host "H-9"
                    """)
    void refusesRoceFabricsThatAreNone(String options, String message) {
        String[] words = ("sim star:3 " + options).split(" +");
        CommandRun run = CommandRun.of(words);
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertTrue(run.err().contains(message), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void aWrongFileIsToldByItsLine() throws Exception {
        Path file = Files.writeString(directory.resolve("net"), "Switch 4 \"S\"\n[1] \"S\"[1]\n");
        CommandRun run = CommandRun.of("sim", file.toString());
        assertEquals(ExitStatus.USAGE, run.status());
        assertTrue(run.err().contains("net: line 2: a cable from S[1] to itself"), run.err());
    }

    @Test
    void aTopologyIsNeeded() {
        CommandRun run = CommandRun.of("sim");
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertTrue(run.err().contains("a topology is needed"), run.err());
    }

    @Test
    void serveRefusesAPortThatIsNone() {
        CommandRun run = CommandRun.of("sim", "serve", "star:2", "-p", "70000");
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertTrue(run.err().contains("70000"), run.err());
    }
}
