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

class SrqPingpongCommandTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c -n 40",
                "-c -n 40 -q 1 -s 1",
                "-c -n 30 -q 5 -s 100000 -m 256",
                "-n 500 -q 256 -r 256 -s 64",
                "-n 60 -e -q 3 -r 4",
                "-c -n 300 -q 8 -r 9 -s 3000 --faults loss=2%,duplicate=2%,reorder=2%"
            })
    void playsWithItself(String options) {
        TwoEnds ends = TwoEnds.run("pingpong srq", options).succeeded();
        assertTrue(ends.client().out().contains(" iters in "), ends.toString());
        assertTrue(ends.server().out().contains(" iters in "), ends.toString());
        assertEquals("", ends.client().err() + ends.server().err());
    }

    @Test
    void tellsTheAddressOfEachQueuePair() {
        TwoEnds ends = TwoEnds.run("pingpong srq", "-n 10 -q 3").succeeded();
        assertEquals(
                3,
                ends.client()
                        .out()
                        .lines()
                        .filter(line -> line.contains("local address"))
                        .count());
        assertEquals(
                3,
                ends.server()
                        .out()
                        .lines()
                        .filter(line -> line.contains("remote address"))
                        .count());
    }

    @Test
    void checkFindsDataThatWasNotWritten() {
        TwoEnds ends = TwoEnds.run("pingpong srq", "-c -n 20", "-n 20");
        assertOneLine(ends.server(), ExitStatus.FAILED, "invalid data in page 0");
    }

    @Test
    void differentNumbersOfConnectionsAreFoundByTheExchange() {
        TwoEnds ends = TwoEnds.run("pingpong srq", "-n 20 -q 3", "-n 20 -q 4");
        assertOneLine(ends.server(), ExitStatus.FAILED, "4 connections, this end 3: start both with the same -q");
        assertEquals(ExitStatus.FAILED, ends.client().status());
    }

    @ParameterizedTest
    @CsvSource({
        "-q 0, -q is 1 to 256",
        "-q 257, not 257",
        "-q 17 -r 16, -r 16 is too small for 17 connections",
        "-s 0, -s is 1 to 2147483648",
        "-m 1000, not 1000",
        "--frobnicate, --frobnicate"
    })
    void wrongUsageIsOneLineThatNamesTheValue(String options, String named) {
        assertOneLine(CommandRun.of(("pingpong srq " + options).split(" ")), ExitStatus.USAGE, named);
    }

    private static void assertOneLine(CommandRun run, int status, String named) {
        assertEquals(status, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("rdma4j pingpong"), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
