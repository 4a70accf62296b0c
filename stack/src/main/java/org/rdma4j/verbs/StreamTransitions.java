package org.rdma4j.verbs;

import static org.rdma4j.verbs.QpAttribute.ACCESS_FLAGS;
import static org.rdma4j.verbs.QpAttribute.CUR_STATE;
import static org.rdma4j.verbs.QpAttribute.PKEY_INDEX;
import static org.rdma4j.verbs.QpAttribute.PORT;
import static org.rdma4j.verbs.QpAttribute.STATE;

import java.util.Set;

/**
 * Which transitions {@code ibv_modify_qp} knows of a queue pair whose connection is a stream: those that do not connect
 * it. RDMAP's states stand for these (RFC 5040 section 5; siw tells them the same way): Idle is RESET or INIT, Closing is
 * SQD, Terminate is SQE, Error is ERR.
 */
final class StreamTransitions {

    private static final Set<QpAttribute> IDENTITY = Set.of(STATE, CUR_STATE, ACCESS_FLAGS, PKEY_INDEX, PORT);
    private static final Set<QpAttribute> NOTHING = Set.of(STATE, CUR_STATE);

    private StreamTransitions() {}

    /** @return why the transition is not legal, or {@code null} */
    static String refusal(QpState from, QpState to, Set<QpAttribute> mask) {
        if (to != from && (to == QpState.RTR || to == QpState.RTS)) {
            return "a stream connects this queue pair, which connection management opens: %s to %s is not for modify"
                    .formatted(from, to);
        }
        boolean ends = to == QpState.RESET || to == QpState.ERR;
        boolean closes = from == QpState.RTS && to == QpState.SQD;
        boolean keeps = to == from || (from == QpState.RESET && to == QpState.INIT);
        if (!ends && !closes && !keeps) {
            return "there is no transition from %s to %s".formatted(from, to);
        }
        Set<QpAttribute> known = keeps ? IDENTITY : NOTHING;
        for (QpAttribute given : mask) {
            if (!known.contains(given)) {
                return from + " to " + to + " of a queue pair on a stream does not take " + given;
            }
        }
        return null;
    }
}
