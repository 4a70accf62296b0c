package org.rdma4j.tools.conform.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/**
 * A whole run of the suite.
 *
 * @param peer who was under test
 * @param started when
 * @param nanos how long it took
 * @param rows one a check, in the catalogue's order
 */
public record Report(String peer, Instant started, long nanos, List<Row> rows) {

    /** Gathers the runs of each check. */
    public static Report of(String peer, Instant started, long nanos, List<Result> results) {
        Map<Check, List<Result>> byCheck = new LinkedHashMap<>();
        for (Result result : results) {
            byCheck.computeIfAbsent(result.check(), any -> new ArrayList<>()).add(result);
        }
        List<Row> rows = new ArrayList<>();
        byCheck.forEach((check, runs) -> rows.add(new Row(check, runs)));
        return new Report(peer, started, nanos, rows);
    }

    /** How many checks ended how; every verdict is there. */
    public Map<Verdict, Integer> counts() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(verdict, 0);
        }
        rows.forEach(row -> counts.merge(row.verdict(), 1, Integer::sum));
        return counts;
    }

    /** True where nothing is wrong with the peer. */
    public boolean isFine() {
        return rows.stream().allMatch(row -> row.verdict().isFine());
    }

    /** Checks by group, in order. */
    public Map<String, List<Row>> groups() {
        Map<String, List<Row>> groups = new LinkedHashMap<>();
        for (Row row : rows) {
            groups.computeIfAbsent(row.check().group(), any -> new ArrayList<>())
                    .add(row);
        }
        return groups;
    }

    /** Runs of all checks. */
    public int runs() {
        return rows.stream().mapToInt(row -> row.results().size()).sum();
    }
}
