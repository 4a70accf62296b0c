package org.rdma4j.tools.conform.report;

import java.util.Comparator;
import java.util.List;
import org.rdma4j.tools.conform.check.Check;
import org.rdma4j.tools.conform.check.Result;
import org.rdma4j.tools.conform.check.Verdict;

/**
 * A check with all of its runs. Its verdict is that of its worst one.
 *
 * @param results one a variant
 */
public record Row(Check check, List<Result> results) {

    /** The run that the verdict is taken from. */
    public Result worst() {
        return results.stream()
                .min(Comparator.comparing(Result::verdict, Verdict.WORST_FIRST))
                .orElseThrow();
    }

    public Verdict verdict() {
        return worst().verdict();
    }

    /** Why; empty for a plain PASS. */
    public String reason() {
        return worst().reason();
    }

    /** Runs that ended well, though not at their first try. */
    public List<Result> unsteady() {
        return results.stream().filter(Result::isUnsteady).toList();
    }

    public long nanos() {
        return results.stream().mapToLong(Result::nanos).sum();
    }
}
