package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.PathMigrationState;
import org.rdma4j.verbs.QpAttribute;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.VerbsException;

/**
 * Group QPS: the transitions of {@code ibv_modify_qp} for RC, and the attributes that each one needs and takes
 * (11.2.5.2). The table here is written down from the verbs' documentation, not from the code that is tested.
 */
class TransitionsTest extends RcScene {

    /** What a transition needs, and what it takes besides. */
    private record Row(QpState from, QpState to, Set<QpAttribute> needs, Set<QpAttribute> takes) {}

    private static final Set<QpAttribute> RTS_OPTIONS = EnumSet.of(
            QpAttribute.CUR_STATE,
            QpAttribute.ALT_PATH,
            QpAttribute.ACCESS_FLAGS,
            QpAttribute.PATH_MIG_STATE,
            QpAttribute.MIN_RNR_TIMER);

    private static final Set<QpAttribute> IDENTITY =
            EnumSet.of(QpAttribute.PKEY_INDEX, QpAttribute.PORT, QpAttribute.ACCESS_FLAGS);

    private static final List<Row> TABLE = List.of(
            row(QpState.RESET, QpState.INIT, IDENTITY, none()),
            row(QpState.INIT, QpState.INIT, none(), IDENTITY),
            row(
                    QpState.INIT,
                    QpState.RTR,
                    EnumSet.of(
                            QpAttribute.AV,
                            QpAttribute.PATH_MTU,
                            QpAttribute.DEST_QPN,
                            QpAttribute.RQ_PSN,
                            QpAttribute.MAX_DEST_RD_ATOMIC,
                            QpAttribute.MIN_RNR_TIMER),
                    EnumSet.of(QpAttribute.ALT_PATH, QpAttribute.ACCESS_FLAGS, QpAttribute.PKEY_INDEX)),
            row(
                    QpState.RTR,
                    QpState.RTS,
                    EnumSet.of(
                            QpAttribute.TIMEOUT,
                            QpAttribute.RETRY_CNT,
                            QpAttribute.RNR_RETRY,
                            QpAttribute.SQ_PSN,
                            QpAttribute.MAX_QP_RD_ATOMIC),
                    RTS_OPTIONS),
            row(QpState.RTS, QpState.RTS, none(), RTS_OPTIONS),
            row(QpState.RTS, QpState.SQD, none(), EnumSet.of(QpAttribute.EN_SQD_ASYNC_NOTIFY)),
            row(QpState.SQD, QpState.RTS, none(), RTS_OPTIONS),
            row(
                    QpState.SQD,
                    QpState.SQD,
                    none(),
                    EnumSet.of(
                            QpAttribute.PORT,
                            QpAttribute.AV,
                            QpAttribute.TIMEOUT,
                            QpAttribute.RETRY_CNT,
                            QpAttribute.RNR_RETRY,
                            QpAttribute.MAX_QP_RD_ATOMIC,
                            QpAttribute.MAX_DEST_RD_ATOMIC,
                            QpAttribute.ALT_PATH,
                            QpAttribute.ACCESS_FLAGS,
                            QpAttribute.PKEY_INDEX,
                            QpAttribute.MIN_RNR_TIMER,
                            QpAttribute.PATH_MIG_STATE)));

    /** States in which an RC queue pair can be. */
    private static final List<QpState> STATES =
            List.of(QpState.RESET, QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD, QpState.ERR);

    /** Attributes that can be given a value here; the others are not there yet and have no setter. */
    private static final Set<QpAttribute> SETTABLE =
            EnumSet.complementOf(EnumSet.of(QpAttribute.STATE, QpAttribute.CAP, QpAttribute.RATE_LIMIT));

    private int nextPeer = 0x3000;

    private static Row row(QpState from, QpState to, Set<QpAttribute> needs, Set<QpAttribute> takes) {
        return new Row(from, to, needs, takes);
    }

    private static Set<QpAttribute> none() {
        return EnumSet.noneOf(QpAttribute.class);
    }

    private static Row find(QpState from, QpState to) {
        if (to == QpState.RESET || (to == QpState.ERR && from != QpState.RESET)) {
            return row(from, to, none(), none());
        }
        return TABLE.stream()
                .filter(row -> row.from == from && row.to == to)
                .findFirst()
                .orElse(null);
    }

