package org.rdma4j.tools.perf;

import org.rdma4j.tools.exchange.KeyRecord;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Grh;

/** How a test's queue pairs come to life: perftest's values for each transport service. */
final class ServiceSetup {

    /** The Q_Key of both ends. */
    static final int Q_KEY = 0x1111_1111;

    private static final int MIN_RNR_TIMER = 12;
    private static final int RETRIES = 7;

    private final Plan plan;
    private final Dialogue.Terms terms;

    ServiceSetup(Plan plan, Dialogue.Terms terms) {
        this.plan = plan;
        this.terms = terms;
    }

    private boolean isDatagram() {
        return plan.connection() == QpType.UD;
    }

    /** Bytes in front of a message where it is received. */
    int headroom() {
        return isDatagram() ? Grh.LENGTH : 0;
    }

    QpInitAttributes queuePair(CompletionQueue cq) {
        return switch (plan.connection()) {
            case UC -> QpInitAttributes.uc(cq);
            case UD -> QpInitAttributes.ud(cq);
            case XRC_SEND -> QpInitAttributes.xrcSend(cq);
            default -> QpInitAttributes.rc(cq);
        };
    }

    /** @param access what the peer may do */
    void initialize(QueuePair qp, int access) {
        QpAttributes identity =
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1);
        qp.modify(isDatagram() ? identity.qkey(Q_KEY) : identity.accessFlags(access));
    }

    /**
     * Takes a queue pair to RTS.
     *
     * @return the way of its datagrams; {@code null} where it is connected
     */
    AddressHandle connect(QueuePair qp, KeyRecord own, KeyRecord remote) {
        AhAttributes way = new AhAttributes(remote.gid(), 0, plan.serviceLevel() << 5, 0, plan.gidIndex());
        QpAttributes receiving = new QpAttributes().state(QpState.RTR);
        QpAttributes sending = new QpAttributes().state(QpState.RTS).sqPsn(own.psn());
        if (!isDatagram()) {
            receiving.av(way).pathMtu(terms.mtu()).destQpNum(remote.qpn()).rqPsn(remote.psn());
        }
        if (plan.isReliable()) {
            if (!plan.isXrc()) {
                receiving.maxDestRdAtomic(plan.outReads()).minRnrTimer(MIN_RNR_TIMER);
            }
            sending.timeout(plan.timeout())
                    .retryCount(RETRIES)
                    .rnrRetry(RETRIES)
                    .maxRdAtomic(Math.min(plan.outReads(), Math.max(1, remote.outReads())));
        }
        qp.modify(receiving);
        qp.modify(sending);
        return isDatagram() ? qp.pd().createAh(way) : null;
    }

    /** Takes the receiving end of an XRC connection to RTS. */
    void connectTarget(QueuePair qp, KeyRecord own, KeyRecord remote) {
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(remote.gid(), 0, plan.serviceLevel() << 5, 0, plan.gidIndex()))
                .pathMtu(terms.mtu())
                .destQpNum(remote.qpn())
                .rqPsn(remote.psn())
                .maxDestRdAtomic(plan.outReads())
                .minRnrTimer(MIN_RNR_TIMER));
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(own.psn()).timeout(plan.timeout()));
    }
}
