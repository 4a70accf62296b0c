package org.rdma4j.tools.conform.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.rdma4j.tools.conform.craft.Frame;

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
        Attempt attempt = new Attempt();
        Verdict verdict = Verdict.PASS;
        String reason = "";
        try {
            String excluded = peer.excludes(check, variant);
            if (excluded != null) {
                throw new Outcome.NotApplicable(excluded);
            }
            if (check.role() == Role.RESPONDER) {
                attempt.responder(check, variant);
            } else {
                attempt.requester(check, variant);
            }
            if (attempt.recorded != null) {
                boolean first = attempt.recorded.equals(
                        check.options().isEmpty() ? null : check.options().getFirst());
                verdict = first ? Verdict.PASS : Verdict.AMBIGUOUS;
                reason = attempt.recorded;
            }
        } catch (Outcome e) {
            verdict = e.verdict();
            reason = e.getMessage();
        }
        return new Result(
                check, variant, verdict, reason, attempt.oracles, System.nanoTime() - start, attempt.frames, List.of());
    }

    /** One run: what it left behind. */
    private final class Attempt {

        private Set<Oracle> oracles = EnumSet.noneOf(Oracle.class);
        private List<Frame> frames = List.of();
        private String recorded;

        void responder(Check check, Variant variant) {
            boolean spent;
            try (Connection connection = peer.accept(check, variant)) {
                Responder scene =
                        new Responder(connection, check.service(), check.setup().minRnrTimer());
                oracles = scene.oracles();
                try {
                    scene.greet();
                    check.responderStory().tell(scene);
                } finally {
                    frames = connection.line().frames();
                }
                recorded = scene.recorded();
                spent = scene.isSpent();
            }
            if (spent) {
                survivor(check, variant);
            }
        }

        /** The check's own queue pair has ended: another one of the same peer still works. */
        private void survivor(Check check, Variant variant) {
            try (Connection connection = peer.accept(check, variant)) {
                Responder scene =
                        new Responder(connection, check.service(), check.setup().minRnrTimer());
                scene.greet();
            } catch (Outcome.Inconclusive e) {
                throw new Outcome.Failed("after the check the peer does not work any more: " + e.getMessage());
            }
        }

        void requester(Check check, Variant variant) {
            try (Connection connection = peer.ask(check, variant)) {
                Requester scene = new Requester(connection, check.work(variant.mtu()));
                oracles = scene.oracles();
                try {
                    check.requesterStory().play(scene);
                } finally {
                    frames = connection.line().frames();
                }
                recorded = scene.recorded();
            }
        }
    }
}
