package org.rdma4j.tools;

import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;

/** A work request that ended in an error: its status in words, and what to look at. */
public final class CompletionFailure {

    private static final int SETTLING_ROUNDS = 64;

    private CompletionFailure() {}

    /**
     * @param what the work that failed, such as {@code SEND 7}
     * @param peer its address
     */
    public static ToolException of(String what, WorkCompletion completion, String peer, DeviceContext device) {
        WcStatus status = completion.status();
        settle(device);
        return new ToolException(
                ExitStatus.FAILED,
                what + " ended with " + status + " (" + status.number() + "), " + status.text()
                        + hint(status, peer, device));
    }

    /** What the peer is to know, a NAK, is still owed when the completion that tells this end is there. */
    private static void settle(DeviceContext device) {
        for (int round = 0; round < SETTLING_ROUNDS; round++) {
            device.progress();
        }
    }

    private static String hint(WcStatus status, String peer, DeviceContext device) {
        return switch (status) {
            case RETRY_EXC_ERR -> "; does " + peer + " still run, and does UDP reach it from " + device.name() + "?";
            case RNR_RETRY_EXC_ERR -> "; is the peer slower than it promised (-r)?";
            case REM_INV_REQ_ERR -> "; do both ends run the same test with the same -s and -m?";
            case REM_ACCESS_ERR -> "; do both ends run the same test with the same -s?";
            case LOC_LEN_ERR, LOC_QP_OP_ERR, WR_FLUSH_ERR, GENERAL_ERR -> reason(device);
            default -> "";
        };
    }

    /** The refusal that took the queue pair down, where this end made it. */
    private static String reason(DeviceContext device) {
        if (device.decisions(Rule.PAYLOAD_LENGTH) > 0) {
            return "; the peer's packets do not have this end's path MTU: start both with the same -m";
        }
        if (device.decisions(Rule.RECEIVE_TOO_SMALL) > 0) {
            return "; the peer's messages are longer than this end's: start both with the same -s";
        }
        if (device.decisions(Rule.REMOTE_ACCESS) > 0 || device.decisions(Rule.QP_ACCESS) > 0) {
            return "; the peer wanted memory or an operation that this end does not allow: do both run the same test?";
        }
        return "";
    }
}
