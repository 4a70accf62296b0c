package org.rdma4j.tools.conform.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Variant;
import org.rdma4j.tools.conform.check.Verdict;
import org.rdma4j.tools.conform.suite.Suite;

/**
 * The proof that the suite can fail: devices that do one thing wrong each. Every one is found out by a check, and every
 * check finds one out. {@code -Dmutants=write} writes docs/mutants.md anew.
 */
class MutationTest {

    /** PSNs wrap in it, so one variant shows both. */
    private static final Variant VARIANT = new Variant(1024, false, Variant.WRAP);

    private static final Path TABLE = Path.of("..", "docs", "mutants.md");
    private static final int SHOWN = 8;

    /** What more checks than these find out is too plain to prove much of any of them. */
    private static final int PLAIN = 70;

    private static final Mutant NONE = Mutant.tampered("none", "nothing is wrong", () -> new Tamper() {});

    static List<Mutant> mutants() {
        return Stream.of(
                        ResponderMutants.answers(),
                        ResponderMutants.requests(),
                        RequesterMutants.all(),
                        UnackedMutants.all(),
                        EcnMutants.all(),
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
                Verdict verdict = judge.run(check, VARIANT).verdict();
                if (verdict != Verdict.PASS) {
                    kills.add(check.id());
                }
            }
        }
        return kills;
    }

    /** A wrong requester is no matter for those who test responders, nor a wrong queue pair for connection managers' checks. */
    private static List<Check> checksFor(Mutant mutant) {
        boolean manager = isAmong(CmMutants.all(), mutant);
        boolean requester = isAmong(RequesterMutants.all(), mutant);
        boolean answers = isAmong(ResponderMutants.answers(), mutant);
        return Suite.checks().stream()
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
            for (Check check : Suite.checks()) {
                Result result = judge.run(check, VARIANT);
                assertEquals(Verdict.PASS, result.verdict(), () -> check + ": " + result.reason());
            }
        }
    }

    @Test
    void everyMutantIsKilledAndEveryCheckKills() throws IOException {
        Map<Mutant, List<String>> table = new LinkedHashMap<>();
        mutants().parallelStream()
                .map(mutant -> Map.entry(mutant, kills(mutant)))
                .toList()
                .forEach(row -> table.put(row.getKey(), row.getValue()));
        List<String> survivors = table.entrySet().stream()
                .filter(row -> row.getValue().isEmpty())
                .map(row -> row.getKey().toString())
                .toList();
        Set<String> idle = new TreeSet<>();
        Suite.checks().forEach(check -> idle.add(check.id()));
        table.values().stream().filter(kills -> kills.size() <= PLAIN).forEach(idle::removeAll);
        assertTrue(
                survivors.isEmpty() && idle.isEmpty(),
                () -> "mutants that no check kills: " + survivors
                        + "\nchecks that kill no mutant, or only those that more than " + PLAIN + " checks kill: "
                        + idle);
        String text = text(table);
        if ("write".equals(System.getProperty("mutants"))) {
            Files.writeString(TABLE, text);
        }
        assertEquals(Files.readString(TABLE), text, "docs/mutants.md is not this table: -Dmutants=write makes it");
    }

    private static String text(Map<Mutant, List<String>> table) {
        StringBuilder text = new StringBuilder("""
                # Mutants: the proof that the conformance suite can fail

                Each row is rdma4j's own device made to do one thing wrong, and the checks of `rdma4j conform` that find it out.
                `MutationTest` runs the checks against every one of them in virtual time, in each build. It fails where a mutant
                survives, where a check kills none but those that more than 70 checks kill, and where this table is not what
                it found; `-Dmutants=write` writes the table anew. The wrong behaviour is put between the device and the wire, or into the way its queue
                pairs are set up, by test code: nothing of it is in the product.

                """);
        text.append(table.size())
                .append(" mutants, ")
                .append(Suite.checks().size())
                .append(" checks.\n\n");
        text.append("| Mutant | What it does wrong | Killed by | Checks |\n|---|---|---:|---|\n");
        table.forEach((mutant, kills) -> text.append("| ")
                .append(mutant.id())
                .append(" | ")
                .append(mutant.what())
                .append(" | ")
                .append(kills.size())
                .append(" | ")
                .append(kills.stream().limit(SHOWN).collect(Collectors.joining(", ")))
                .append(kills.size() > SHOWN ? ", …" : "")
                .append(" |\n"));
        text.append("\n## The other way round\n\n| Check | Kills | Mutants |\n|---|---:|---|\n");
        for (Check check : Suite.checks()) {
            List<String> killed = table.entrySet().stream()
                    .filter(row -> row.getValue().contains(check.id()))
                    .map(row -> row.getKey().id())
                    .toList();
            text.append("| ")
                    .append(check.id())
                    .append(" | ")
                    .append(killed.size())
                    .append(" | ")
                    .append(killed.stream().limit(SHOWN).collect(Collectors.joining(", ")))
                    .append(killed.size() > SHOWN ? ", …" : "")
                    .append(" |\n");
        }
        return text.toString();
    }
}
