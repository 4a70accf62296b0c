package org.rdma4j.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;

class RcPingpongCommandTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c -n 20",
                "-c -n 20 -s 1",
                "-c -n 5 -s 100000 -m 256",
                "-c -n 5 -s 1M -m 4096",
                "-n 20 -e -r 2",
                "-n 20 -t -l 5",
                "-c -n 100 -s 3000 --faults loss=2%,duplicate=2%,reorder=2%"
            })
    void playsWithItself(String options) {
        TwoEnds ends = TwoEnds.run("pingpong rc", options).succeeded();
        assertTrue(ends.client().out().contains(" iters in "), ends.toString());
        assertTrue(ends.server().out().contains(" iters in "), ends.toString());
        assertEquals("", ends.client().err() + ends.server().err());
    }

    /** The server checks what the client writes: without -c the client leaves its memory as it is. */
    @Test
    void checkFindsDataThatWasNotWritten() {
        TwoEnds ends = TwoEnds.run("pingpong rc", "-c -n 5", "-n 5");
        assertEquals(ExitStatus.SUCCESS, ends.client().status());
        assertOneLine(ends.server(), ExitStatus.FAILED, "invalid data in page 0");
    }

    @Test
    void differentPathMtusAreFoundByThePackets() {
        TwoEnds ends = TwoEnds.run("pingpong rc", "-n 5 -s 9000 -m 1024", "-n 5 -s 9000 -m 2048");
        assertOneLine(ends.server(), ExitStatus.FAILED, "start both with the same -m");
        assertOneLine(ends.client(), ExitStatus.FAILED, "same -s and -m");
    }

    @Test
    void longerMessagesThanTheServerExpectsAreRefused() {
        TwoEnds ends = TwoEnds.run("pingpong rc", "-n 5 -s 100", "-n 5 -s 200");
        assertOneLine(ends.server(), ExitStatus.FAILED, "receive 1 of 5");
        assertOneLine(ends.client(), ExitStatus.FAILED, "same -s and -m");
    }

    @ParameterizedTest
    @CsvSource({
        "-s 0, -s is 1 to 2147483648",
        "-s 3G, not 3221225472",
        "-s 4Q, 4Q",
        "-m 1000, not 1000",
        "-m 8192, not 8192",
        "-n 0, -n is 1 to",
        "-r 0, -r is 1 to",
        "-p 0, -p is 1 to 65535",
        "-p 65536, not 65536",
        "-p http, http",
        "-l 8, -l is 0 to 7",
        "-i 2, -i is 1 to 1",
        "--faults loss=lots, lots",
        "--faults storm=5%, storm",
        "a b, 'b'",
        "--frobnicate, --frobnicate"
    })
    void wrongUsageIsOneLineThatNamesTheValue(String options, String named) {
        assertOneLine(CommandRun.of(("pingpong rc " + options).split(" ")), ExitStatus.USAGE, named);
    }

    @Test
    void serviceThatIsNotThereIsRefused() {
        assertOneLine(CommandRun.of("pingpong"), ExitStatus.USAGE, "which service");
        assertOneLine(CommandRun.of("pingpong", "rd"), ExitStatus.USAGE, "rd");
    }

    private static void assertOneLine(CommandRun run, int status, String named) {
        assertEquals(status, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("rdma4j pingpong"), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
