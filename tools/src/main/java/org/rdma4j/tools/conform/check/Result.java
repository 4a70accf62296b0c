package org.rdma4j.tools.conform.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.rdma4j.tools.conform.craft.Frame;

/**
 * How one run of a check ended.
 *
 * @param reason why, or what was recorded; empty for a plain PASS
 * @param frames what crossed the wire, in order
 * @param failures the tries before this one, none of which ended well
 */
public record Result(
        Check check,
        Variant variant,
        Verdict verdict,
        String reason,
        Set<Oracle> oracles,
        long nanos,
        List<Frame> frames,
        List<Result> failures) {

    /** One that was not made, for this reason. */
    public static Result notRun(Check check, Variant variant, String why) {
        return new Result(check, variant, Verdict.NOT_APPLICABLE, why, Set.of(), 0, List.of(), List.of());
    }

    /** The same run, judged otherwise. */
    public Result with(Verdict other, String why) {
        return new Result(check, variant, other, why, oracles, nanos, frames, failures);
    }

    /** The same run, after these tries. */
    Result after(List<Result> tries) {
        return new Result(check, variant, verdict, reason, oracles, nanos, frames, List.copyOf(tries));
    }

    /** True where it ended well, though not at its first try. */
    public boolean isUnsteady() {
        return verdict.isFine() && !failures.isEmpty();
    }

    /** Which try this was and what was found before, for people; empty for the first one. */
    public String history() {
        return failures.isEmpty()
                ? ""
                : "try " + (failures.size() + 1) + ", after "
                        + failures.stream()
                                .map(failure -> failure.verdict() + ": " + failure.reason())
                                .distinct()
                                .collect(Collectors.joining("; "));
    }
}
