package org.rdma4j.iwarp;

import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.wire.TerminateCode;

/**
 * Why a connection is over or did not come about.
 *
 * @param reason in one word
 * @param message in one line
 * @param refusal where MPA's setup failed: what it did not like; else {@code null}
 * @param terminate where a Terminate ended it: what that says, {@code null} where nobody knows; else {@code null}
 */
public record ConnectionEnd(Reason reason, String message, MpaRefusal refusal, TerminateCode terminate) {

    /** What has happened. */
    public enum Reason {
        /** Either side has ended it in order. */
        DISCONNECTED,
        /** TCP's connection was refused: nobody listens. */
        REFUSED,
        /** Nobody has answered in time. */
        TIMED_OUT,
        /** MPA's setup failed. */
        SETUP,
        /** TCP's connection broke, or the peer closed it in the middle of a message. */
        LOST,
        /** This side has found an error and told the peer. */
        TERMINATED,
        /** The peer has found an error and told this side. */
        TERMINATED_BY_PEER,
        /** The queue pair was reset, destroyed or set to ERR. */
        ABANDONED
    }

    public static ConnectionEnd of(Reason reason, String message) {
        return new ConnectionEnd(reason, message, null, null);
    }

    public static ConnectionEnd of(MpaRefusal refusal) {
        Reason reason = refusal == MpaRefusal.REPLY_TIMEOUT || refusal == MpaRefusal.REQUEST_TIMEOUT
                ? Reason.TIMED_OUT
                : Reason.SETUP;
        return new ConnectionEnd(reason, refusal.text(), refusal, null);
    }

    /** @param code {@code null} where nobody knows what the Terminate says */
    public static ConnectionEnd of(Reason reason, TerminateCode code) {
        return new ConnectionEnd(reason, code == null ? "an unknown code" : code.text(), null, code);
    }
}
