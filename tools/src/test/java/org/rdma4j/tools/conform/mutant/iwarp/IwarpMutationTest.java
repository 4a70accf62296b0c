package org.rdma4j.tools.conform.mutant.iwarp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.MpaVariant;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.iwarp.suite.IwarpSuite;
import org.rdma4j.tools.conform.mutant.MutationTable;

/**
 * The proof that iWARP's checks can fail: devices that do one thing wrong each. Every one is found out by a check, and every
 * check finds one out. {@code -Dmutants=write} writes docs/mutants-iwarp.md anew.
 */
class IwarpMutationTest {

    private static final Variant VARIANT = Variant.of(new MpaVariant(true, true, MpaVariant.Cut.ALIGNED));

    private static final Path TABLE = Path.of("..", "docs", "mutants-iwarp.md");

    /** What more checks than these find out is too plain to prove much of any of them. */
    private static final int PLAIN = 30;

    private static final String INTRO = """
            # Mutants of iWARP: the proof that these checks can fail

            Each row is rdma4j's own iWARP device made to do one thing wrong, and the checks of `rdma4j conform` that find it out.
            `IwarpMutationTest` runs the checks against every one of them in virtual time, in each build. It fails where a mutant
            survives, where a check kills none but those that more than 30 checks kill, and where this table is not what it
            found; `-Dmutants=write` writes the table anew. The wrong behaviour is put between the device and the stream, or into
            the way its connections are set up, by test code: nothing of it is in the product.

            """;

    private static final IwarpMutant NONE =
            IwarpMutant.tampered("none", "nothing is wrong", () -> new StreamTamper() {});

    private static List<IwarpMutant> mutants() {
        return Stream.of(
                        MpaMutants.all(),
                        FpduMutants.all(),
                        DdpMutants.all(),
                        RdmapMutants.all(),
                        TerminateMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Ids of the checks that find this device out. */
    private static List<String> kills(IwarpMutant mutant) {
        List<String> kills = new ArrayList<>();
        try (MutantIwarpPeer peer = new MutantIwarpPeer(mutant)) {
            Judge judge = new Judge(peer, UnaryOperator.identity());
            for (Check check : IwarpSuite.checks()) {
                if (MutationTable.isKill(judge.run(check, VARIANT))) {
                    kills.add(check.id());
                }
            }
        }
        return kills;
    }

    @Test
    void deviceWithoutFaultPassesEveryCheck() {
        try (MutantIwarpPeer peer = new MutantIwarpPeer(NONE)) {
            Judge judge = new Judge(peer, UnaryOperator.identity());
            for (Check check : IwarpSuite.checks()) {
                for (Variant variant : Variant.OF_IWARP) {
                    Result result = judge.run(check, variant);
                    assertEquals(Verdict.PASS, result.verdict(), () -> check + ": " + result.reason());
                }
            }
        }
    }

    @Test
    void everyMutantIsKilledAndEveryCheckKills() throws IOException {
        List<MutationTable.Row> rows = mutants().parallelStream()
                .map(mutant -> new MutationTable.Row(mutant.id(), mutant.what(), kills(mutant)))
                .toList();
        new MutationTable(TABLE, INTRO, IwarpSuite.checks(), rows, PLAIN).hold();
    }
}
