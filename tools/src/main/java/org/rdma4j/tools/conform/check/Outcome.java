package org.rdma4j.tools.conform.check;

/** Ends a story before its end. */
public abstract sealed class Outcome extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Verdict verdict;

    private Outcome(Verdict verdict, String reason) {
        super(reason, null, false, false);
        this.verdict = verdict;
    }

    public Verdict verdict() {
        return verdict;
    }

    /** The peer did something wrong; the reason says what. */
    public static final class Failed extends Outcome {
        private static final long serialVersionUID = 1L;

        public Failed(String reason) {
            super(Verdict.FAIL, reason);
        }
    }

    /** The check cannot be made here. */
    public static final class NotApplicable extends Outcome {
        private static final long serialVersionUID = 1L;

        public NotApplicable(String reason) {
            super(Verdict.NOT_APPLICABLE, reason);
        }
    }

    /** What happened cannot be judged. */
    public static final class Inconclusive extends Outcome {
        private static final long serialVersionUID = 1L;

        public Inconclusive(String reason) {
            super(Verdict.INCONCLUSIVE, reason);
        }
    }
}
