package org.rdma4j.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import picocli.CommandLine;

class PlanTest {

    @CommandLine.Command
    private static final class Holder {
        @CommandLine.Mixin
        PerfOptions options;
    }

    private static Plan plan(PerfTest test, String... arguments) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(arguments);
        return Plan.of(test, holder.options);
    }

    @Test
    void defaultsAreThoseOfPerftest() {
        Plan bandwidth = plan(PerfTest.SEND_BW);
        assertEquals(
                List.of(65536, 1000, 128, 512, 1), // 65536 bytes: a completion each
                List.of(
                        bandwidth.size(),
                        bandwidth.iterations(),
                        bandwidth.txDepth(),
                        bandwidth.rxDepth(),
                        bandwidth.cqMod()));
        assertEquals(5000, plan(PerfTest.WRITE_BW).iterations());
        assertEquals(100, plan(PerfTest.WRITE_BW, "-s", "64").cqMod());
        assertEquals(2, plan(PerfTest.READ_LAT).size());
        assertEquals(8, plan(PerfTest.ATOMIC_BW).size());
        assertEquals(128, plan(PerfTest.ATOMIC_BW).outReads());
        assertEquals(1, plan(PerfTest.WRITE_BW).outReads());
        assertEquals(
                List.of(236, 220),
                List.of(
                        plan(PerfTest.SEND_LAT).inline(),
                        plan(PerfTest.WRITE_LAT).inline()));
    }

    @Test
    void depthsAreNoDeeperThanThereAreMessages() {
        Plan few = plan(PerfTest.SEND_BW, "-n", "10", "-s", "64");
        assertEquals(List.of(10, 10, 10), List.of(few.txDepth(), few.rxDepth(), few.cqMod()));
    }

    /** A batch that is never full would wait for a completion that never comes. */
    @Test
    void completionsComeBeforeTheDepthIsUsedUp() {
        Plan lists = plan(PerfTest.WRITE_BW, "-s", "64", "-l", "100", "-n", "1000");
        assertTrue(lists.cqMod() - 1 + lists.postList() <= lists.txDepth(), lists.toString());
    }

    @Test
    void sizesOfAllGoFromTwoBytesToEightMebibytes() {
        List<Integer> sizes = plan(PerfTest.READ_BW, "-a").sizes();
        assertEquals(List.of(2, 8 << 20), List.of(sizes.getFirst(), sizes.getLast()));
        assertEquals(23, sizes.size());
    }

    @Test
    void peakIsSoughtUpToTwentyThousandMessages() {
        assertTrue(plan(PerfTest.SEND_BW, "-n", "20000").peak());
        assertFalse(plan(PerfTest.SEND_BW, "-n", "20000", "-q", "2").peak());
        assertFalse(plan(PerfTest.SEND_BW, "-N").peak());
        assertFalse(plan(PerfTest.SEND_BW, "-D", "5").peak());
    }

    @Test
    void marginIsTwoSecondsOrAQuarterOfAShortDuration() {
        assertEquals(2, plan(PerfTest.SEND_BW, "-D", "10").margin());
        assertEquals(0.75, plan(PerfTest.SEND_BW, "-D", "3").margin());
    }

    @ParameterizedTest
    @CsvSource({
        "sand-bw, no test is called 'sand-bw'",
        "send-bw -s 0, -s is 1 to",
        "send-bw -s -1, not -1",
        "send-bw -s lots, lots",
        "send-bw -n 4, -n is 5 to",
        "send-bw -D 0, -D is 1 to",
        "send-bw -D 5 -n 10, -D and -n",
        "send-bw -D 5 -a, -a",
        "send-bw -D 4 -f 2, nothing of -D 4",
        "send-bw -f 1, -f goes with -D",
        "send-bw -a -s 64, -a and -s",
        "send-bw -q 0, -q is 1 to 16384",
        "send-bw -q 16384 -a, MiB of buffers",
        "send-bw -t 0, -t is 1 to",
        "send-bw -t 100000, not 100000",
        "send-bw -r 0, -r is 1 to",
        "send-bw -Q 200, -Q 200",
        "send-bw -l 200, -l 200",
        "send-bw -l 3, not a multiple of -l 3",
        "send-bw -I 5000, not 5000",
        "send-bw -m 1000, not 1000",
        "send-bw -u 32, -u is 0 to 31",
        "send-bw -p 70000, not 70000",
        "send-bw -i 2, -i is 1 to 1",
        "send-bw -S 8, -S is 0 to 7",
        "send-bw -c RD, -c RD",
        "write-bw --use-srq, --use-srq goes with SEND",
        "send-bw --use-srq -q 9 -r 8, -r 8 is too small",
        "send-bw -o 4, -o goes with",
        "send-bw -A CMP_AND_SWAP, -A goes with atomics",
        "send-bw -R -c UC, -R connects RC",
        "send-bw -R -m 1024, -m does not go",
        "read-bw -I 32, none inline",
        "read-bw -o 129, -o is 1 to 128",
        "write-bw -e, no event",
        "write-lat -e, no event",
        "send-lat -q 2, -q 2",
        "send-lat -b, -b goes with bandwidth",
        "send-lat -l 2, -l goes with bandwidth",
        "send-lat -t 2, -t goes with bandwidth",
        "send-lat -Q 2, -Q goes with bandwidth",
        "atomic-bw -s 16, not -s 16",
        "atomic-bw -a, -a",
        "atomic-bw -A SWAP, not SWAP",
        "send-bw host host2, host2"
    })
    void whatIsNotSupportedIsRefusedInOneLine(String arguments, String named) {
        CommandRun run = CommandRun.of(("perf " + arguments).split(" "));
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("rdma4j perf: ") && run.err().contains(named), run.err());
    }
}
