package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.lab.Duel.Family;

/** {@code rdma4j perf -c UC} and {@code -c UD} against the real perftest on rxe, and many queue pairs at once. */
@LabTest
class UnackedPerfLabTest {

    /** An emulated guest is slow, and what it cannot take does not come again. */
    private static final String SLOWLY = " --rate_limit 500 --rate_units p --burst_size 4";

    private static void bothRoles(String test, Family family, String options, Lab lab) {
        String slowly = test.endsWith("-bw") ? SLOWLY : "";
        Duel duel = new Duel("ib_" + test.replace('-', '_'), "perf " + test + slowly, family);
        assertMeasured(duel.withOurClient(lab, options).ours());
        assertMeasured(duel.withOurServer(lab, options).theirs());
    }

    private static void assertMeasured(LabResult result) {
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches(" \\d+ +40 .*\\d\\.\\d\\d.*")),
                result.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "send-bw, IPV4, -c UC -n 40 -s 9001 -m 1024",
        "send-bw, IPV4, -c UC -n 40 -s 9001 -m 256",
        "send-bw, IPV6, -c UC -n 40 -s 9001 -m 4096",
        "write-bw, IPV4, -c UC -n 40 -s 9001 -m 1024",
        "write-bw, IPV6, -c UC -n 40 -s 9001 -m 2048",
        "send-lat, IPV4, -c UC -n 40 -s 3000 -m 1024",
        "write-lat, IPV4, -c UC -n 40 -s 3000 -m 1024"
    })
    void unreliableConnections(String test, Family family, String options, Lab lab) {
        bothRoles(test, family, options, lab);
    }

    @ParameterizedTest
    @CsvSource({
        "send-bw, IPV4, -c UD -n 40 -s 1000 -m 1024",
        "send-bw, IPV4, -c UD -n 40 -s 4096 -m 4096",
        "send-bw, IPV6, -c UD -n 40 -s 1000 -m 1024",
        "send-lat, IPV4, -c UD -n 40 -s 64 -m 1024",
        "send-lat, IPV6, -c UD -n 40 -s 64 -m 1024"
    })
    void datagrams(String test, Family family, String options, Lab lab) {
        bothRoles(test, family, options, lab);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-q 16 -n 20 -s 9001 -m 1024", "-q 16 -n 20 -s 4096 -m 4096 -b"})
    void sixteenQueuePairs(String options, Lab lab) {
        Duel duel = new Duel("ib_write_bw", "perf write-bw", Family.IPV4);
        duel.withOurClient(lab, options);
        duel.withOurServer(lab, options);
    }
}
