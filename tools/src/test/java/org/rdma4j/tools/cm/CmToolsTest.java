package org.rdma4j.tools.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.TwoEnds;

/** The examples of librdmacm, both ends ours, on loopback devices. */
class CmToolsTest {

    private static final String SERVER = TwoEnds.device(61);
    private static final String CLIENT = TwoEnds.device(62);
    private static final String ADDRESS = SERVER.substring("roce2:".length());

    /** Runs both ends; the client asks again as long as nobody listens. */
    private static TwoEnds run(String server, String client) {
        CompletableFuture<CommandRun> serving = CompletableFuture.supplyAsync(() -> CommandRun.of(server.split(" ")));
        CommandRun asked;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        do {
            asked = CommandRun.of(client.split(" "));
        } while (asked.err().contains("nobody listens") && System.nanoTime() < end);
        CommandRun served = serving.orTimeout(60, TimeUnit.SECONDS).join();
        return new TwoEnds(served, asked);
    }

    @ParameterizedTest
    @CsvSource({"-C 5 -v -V", "-C 3 -S 65535 -V", "-C 1 -S 18 -V -d"})
    void rpingPings(String options) {
        TwoEnds ends = run(
                "rping -s --ib-dev " + SERVER + " -S 65535 -v",
                "rping -c --ib-dev " + CLIENT + " -a " + ADDRESS + " " + options);
        ends.succeeded();
        assertTrue(ends.server().out().contains("server ping data: rdma-ping-0: A"), ends.server()::out);
    }

    @Test
    void rpingPrintsWhatItsUsersKnow() {
        TwoEnds ends = run(
                "rping -s --ib-dev " + SERVER, "rping -c --ib-dev " + CLIENT + " -a " + ADDRESS + " -C 2 -S 30 -v -V");
        ends.succeeded();
        assertEquals(
                "ping data: rdma-ping-0: ABCDEFGHIJKLMNOP\nping data: rdma-ping-1: BCDEFGHIJKLMNOPQ\n",
                ends.client().out());
    }

    @Test
    void cmatoseSendsBothWaysOverManyConnections() {
        TwoEnds ends = run("cmatose -d " + SERVER + " -c 20", "cmatose -d " + CLIENT + " -s " + ADDRESS + " -c 20");
        ends.succeeded();
        assertTrue(ends.client().out().contains("data transfers complete\ntest complete\nreturn status 0"));
    }

    @Test
    void udaddySendsDatagramsBothWays() {
        run("udaddy -d " + SERVER + " -c 3", "udaddy -d " + CLIENT + " -s " + ADDRESS + " -c 3")
                .succeeded();
    }

    @Test
    void rdmaClientAndServerExchangeAMessage() {
        run("rdma_server -d " + SERVER, "rdma_client -d " + CLIENT + " -s " + ADDRESS)
                .succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"write-bw -q 3", "read-bw", "send-bw -b", "send-lat", "write-lat", "atomic-bw"})
    void perfConnectsByRdmaCm(String test) {
        String options = "perf " + test + " -R -n 20" + (test.startsWith("atomic") ? "" : " -s 9001");
        run(options + " -d " + SERVER, options + " -d " + CLIENT + " " + ADDRESS)
                .succeeded();
    }

    @Test
    void wrongUsageIsOneLine() {
        CommandRun size = CommandRun.of("rping", "-c", "-a", "127.0.0.1", "-S", "17");
        assertEquals(ExitStatus.USAGE, size.status());
        assertEquals("rdma4j rping: -S is 18 to 65535, not 17 (rdma4j rping --help tells more)\n", size.err());
        for (String tool : new String[] {"door", "rdma_server", "rdma_client -s 127.0.0.1"}) {
            CommandRun port = CommandRun.of((tool + " -p 70000").split(" "));
            assertEquals(ExitStatus.USAGE, port.status(), port::toString);
            assertTrue(port.err().contains("-p is 1 to 65535, not 70000"), port::err);
        }
        assertEquals(ExitStatus.USAGE, CommandRun.of("door", "-C", "-1").status());
        assertEquals(
                ExitStatus.USAGE,
                CommandRun.of("door", "--say", "x".repeat(149)).status());
        CommandRun role = CommandRun.of("rping", "-a", "127.0.0.1");
        assertEquals(ExitStatus.USAGE, role.status());
        assertEquals(1, role.err().lines().count(), role::err);
    }

    /** The same programs over another family of devices; names are all that changes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rping -s -d %s -S 65535           | rping -c -d %s -a 127.0.0.1 -C 3 -S 65535 -V
            cmatose -d %s -c 20               | cmatose -d %s -s 127.0.0.1 -c 20
            rdma_server -d %s                 | rdma_client -d %s -s 127.0.0.1
            """)
    void theSameProgramsRunOverIwarp(String server, String client) {
        run(server.formatted("iwarp:127.0.0.1"), client.formatted("iwarp:127.0.0.2"))
                .succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"udaddy", "mckey -m 239.7.7.7"})
    void whatIwarpHasNotIsRefusedInOneLine(String line) {
        CommandRun refused = CommandRun.of((line + " -d iwarp:127.0.0.1").split(" "));
        assertEquals(ExitStatus.FAILED, refused.status());
        assertEquals(
                "rdma4j " + line.split(" ")[0]
                        + ": iwarp:127.0.0.1 has no port space UDP: iWARP connects over TCP and has nothing else\n",
                refused.err());
    }
}
