package org.rdma4j.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;

/** {@code pingpong uc} and {@code pingpong ud}. */
class UnackedPingpongCommandTest {

    @ParameterizedTest
    @CsvSource({
        "uc, -c -n 20",
        "uc, -c -n 20 -s 1",
        "uc, -c -n 5 -s 100000 -m 256",
        "uc, -c -n 5 -s 50001 -m 4096",
        "uc, -n 20 -e -r 2 -l 3",
        "ud, -c -n 20",
        "ud, -c -n 20 -s 1",
        "ud, -c -n 20 -s 4096",
        "ud, -n 20 -e -r 2 -l 3"
    })
    void playsWithItself(String service, String options) {
        TwoEnds ends = TwoEnds.run("pingpong " + service, options).succeeded();
        assertTrue(ends.client().out().contains(" iters in "), ends.toString());
        assertTrue(ends.server().out().contains(" iters in "), ends.toString());
        assertEquals("", ends.client().err() + ends.server().err());
    }

    @ParameterizedTest
    @CsvSource({"uc", "ud"})
    void checkFindsDataThatWasNotWritten(String service) {
        TwoEnds ends = TwoEnds.run("pingpong " + service, "-c -n 5", "-n 5");
        assertEquals(ExitStatus.SUCCESS, ends.client().status());
        assertOneLine(ends.server(), ExitStatus.FAILED, "invalid data in page 0");
    }

    @Test
    void messageLongerThanAPacketIsRefused() {
        CommandRun run = CommandRun.of("pingpong", "ud", "-d", TwoEnds.device(1), "-s", "4097");
        assertOneLine(run, ExitStatus.FAILED, "a datagram of 4097 bytes");
    }

    @ParameterizedTest
    @CsvSource({"ud -m 1024, -m", "ud -s 0, -s is 1 to", "uc -m 1000, not 1000", "uc -t, -t", "ud -t, -t"})
    void wrongUsageIsOneLineThatNamesTheValue(String options, String named) {
        assertOneLine(CommandRun.of(("pingpong " + options).split(" ")), ExitStatus.USAGE, named);
    }

    private static void assertOneLine(CommandRun run, int status, String named) {
        assertEquals(status, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("rdma4j pingpong"), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
