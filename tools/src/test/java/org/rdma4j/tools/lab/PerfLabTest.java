package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.lab.Duel.Family;
import org.rdma4j.tools.lab.Duel.Outcome;

/** {@code rdma4j perf} against the real perftest on rxe, each test in both roles. */
@LabTest
class PerfLabTest {

    /** Several packets a message, and another size on the last one. */
    private static final String MESSAGES = "-n 40 -m 1024";

    private static Duel duel(String test, Family family, String... more) {
        String ours = "perf " + test + (more.length == 0 ? "" : " " + String.join(" ", more));
        return new Duel("ib_" + test.replace('-', '_'), ours, family);
    }

    private static String options(String test) {
        return test.startsWith("atomic") ? MESSAGES : MESSAGES + " -s 9001";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"send-bw", "write-bw", "read-bw", "atomic-bw", "send-lat", "write-lat", "read-lat", "atomic-lat"
            })
    void clientMeasuresWithTheRealServer(String test, Lab lab) {
        assertMeasured(duel(test, Family.IPV4).withOurClient(lab, options(test)).ours());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"send-bw", "write-bw", "read-bw", "atomic-bw", "send-lat", "write-lat", "read-lat", "atomic-lat"
            })
    void serverMeasuresWithTheRealClient(String test, Lab lab) {
        assertMeasured(duel(test, Family.IPV4).withOurServer(lab, options(test)).theirs());
    }

    /** A row of the table: a size and the number of messages, then figures. */
    private static void assertMeasured(LabResult result) {
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches(" (9001|8) +40 .*\\d\\.\\d\\d.*")),
                result.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"send-bw", "write-bw", "read-bw", "atomic-bw", "send-lat", "write-lat", "read-lat", "atomic-lat"
            })
    void lossOnBothWaysIsMadeGood(String test, Lab lab) {
        lab.netem(1, "loss 5%");
        Duel lossy = duel(test, Family.IPV4, "--faults loss=5%");
        lossy.withOurClient(lab, options(test));
        lossy.withOurServer(lab, options(test));
    }

    @Test
    void reorderedDoubledAndDamagedPacketsAreMadeGood(Lab lab) {
        lab.netem(1, "delay 1ms reorder 10% duplicate 5% corrupt 2%");
        for (String test : new String[] {"send-bw", "write-bw", "read-bw"}) {
            Duel hostile = duel(test, Family.IPV4, "--faults reorder=5%,duplicate=5%,corrupt=2%");
            hostile.withOurClient(lab, options(test));
            hostile.withOurServer(lab, options(test));
        }
    }

    @ParameterizedTest
    @CsvSource({"write-bw, -m 256", "read-bw, -m 2048", "send-bw, -m 4096", "write-lat, -m 512"})
    void ipv6CarriesItAsWell(String test, String mtu, Lab lab) {
        duel(test, Family.IPV6).withOurClient(lab, "-n 20 -s 9001 " + mtu);
        duel(test, Family.IPV6).withOurServer(lab, "-n 20 -s 9001 " + mtu);
    }

    @ParameterizedTest
    @CsvSource({
        "send-bw, -b -q 2",
        "send-bw, --use-srq -q 3",
        "send-lat, --use-srq -s 64",
        "write-bw, -b -q 2",
        "read-bw, -q 3 -l 4 -t 16",
        "atomic-bw, -b -A CMP_AND_SWAP",
        "send-lat, -e -s 64 -I 64",
        "write-bw, -D 1 -f 0",
        "read-lat, -u 16 -S 3"
    })
    void optionsMeanTheSameOnBothEnds(String test, String options, Lab lab) {
        String length = options.contains("-D") ? "" : " -n 20";
        duel(test, Family.IPV4).withOurClient(lab, options + length);
        duel(test, Family.IPV4).withOurServer(lab, options + length);
    }

    @Test
    void allSizesAreRunOneAfterTheOther(Lab lab) {
        Outcome outcome = duel("read-bw", Family.IPV4).withOurClient(lab, "-a -n 5");
        long sizes = outcome.ours()
                .output()
                .lines()
                .filter(line -> line.matches(" \\d+ +5 .*"))
                .count();
        assertTrue(sizes == 23, outcome.ours().toString());
    }
}