    @BeforeEach
    void open() {
        open(new Setup());
    }

    private QueuePair pairIn(QpState state) {
        QueuePair qp = device.another(++nextPeer);
        switch (state) {
            case RTS -> {}
            case SQD, ERR -> qp.modify(new QpAttributes().state(state));
            default -> {
                qp.modify(new QpAttributes().state(QpState.RESET));
                for (QpState step : List.of(QpState.INIT, QpState.RTR)) {
                    if (step.ordinal() <= state.ordinal()) {
                        qp.modify(with(find(qp.state(), step).needs, step, qp.state()));
                    }
                }
            }
        }
        assertEquals(state, qp.state());
        return qp;
    }

    /** Legal values for a set of attributes, and the state to go to. */
    private QpAttributes with(Set<QpAttribute> attributes, QpState to, QpState from) {
        QpAttributes values = new QpAttributes().state(to);
        for (QpAttribute attribute : attributes) {
            set(values, attribute, from);
        }
        return values;
    }

    private void set(QpAttributes values, QpAttribute attribute, QpState from) {
        switch (attribute) {
            case CUR_STATE -> values.currentState(from);
            case EN_SQD_ASYNC_NOTIFY -> values.sqdAsyncNotify(true);
            case ACCESS_FLAGS -> values.accessFlags(Setup.ALL_ACCESS);
            case PKEY_INDEX -> values.pkeyIndex(0);
            case PORT -> values.port(1);
            case QKEY -> values.qkey(1);
            case AV -> values.av(AhAttributes.to(HandPlayedLink.PEER));
            case PATH_MTU -> values.pathMtu(256);
            case TIMEOUT -> values.timeout(14);
            case RETRY_CNT -> values.retryCount(1);
            case RNR_RETRY -> values.rnrRetry(1);
            case RQ_PSN -> values.rqPsn(1);
            case SQ_PSN -> values.sqPsn(1);
            case MAX_QP_RD_ATOMIC -> values.maxRdAtomic(1);
            case MAX_DEST_RD_ATOMIC -> values.maxDestRdAtomic(1);
            case MIN_RNR_TIMER -> values.minRnrTimer(1);
            case DEST_QPN -> values.destQpNum(1);
            case ALT_PATH -> values.alternatePath(AhAttributes.to(HandPlayedLink.PEER), 0, 14);
            case PATH_MIG_STATE -> values.migrationState(PathMigrationState.MIGRATED);
            case STATE, CAP, RATE_LIMIT -> throw new AssertionError(attribute);
        }
    }

    private static void refused(QueuePair qp, QpAttributes wanted, String name) {
        QpState before = qp.state();
        VerbsException refusal = assertThrows(VerbsException.class, () -> qp.modify(wanted), name);
        assertEquals(VerbsException.Errno.EINVAL, refusal.errno());
        assertTrue(refusal.getMessage().contains(name), () -> "to name " + name + ": " + refusal.getMessage());
        assertEquals(before, qp.state(), "the state is as it was");
    }

    @Test
    @DisplayName("QPS-10: a transition that is not in the table is refused, naming both states, and changes nothing")
    void notInTheTable() {
        int refused = 0;
        for (QpState from : STATES) {
            for (QpState to : QpState.values()) {
                if (find(from, to) == null) {
                    QueuePair qp = pairIn(from);
                    refused(qp, new QpAttributes().state(to), from + " to " + to);
                    qp.close();
                    refused++;
                }
            }
        }
        assertEquals(6 * 7 - 8 - 6 - 5, refused);
    }

    @Test
    @DisplayName("QPS-10: a transition goes with what it needs, and with all that it takes besides")
    void legalOnes() {
        for (QpState from : STATES) {
            for (QpState to : QpState.values()) {
                Row row = find(from, to);
                if (row == null) {
                    continue;
                }
                QueuePair qp = pairIn(from);
                qp.modify(with(row.needs, to, from));
                assertEquals(to, qp.state(), row::toString);
                qp.close();
                EnumSet<QpAttribute> all = EnumSet.copyOf(row.needs);
                all.addAll(row.takes);
                all.retainAll(SETTABLE);
                qp = pairIn(from);
                qp.modify(with(all, to, from));
                assertEquals(to, qp.state(), row::toString);
                qp.close();
            }
        }
    }

