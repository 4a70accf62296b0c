package org.rdma4j.verbs;

import static org.rdma4j.verbs.QpAttribute.ACCESS_FLAGS;
import static org.rdma4j.verbs.QpAttribute.ALT_PATH;
import static org.rdma4j.verbs.QpAttribute.AV;
import static org.rdma4j.verbs.QpAttribute.CUR_STATE;
import static org.rdma4j.verbs.QpAttribute.DEST_QPN;
import static org.rdma4j.verbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static org.rdma4j.verbs.QpAttribute.MAX_DEST_RD_ATOMIC;
import static org.rdma4j.verbs.QpAttribute.MAX_QP_RD_ATOMIC;
import static org.rdma4j.verbs.QpAttribute.MIN_RNR_TIMER;
import static org.rdma4j.verbs.QpAttribute.PATH_MIG_STATE;
import static org.rdma4j.verbs.QpAttribute.PATH_MTU;
import static org.rdma4j.verbs.QpAttribute.PKEY_INDEX;
import static org.rdma4j.verbs.QpAttribute.PORT;
import static org.rdma4j.verbs.QpAttribute.QKEY;
import static org.rdma4j.verbs.QpAttribute.RETRY_CNT;
import static org.rdma4j.verbs.QpAttribute.RNR_RETRY;
import static org.rdma4j.verbs.QpAttribute.RQ_PSN;
import static org.rdma4j.verbs.QpAttribute.SQ_PSN;
import static org.rdma4j.verbs.QpAttribute.STATE;
import static org.rdma4j.verbs.QpAttribute.TIMEOUT;

import java.util.EnumSet;
import java.util.Set;

/**
 * Which transitions {@code ibv_modify_qp} knows, and which attributes each one needs and allows (10.3.1, 11.2.5.2, and
 * what libibverbs documents).
 */
public final class QpTransitions {

    /** A legal transition: the attributes that must be given, and those that may be. */
    record Masks(Set<QpAttribute> required, Set<QpAttribute> optional) {}

    private static final Masks NOTHING = masks(Set.of(), Set.of());

    private QpTransitions() {}

    /**
     * Judges a transition.
     *
     * @param mask what is given, STATE included or not
     * @return {@code null} where it is legal, else the reason, naming the attribute
     */
    public static String refusal(QpType type, QpState from, QpState to, Set<QpAttribute> mask) {
        if (mask.contains(CUR_STATE) && !mayClaim(from)) {
            return "CUR_STATE cannot be given in " + from;
        }
        Masks masks = masks(type, from, to);
        if (masks == null) {
            return type + " cannot go from " + from + " to " + to;
        }
        for (QpAttribute required : masks.required) {
            if (!mask.contains(required)) {
                return from + " to " + to + " of " + type + " needs " + required;
            }
        }
        for (QpAttribute given : mask) {
            if (given != STATE && !masks.required.contains(given) && !masks.optional.contains(given)) {
                return from + " to " + to + " of " + type + " does not take " + given;
            }
        }
        return null;
    }

    private static boolean mayClaim(QpState state) {
        return state == QpState.RTR || state == QpState.RTS || state == QpState.SQD || state == QpState.SQE;
    }

    private static Masks masks(QpType type, QpState from, QpState to) {
        if (to == QpState.RESET || (to == QpState.ERR && from != QpState.RESET)) {
            return NOTHING;
        }
        return switch (from) {
            case RESET -> to == QpState.INIT ? masks(identity(type), Set.of()) : null;
            case INIT -> fromInit(type, to);
            case RTR -> to == QpState.RTS ? masks(sendSide(type), sendOptions(type)) : null;
            case RTS -> fromRts(type, to);
            case SQD -> fromSqd(type, to);
            case SQE -> fromSqe(type, to);
            case ERR -> null;
        };
    }

    private static Set<QpAttribute> identity(QpType type) {
        return switch (type) {
            case UD -> Set.of(PKEY_INDEX, PORT, QKEY);
            case GSI -> Set.of(PKEY_INDEX, QKEY);
            case RC, UC, XRC_SEND, XRC_RECV -> Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        };
    }

    private static Masks fromInit(QpType type, QpState to) {
        return switch (to) {
            case INIT -> masks(Set.of(), identity(type));
            case RTR ->
                type == QpType.UD || type == QpType.GSI
                        ? masks(Set.of(), Set.of(PKEY_INDEX, QKEY))
                        : masks(receiveSide(type), Set.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
            default -> null;
        };
    }

    private static Set<QpAttribute> receiveSide(QpType type) {
        Set<QpAttribute> connected = Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN);
        return type == QpType.RC || type == QpType.XRC_RECV
                ? plus(connected, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER)
                : connected;
    }

    private static Set<QpAttribute> sendSide(QpType type) {
        return switch (type) {
            case UD, GSI, UC -> Set.of(SQ_PSN);
            case RC, XRC_SEND -> Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC);
            case XRC_RECV -> Set.of(TIMEOUT, SQ_PSN);
        };
    }

    private static Set<QpAttribute> sendOptions(QpType type) {
        Set<QpAttribute> connected = Set.of(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE);
        return switch (type) {
            case UD, GSI -> Set.of(CUR_STATE, QKEY);
            case UC, XRC_SEND -> connected;
            case RC, XRC_RECV -> plus(connected, MIN_RNR_TIMER);
        };
    }

    private static Masks fromRts(QpType type, QpState to) {
        return switch (to) {
            case RTS -> masks(Set.of(), sendOptions(type));
            case SQD -> masks(Set.of(), Set.of(EN_SQD_ASYNC_NOTIFY));
            default -> null;
        };
    }

    private static Masks fromSqd(QpType type, QpState to) {
        return switch (to) {
            case RTS -> masks(Set.of(), sendOptions(type));
            case SQD -> masks(Set.of(), drainedOptions(type));
            default -> null;
        };
    }

    private static Set<QpAttribute> drainedOptions(QpType type) {
        Set<QpAttribute> path = Set.of(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE);
        return switch (type) {
            case UD, GSI -> Set.of(PKEY_INDEX, QKEY);
            case UC -> path;
            case XRC_SEND -> plus(path, PORT, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC);
            case XRC_RECV -> plus(path, PORT, TIMEOUT, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
            case RC ->
                plus(path, PORT, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
        };
    }

    private static Masks fromSqe(QpType type, QpState to) {
        if (to != QpState.RTS) {
            return null;
        }
        return switch (type) {
            case UD, GSI -> masks(Set.of(), Set.of(CUR_STATE, QKEY));
            case UC -> masks(Set.of(), Set.of(CUR_STATE, ACCESS_FLAGS));
            case RC, XRC_SEND, XRC_RECV -> null;
        };
    }

    private static Masks masks(Set<QpAttribute> required, Set<QpAttribute> optional) {
        return new Masks(required, optional);
    }

    private static Set<QpAttribute> plus(Set<QpAttribute> some, QpAttribute... more) {
        EnumSet<QpAttribute> all = EnumSet.copyOf(some);
        all.addAll(Set.of(more));
        return all;
    }
}
