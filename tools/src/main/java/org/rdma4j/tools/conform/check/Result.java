package org.rdma4j.tools.conform.check;

import java.util.List;
import java.util.Set;
import org.rdma4j.tools.conform.craft.Frame;

/**
 * How one run of a check ended.
 *
 * @param reason why, or what was recorded; empty for a plain PASS
 * @param frames what crossed the wire, in order
 */
public record Result(
        Check check,
        Variant variant,
        Verdict verdict,
        String reason,
        Set<Oracle> oracles,
        long nanos,
        List<Frame> frames) {

    /** The same run, judged otherwise. */
    public Result with(Verdict other, String why) {
        return new Result(check, variant, other, why, oracles, nanos, frames);
    }
}