    @Test
    @DisplayName("QPS-10: each attribute that is missing is named, and nothing changes")
    void missingAttributes() {
        for (Row row : TABLE) {
            QueuePair qp = pairIn(row.from);
            for (QpAttribute missing : row.needs) {
                EnumSet<QpAttribute> rest = EnumSet.copyOf(row.needs);
                rest.remove(missing);
                refused(qp, with(rest, row.to, row.from), missing.name());
            }
            qp.close();
        }
    }

    @Test
    @DisplayName("QPS-10: each attribute that a transition does not take is named, and nothing changes")
    void extraAttributes() {
        for (QpState from : STATES) {
            for (QpState to : QpState.values()) {
                Row row = find(from, to);
                if (row == null) {
                    continue;
                }
                QueuePair qp = pairIn(from);
                for (QpAttribute extra : SETTABLE) {
                    if (row.needs.contains(extra) || row.takes.contains(extra)) {
                        continue;
                    }
                    EnumSet<QpAttribute> all = EnumSet.copyOf(row.needs);
                    all.add(extra);
                    refused(qp, with(all, to, from), extra.name());
                }
                qp.close();
            }
        }
    }

    @Test
    @DisplayName("QPS-10: CUR_STATE that is not the current state is refused, naming both")
    void wrongCurrentState() {
        QueuePair qp = pairIn(QpState.RTS);
        refused(qp, new QpAttributes().state(QpState.RTS).currentState(QpState.SQD), "SQD");
    }

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource({
        "ACCESS_FLAGS, 0x40000000",
        "PKEY_INDEX, 1",
        "PORT, 2",
        "PATH_MTU, 300",
        "TIMEOUT, 32",
        "RETRY_CNT, 8",
        "RNR_RETRY, 8",
        "RQ_PSN, 0x1000000",
        "SQ_PSN, -1",
        "MAX_QP_RD_ATOMIC, 129",
        "MAX_DEST_RD_ATOMIC, -1",
        "MIN_RNR_TIMER, 32",
        "DEST_QPN, 0x1000000"
    })
    @DisplayName("QPS-10: a value that is out of range is refused, naming attribute and value")
    void outOfRange(QpAttribute attribute, String text) {
        int value = Integer.decode(text);
        Row row = TABLE.stream()
                .filter(candidate -> candidate.needs.contains(attribute))
                .findFirst()
                .orElseThrow();
        QueuePair qp = pairIn(row.from);
        QpAttributes wanted = with(row.needs, row.to, row.from);
        Map<QpAttribute, Runnable> setters = new EnumMap<>(QpAttribute.class);
        setters.put(QpAttribute.ACCESS_FLAGS, () -> wanted.accessFlags(value));
        setters.put(QpAttribute.PKEY_INDEX, () -> wanted.pkeyIndex(value));
        setters.put(QpAttribute.PORT, () -> wanted.port(value));
        setters.put(QpAttribute.PATH_MTU, () -> wanted.pathMtu(value));
        setters.put(QpAttribute.TIMEOUT, () -> wanted.timeout(value));
        setters.put(QpAttribute.RETRY_CNT, () -> wanted.retryCount(value));
        setters.put(QpAttribute.RNR_RETRY, () -> wanted.rnrRetry(value));
        setters.put(QpAttribute.RQ_PSN, () -> wanted.rqPsn(value));
        setters.put(QpAttribute.SQ_PSN, () -> wanted.sqPsn(value));
        setters.put(QpAttribute.MAX_QP_RD_ATOMIC, () -> wanted.maxRdAtomic(value));
        setters.put(QpAttribute.MAX_DEST_RD_ATOMIC, () -> wanted.maxDestRdAtomic(value));
        setters.put(QpAttribute.MIN_RNR_TIMER, () -> wanted.minRnrTimer(value));
        setters.put(QpAttribute.DEST_QPN, () -> wanted.destQpNum(value));
        setters.get(attribute).run();
        refused(qp, wanted, attribute.name());
        String shown = attribute == QpAttribute.ACCESS_FLAGS ? "0x40000000" : Integer.toString(value);
        refused(qp, wanted, shown);
    }
}
