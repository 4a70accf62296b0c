package org.rdma4j.transport;

/**
 * What a requester has left of its patience since it last made progress: resends, waits for a receiver that is not
 * ready, and which resend is under way (9.7.6, 9.7.5.2.8).
 */
final class Retries {

    /** A timeout may take up to four times the nominal one (C9-140): 2 to this power. */
    private static final int MAX_BACKOFF = 2;

    private int left;
    private int rnrLeft;
    private int timeouts; // since there was progress, or an RNR NAK: the peer is there
    private boolean recovering;
    private boolean implied;

    /** Something new was acknowledged: everything starts anew. */
    void progressed(QpConfig config) {
        left = config.retryCount;
        rnrLeft = config.rnrRetry;
        timeouts = 0;
        recovering = false;
        implied = false;
    }

    /** True while the resend that a NAK asked for is under way. */
    boolean isRecovering() {
        return recovering;
    }

    /** A NAK asks for a resend. */
    void recover() {
        recovering = true;
    }

    /** An implied NAK asks for a resend. @return false where one is under way already */
    boolean recoverImplied() {
        if (implied || recovering) {
            return false;
        }
        implied = true;
        return true;
    }

    /** No answer came in time; whatever was under way is lost. */
    void timedOut() {
        timeouts++;
        recovering = false;
        implied = false;
    }

    /** Takes one resend. @return false where none is left */
    boolean take() {
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }

    /** Takes one wait for the receiver. @return false where none is left */
    boolean takeRnr(QpConfig config) {
        if (rnrLeft == 0) {
            return false;
        }
        if (config.rnrRetry != QpConfig.RNR_INFINITE) {
            rnrLeft--;
        }
        timeouts = 0;
        return true;
    }

    /**
     * How long to wait for an answer, in ns; 0 for ever. The first timeout is the nominal one; each further one without
     * progress is twice as long, up to the limit: a peer that is slow to answer is not buried under resends, and gets
     * time.
     */
    long timeoutNanos(QpConfig config) {
        return config.timeoutNanos() << Math.min(timeouts, MAX_BACKOFF);
    }
}
