package org.rdma4j.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;

/** XRC between two of ours: no peer in the lab has it. */
class XsrqPingpongCommandTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-n 200",
                "-n 30 -s 100000 -m 256",
                "-n 20 -e",
                "-n 100 -s 3000 --faults loss=2%,duplicate=2%,reorder=2%"
            })
    void playsWithItself(String options) {
        TwoEnds ends = TwoEnds.run("pingpong xsrq", options).succeeded();
        assertTrue(ends.client().out().endsWith("success" + System.lineSeparator()), ends.toString());
        assertTrue(ends.server().out().endsWith("success" + System.lineSeparator()), ends.toString());
        assertEquals("", ends.client().err() + ends.server().err());
    }

    @Test
    void manyClientsShareTheServersQueue() {
        int port = TwoEnds.freePort();
        TwoEnds.Server server =
                TwoEnds.Server.start("pingpong xsrq -n 40 -c 3 -d " + TwoEnds.device(10) + " -p " + port);
        List<CompletableFuture<CommandRun>> clients = IntStream.range(0, 3)
                .mapToObj(client -> CompletableFuture.supplyAsync(
                        () -> CommandRun.of(
                                ("pingpong xsrq -n 40 -d " + TwoEnds.device(11 + client) + " -p " + port + " 127.0.0.1")
                                        .split(" ")),
                        work -> Thread.ofPlatform().daemon().start(work)))
                .toList();
        for (CompletableFuture<CommandRun> client : clients) {
            assertEquals(ExitStatus.SUCCESS, client.join().status(), client.join()::toString);
        }
        assertEquals(ExitStatus.SUCCESS, server.end().status());
    }

    @ParameterizedTest
    @CsvSource({
        "-c 0, -c is 1 to 1024",
        "-n 0, -n is 1 to",
        "-s 0, -s is 1 to 2147483648",
        "-m 1000, not 1000",
        "-r 5, -r"
    })
    void wrongUsageIsOneLineThatNamesTheValue(String options, String named) {
        CommandRun run = CommandRun.of(("pingpong xsrq " + options).split(" "));
        assertEquals(ExitStatus.USAGE, run.status(), run.toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(named), run.err());
    }
}
