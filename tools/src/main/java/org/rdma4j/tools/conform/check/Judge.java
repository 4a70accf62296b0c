package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.rdma4j.link.LinkException;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.conform.craft.FrameRefused;

/** Runs one check against a peer. */
public final class Judge {

    /** What the reason of a check that ended in an error of its own begins with. */
    public static final String BROKE_OFF = "the check itself broke off: ";

    private final Peer peer;
    private final UnaryOperator<Result> profile;

    /** @param profile judges what is known of the peer */
    public Judge(Peer peer, UnaryOperator<Result> profile) {
        this.peer = peer;
        this.profile = profile;
    }

    /**
     * Runs it as often as the peer allows until it does not fail: what a real network or a busy machine loses is not the
     * peer's fault; and where rdma4j's own device did another thing of those that are left open, it was too late for the
     * first. The result tells of the tries that failed: a peer that is right only now and then is to be seen.
     */
    public Result run(Check check, Variant variant) {
        Result result = profile.apply(once(check, variant));
        List<Result> failures = new ArrayList<>();
        while (isToBeRepeated(result) && failures.size() + 1 < peer.tries()) {
            failures.add(result);
            result = profile.apply(once(check, variant));
        }
        return result.after(failures);
    }

    private boolean isToBeRepeated(Result result) {
        return !result.verdict().isFine() || result.verdict() == Verdict.AMBIGUOUS && peer.is(OwnPeer.class);
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
        } catch (FrameRefused e) {
            verdict = Verdict.INCONCLUSIVE; // another check's frame may well leave: it is shorter, or comes later
            reason = e.getMessage();
        } catch (ToolException | LinkException e) {
            throw e; // what is wrong with the machine is wrong for all checks
        } catch (RuntimeException e) {
            // A peer's odd bytes, or a defect of the check's: one of hundreds, and the others' results are not lost.
            verdict = Verdict.INCONCLUSIVE;
            reason = BROKE_OFF + e;
        }
        return new Result(
                check, variant, verdict, reason, trial.oracles(), System.nanoTime() - start, trial.frames(), List.of());
    }
}
