package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Runs one check against a peer. */
public final class Judge {

    private final Peer peer;
    private final UnaryOperator<Result> profile;

    /** @param profile judges what is known of the peer */
    public Judge(Peer peer, UnaryOperator<Result> profile) {
        this.peer = peer;
        this.profile = profile;
    }

    /**
     * Runs it as often as the peer allows until it does not fail: what a real network or a busy machine loses is not the
     * peer's fault. The result tells of the tries that failed: a peer that is right only now and then is to be seen.
     */
    public Result run(Check check, Variant variant) {
        Result result = profile.apply(once(check, variant));
        List<Result> failures = new ArrayList<>();
        while (!result.verdict().isFine() && failures.size() + 1 < peer.tries()) {
            failures.add(result);
            result = profile.apply(once(check, variant));
        }
        return result.after(failures);
    }

    private Result once(Check check, Variant variant) {
        long start = System.nanoTime();
        Trial trial = new Trial();
        Verdict verdict = Verdict.PASS;
        String reason = "";
        try {
            String excluded = peer.excludes(check, variant);
            if (excluded != null) {
                throw new Outcome.NotApplicable(excluded);
            }
            check.course().run(peer, check, variant, trial);
            if (trial.recorded() != null) {
                boolean first = trial.recorded()
                        .equals(
                                check.options().isEmpty()
                                        ? null
                                        : check.options().getFirst());
                verdict = first ? Verdict.PASS : Verdict.AMBIGUOUS;
                reason = trial.recorded();
            }
        } catch (Outcome e) {
            verdict = e.verdict();
            reason = e.getMessage();
        }
        return new Result(
                check, variant, verdict, reason, trial.oracles(), System.nanoTime() - start, trial.frames(), List.of());
    }
}
