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

    /** Worst first. */
    private static final List<Verdict> ORDER = List.of(
            Verdict.FAIL,
            Verdict.INCONCLUSIVE,
            Verdict.DEVIATION,
            Verdict.AMBIGUOUS,
            Verdict.PASS,
            Verdict.NOT_APPLICABLE);

    /** The run that the verdict is taken from. */
    public Result worst() {
        return results.stream()
                .min(Comparator.comparingInt(result -> ORDER.indexOf(result.verdict())))
                .orElseThrow();
    }

    public Verdict verdict() {
        return worst().verdict();
    }

    /** Why; empty for a plain PASS. */
    public String reason() {
        return worst().reason();
    }

    public long nanos() {
        return results.stream().mapToLong(Result::nanos).sum();
    }
}
