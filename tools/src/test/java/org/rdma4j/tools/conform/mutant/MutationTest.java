package org.rdma4j.tools.conform.mutant;

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
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.iwarp.IwarpPeer;
import org.rdma4j.tools.conform.suite.Suite;

/**
 * The proof that the suite can fail: devices that do one thing wrong each. Every one is found out by a check, and every
 * check finds one out. {@code -Dmutants=write} writes docs/mutants.md anew.
 */
class MutationTest {

    /** PSNs wrap in it, so one variant shows both. */
    private static final Variant VARIANT = new Variant(1024, false, Variant.WRAP);

    private static final Path TABLE = Path.of("..", "docs", "mutants.md");
    private static final String INTRO = """
                # Mutants: the proof that the conformance suite can fail

                Each row is rdma4j's own device made to do one thing wrong, and the checks of `rdma4j conform` that find it out.
                `MutationTest` runs the checks against every one of them in virtual time, in each build. It fails where a mutant
                survives, where a check kills none but those that more than 70 checks kill, and where this table is not what
                it found; `-Dmutants=write` writes the table anew. The wrong behaviour is put between the device and the wire, or into the way its queue
                pairs are set up, by test code: nothing of it is in the product.

                """;

    /** What more checks than these find out is too plain to prove much of any of them. */
    private static final int PLAIN = 70;

    private static final Mutant NONE = Mutant.tampered("none", "nothing is wrong", () -> new Tamper() {});

    /** Those over RoCE v2; those of iWARP have mutants of their own kind. */
    private static List<Check> checks() {
        return Suite.checks().stream()
                .filter(check -> check.course().kind() != IwarpPeer.class)
                .toList();
    }

    static List<Mutant> mutants() {
        return Stream.of(
                        ResponderMutants.answers(),
                        ResponderMutants.requests(),
                        RequesterMutants.all(),
                        UnackedMutants.all(),
                        EcnMutants.all(),
                        IsoMutants.all(),
                        FrameMutants.all(),
                        CmMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Ids of the checks that find this device out. */
    private static List<String> kills(Mutant mutant) {
        List<String> kills = new ArrayList<>();
        try (MutantPeer peer = new MutantPeer(mutant)) {
            Judge judge = new Judge(peer, UnaryOperator.identity());
            for (Check check : checksFor(mutant)) {
                if (MutationTable.isKill(judge.run(check, VARIANT))) {
                    kills.add(check.id());
                }
                assertEquals(0, peer.openLines(), () -> check + " leaves a line open, against " + mutant);
            }
        }
        return kills;
    }

    /** A wrong requester is no matter for those who test responders, nor a wrong queue pair for connection managers' checks. */
    private static List<Check> checksFor(Mutant mutant) {
        boolean manager = isAmong(CmMutants.all(), mutant);
        boolean requester = isAmong(RequesterMutants.all(), mutant);
        boolean answers = isAmong(ResponderMutants.answers(), mutant);
        return checks().stream()
                .filter(check -> switch (check.role()) {
                    case PASSIVE, ACTIVE -> manager;
                    case REQUESTER -> !manager && !answers;
                    case RESPONDER -> !manager && !requester;
                })
                .toList();
    }

    private static boolean isAmong(List<Mutant> mutants, Mutant mutant) {
        return mutants.stream().anyMatch(it -> it.id().equals(mutant.id()));
    }

    @Test
    void deviceWithoutFaultPassesEveryCheck() {
        try (MutantPeer peer = new MutantPeer(NONE)) {
            Judge judge = new Judge(peer, UnaryOperator.identity());
            for (Check check : checks()) {
                Result result = judge.run(check, VARIANT);
                assertEquals(Verdict.PASS, result.verdict(), () -> check + ": " + result.reason());
            }
        }
    }

    @Test
    void everyMutantIsKilledAndEveryCheckKills() throws IOException {
        List<MutationTable.Row> rows = mutants().parallelStream()
                .map(mutant -> new MutationTable.Row(mutant.id(), mutant.what(), kills(mutant)))
                .toList();
        new MutationTable(TABLE, INTRO, checks(), rows, PLAIN).hold();
    }
}
