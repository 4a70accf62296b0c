package org.rdma4j.tools.conform.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Judge;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/**
 * Which checks find which mutants out, both ways round.
 *
 * @param file where it is published
 * @param intro what stands in front
 * @param plain a mutant that more checks than these find out is too plain to prove much of any of them
 */
public record MutationTable(Path file, String intro, List<Check> checks, List<Row> rows, int plain) {

    private static final int SHOWN = 8;

    /**
     * A mutant.
     *
     * @param kills ids of the checks that find it out
     */
    public record Row(String id, String what, List<String> kills) {}

    /** True where a check has found a mutant out; one that broke off has found nothing. */
    public static boolean isKill(Result result) {
        assertFalse(result.reason().startsWith(Judge.BROKE_OFF), () -> result.check() + ": " + result.reason());
        return result.verdict() != Verdict.PASS;
    }

    /** Every mutant is found out, every check finds one out, and the published table says so. */
    public void hold() throws IOException {
        List<String> survivors =
                rows.stream().filter(row -> row.kills.isEmpty()).map(Row::id).toList();
        Set<String> idle = new TreeSet<>();
        checks.forEach(check -> idle.add(check.id()));
        rows.stream().map(Row::kills).filter(kills -> kills.size() <= plain).forEach(idle::removeAll);
        assertTrue(
                survivors.isEmpty() && idle.isEmpty(),
                () -> "mutants that no check kills: " + survivors
                        + "\nchecks that kill no mutant, or only those that more than " + plain + " checks kill: "
                        + idle);
        if ("write".equals(System.getProperty("mutants"))) {
            Files.writeString(file, text());
        }
        assertEquals(Files.readString(file), text(), file + " is not this table: -Dmutants=write makes it");
    }

    private String text() {
        StringBuilder text = new StringBuilder(intro);
        text.append(rows.size()).append(" mutants, ").append(checks.size()).append(" checks.\n\n");
        text.append("| Mutant | What it does wrong | Killed by | Checks |\n|---|---|---:|---|\n");
        rows.forEach(row -> text.append("| ")
                .append(row.id)
                .append(" | ")
                .append(row.what)
                .append(" | ")
                .append(row.kills.size())
                .append(" | ")
                .append(shown(row.kills))
                .append(" |\n"));
        text.append("\n## The other way round\n\n| Check | Kills | Mutants |\n|---|---:|---|\n");
        for (Check check : checks) {
            List<String> killed = rows.stream()
                    .filter(row -> row.kills.contains(check.id()))
                    .map(Row::id)
                    .toList();
            text.append("| ")
                    .append(check.id())
                    .append(" | ")
                    .append(killed.size())
                    .append(" | ")
                    .append(shown(killed))
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String shown(List<String> ids) {
        return ids.stream().limit(SHOWN).collect(Collectors.joining(", ")) + (ids.size() > SHOWN ? ", …" : "");
    }
}
