package org.rdma4j.tools.conform.check;

import java.util.Comparator;
import java.util.List;

/** How a check ended. */
public enum Verdict {
    /** The peer did what the standard asks for. */
    PASS("as the standard asks"),
    /** The peer did something else. */
    FAIL("not as the standard asks"),
    /** The standard leaves it open, or sources disagree: what the peer did is recorded. */
    AMBIGUOUS("left open by the standard; recorded"),
    /** The peer differs from the standard in the way that its profile tells of. */
    DEVIATION("a known behaviour of this peer, not the standard's"),
    /** The run cannot be judged: packets were lost on the way, or the peer never answered. */
    INCONCLUSIVE("the run cannot be judged"),
    /** The check needs something that this peer, or the way to it, has not. */
    NOT_APPLICABLE("does not apply to this peer");

    /** Worst first: the order in which one of many runs speaks for all. */
    public static final Comparator<Verdict> WORST_FIRST =
            Comparator.comparingInt(List.of(FAIL, INCONCLUSIVE, DEVIATION, AMBIGUOUS, PASS, NOT_APPLICABLE)::indexOf);

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** In a few words. */
    public String text() {
        return text;
    }

    /** True where nothing is wrong with the peer. */
    public boolean isFine() {
        return this != FAIL && this != INCONCLUSIVE;
    }
}
