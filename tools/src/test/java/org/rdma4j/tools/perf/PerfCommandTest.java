package org.rdma4j.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.tools.CommandRun;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.JsonReader;
import org.rdma4j.tools.TwoEnds;

class PerfCommandTest {

    @ParameterizedTest
    @EnumSource(PerfTest.class)
    void everyTestMeasuresWithItself(PerfTest test) {
        TwoEnds ends = TwoEnds.run("perf " + test, "-n 50").succeeded();
        assertEquals(1, rows(ends.client(), 50), ends.toString());
        boolean serverIsTold = !test.latency || !test.operation.isAnswered();
        assertEquals(serverIsTold ? 1 : 0, rows(ends.server(), 50), ends.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "send-bw, -q 3",
        "send-bw, -b -q 2",
        "send-bw, -e -l 5",
        "send-bw, -r 1 -t 50",
        "send-bw, --use-srq -q 3 -r 7",
        "send-bw, --use-srq -b -q 2 -e",
        "send-lat, --use-srq",
        "send-bw, -c XRC -q 3",
        "send-bw, -c XRC -b -q 2 -e",
        "write-bw, -c XRC -b -q 2",
        "read-bw, -c XRC -q 2 -o 4",
        "atomic-bw, -c XRC",
        "send-lat, -c XRC -s 3000 -m 256",
        "write-lat, -c XRC",
        "read-lat, -c XRC",
        "write-bw, -b -q 2 -Q 1",
        "write-bw, -s 64 -I 64 -t 5",
        "read-bw, -q 2 -o 1",
        "read-bw, -b --report_gbits -N",
        "atomic-bw, -b -A CMP_AND_SWAP",
        "send-lat, -e",
        "send-lat, -s 100000 -m 256",
        "write-lat, -s 1 -u 0",
        "read-lat, -e -S 7 -F"
    })
    void optionsGoTogether(String test, String options) {
        TwoEnds ends = TwoEnds.run("perf " + test, options + " -n 50").succeeded();
        int messages = options.contains("-q 3") ? 150 : options.contains("-q 2") ? 100 : 50;
        assertEquals(1, rows(ends.client(), messages), ends.toString());
    }

    @ParameterizedTest
    @CsvSource({"send-bw, -b", "send-lat, ''", "write-bw, -b", "write-lat, ''", "read-bw, ''"})
    void allSizesAreRun(String test, String options) {
        TwoEnds ends = TwoEnds.run("perf " + test, options + " -a -n 5").succeeded();
        assertEquals(23, rows(ends.client(), 5), ends.toString());
    }

    @ParameterizedTest
    @CsvSource({"send-bw, -b", "write-bw, ''", "send-lat, ''", "atomic-lat, ''"})
    void durationTakesThePlaceOfTheCount(String test, String options) {
        TwoEnds ends = TwoEnds.run("perf " + test, options + " -D 1 -f 0").succeeded();
        assertTrue(
                ends.client().lines().stream().anyMatch(line -> line.matches(" \\d+ +[1-9]\\d* .*")), ends.toString());
    }

    @Test
    void lossDuplicatesAndReorderingAreMadeGood() {
        TwoEnds.run("perf send-bw", "-n 50 -m 1024 --faults loss=2%,duplicate=2%,reorder=2%")
                .succeeded();
    }

    /** Rows of the table that begin with a size and this number of messages. */
    private static long rows(CommandRun run, int messages) {
        return run.lines().stream()
                .filter(line -> line.matches(" \\d+ +" + messages + " .*"))
                .count();
    }

    @Test
    void reportFileIsJsonWithPerftestsNames(@TempDir Path folder) throws IOException {
        Path bandwidth = folder.resolve("bw.json");
        TwoEnds.run("perf write-bw", "-n 50 -q 2", "-n 50 -q 2 --out_json_file " + bandwidth)
                .succeeded();
        String text = Files.readString(bandwidth);
        JsonReader.read(text);
        assertTrue(text.contains("\"test\": \"RDMA_Write_BW_Test\""), text);
        assertTrue(text.contains("\"results\": {\n    \"MsgSize\": 65536,\n    \"n_iterations\": 100,"), text);
        Path latency = folder.resolve("lat.json");
        TwoEnds.run("perf send-lat", "-n 50 -a", "-n 50 -a --out_json_file " + latency)
                .succeeded();
        text = Files.readString(latency);
        JsonReader.read(text);
        assertEquals(23, text.split("\"percentile_99.9\": ", -1).length - 1, text);
    }

    @Test
    void reportFileThatCannotBeWrittenIsNamed(@TempDir Path folder) {
        Path file = folder.resolve("none").resolve("report.json");
        TwoEnds ends = TwoEnds.run("perf read-lat", "-n 5", "-n 5 --out_json_file " + file);
        assertEquals(ExitStatus.SUCCESS, ends.server().status());
        assertEquals(ExitStatus.FAILED, ends.client().status());
        assertEquals("rdma4j perf: no such file: " + file, ends.client().err().strip());
    }

    @Test
    void traceHoldsThePackets(@TempDir Path folder) throws IOException {
        Path trace = folder.resolve("trace.pcapng");
        TwoEnds.run("perf write-lat", "-n 10", "-n 10 --trace " + trace).succeeded();
        CommandRun decoded = CommandRun.of("decode", trace.toString());
        assertEquals(ExitStatus.SUCCESS, decoded.status(), decoded.toString());
        long writes = decoded.lines().stream()
                .filter(line -> line.contains("RDMA WRITE Only") || line.contains("RDMA_WRITE_ONLY"))
                .count();
        assertTrue(writes >= 20, decoded.out());
    }

    @ParameterizedTest
    @CsvSource({"-s 100, -s 200, receive 1", "-s 9000 -m 1024 -n 50, -s 20000 -m 1024 -n 50, receive 1"})
    void longerMessagesThanTheServerExpectsAreRefused(String server, String client, String named) {
        TwoEnds ends = TwoEnds.run("perf send-bw", server, client);
        assertEquals(ExitStatus.FAILED, ends.client().status(), ends.toString());
        assertEquals(ExitStatus.FAILED, ends.server().status(), ends.toString());
        assertTrue(ends.server().err().contains(named), ends.server().err());
        assertEquals(1, ends.client().err().lines().count(), ends.client().err());
    }

    @Test
    void differentTestsAtTheTwoEndsFailWithOneLineEach() {
        int port = TwoEnds.freePort();
        TwoEnds.Server server = TwoEnds.Server.start("perf read-bw -n 50 -d " + TwoEnds.device(1) + " -p " + port);
        CommandRun client = CommandRun.of(
                ("perf write-bw -n 50 -d " + TwoEnds.device(2) + " -p " + port + " 127.0.0.1").split(" "));
        CommandRun ended = server.end();
        assertEquals(ExitStatus.FAILED, client.status(), client.toString());
        assertEquals(ExitStatus.FAILED, ended.status(), ended.toString());
        assertTrue(client.err().contains("do both ends run the same test"), client.err());
        assertEquals(1, ended.err().lines().count(), ended.err());
    }
}
