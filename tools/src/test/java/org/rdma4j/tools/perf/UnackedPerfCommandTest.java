package org.rdma4j.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;

/** {@code perf -c UC} and {@code -c UD}. */
class UnackedPerfCommandTest {

    /** Few and small enough for any receive buffer: what is lost here does not come again. */
    private static final String FEW = " -n 20 -s 1500";

    @ParameterizedTest
    @CsvSource({
        "send-bw, -c UC, 20",
        "send-bw, -c UC -m 256 -q 2, 40",
        "send-bw, -c UC -b, 20",
        "send-lat, -c UC, 20",
        "send-lat, -c UC -e, 20",
        "write-bw, -c UC, 20",
        "write-bw, -c UC -b -q 2, 40",
        "write-lat, -c UC, 20",
        "send-bw, -c UD, 20",
        "send-bw, -c UD -q 2 -e, 40",
        "send-bw, -c UD -b -l 5, 20",
        "send-bw, -c UD --use-srq -q 2, 40",
        "send-lat, -c UD, 20",
        "send-lat, -c UD -e, 20",
        "send-bw, -c UD --rate_limit 1000 --rate_units p --burst_size 2, 20",
        "write-bw, -c UC --rate_limit 0.01, 20"
    })
    void measuresWithItself(String test, String options, int messages) {
        TwoEnds ends = TwoEnds.run("perf " + test, options + FEW).succeeded();
        assertEquals(1, rows(ends.client(), messages), ends.toString());
        assertTrue(ends.client().out().contains(options.contains("UC") ? "type : UC" : "type : UD"), ends.toString());
    }

    private static long rows(CommandRun run, int messages) {
        return run.lines().stream()
                .filter(line -> line.matches(" \\d+ +" + messages + " .*"))
                .count();
    }

    @Test
    void sizeThatFitsNoDatagramIsRefusedByBothEnds() {
        TwoEnds ends = TwoEnds.run("perf send-bw", "-c UD -m 1024 -n 20 -s 5000");
        for (CommandRun end : List.of(ends.client(), ends.server())) {
            assertEquals(ExitStatus.FAILED, end.status(), ends.toString());
            assertTrue(end.err().contains("-s 5000 does not fit a datagram: the path MTU is 1024"), ends.toString());
        }
    }

    @Test
    void datagramsAreAsLargeAsOnePacketAtMost() {
        TwoEnds ends = TwoEnds.run("perf send-bw", "-c UD -m 1024 -n 20").succeeded();
        assertTrue(ends.client().err().contains("1024"), ends.toString());
        assertEquals(
                1,
                ends.client().lines().stream()
                        .filter(line -> line.matches(" 1024 +20 .*"))
                        .count());
        TwoEnds all = TwoEnds.run("perf send-lat", "-c UD -m 512 -a -n 5").succeeded();
        assertEquals(9, rows(all.client(), 5), all.toString());
    }

    @ParameterizedTest
    @CsvSource({"UC", "UD"})
    void lostMessagesAreCounted(String service) {
        String options = "-c " + service + " -n 200 -s 64";
        TwoEnds ends = TwoEnds.run("perf send-bw", options, options + " --faults loss=20%");
        assertEquals(ExitStatus.SUCCESS, ends.client().status(), ends.toString());
        assertEquals(ExitStatus.FAILED, ends.server().status(), ends.toString());
        assertTrue(
                ends.server().err().matches("(?s)rdma4j perf: \\d+ messages were lost, and " + service + ".*"),
                ends.server().err());
        assertEquals(1, ends.server().err().lines().count());
    }

    @Test
    void limitIsKept() {
        long start = System.nanoTime();
        TwoEnds.run("perf send-bw", "-c UD -n 50 -s 64 --rate_limit 100 --rate_units p --burst_size 1")
                .succeeded();
        assertTrue(System.nanoTime() - start >= 490_000_000L, "50 messages at 100 a second take half a second");
    }

    @ParameterizedTest
    @CsvSource({
        "read-bw -c UC, -c UC does not carry read-bw",
        "atomic-lat -c UC, -c UC does not carry atomic-lat",
        "write-bw -c UD, -c UD does not carry write-bw",
        "send-lat --rate_limit 1, --rate_limit",
        "send-bw --rate_limit 0, not 0.0",
        "send-bw --rate_limit 1 --rate_units k, not k",
        "send-bw --burst_size 5, --burst_size"
    })
    void wrongUsageIsOneLineThatNamesTheValue(String options, String named) {
        CommandRun run = CommandRun.of(("perf " + options).split(" "));
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
