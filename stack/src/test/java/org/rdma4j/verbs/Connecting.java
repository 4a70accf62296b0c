package org.rdma4j.verbs;

import org.rdma4j.memory.AccessFlags;

/** Connects two queue pairs of reliable service with each other. */
final class Connecting {

    static final int ACCESS =
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    private Connecting() {}

    static void both(QueuePair one, QueuePair other) {
        connect(one, other);
        connect(other, one);
    }

    private static void connect(QueuePair qp, QueuePair peer) {
        qp.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ACCESS));
        qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(AhAttributes.to(peer.pd().device().queryGid(0)))
                .pathMtu(1024)
                .destQpNum(peer.qpNum())
                .rqPsn(7)
                .maxDestRdAtomic(4)
                .minRnrTimer(1));
        qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(7)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(4));
    }
}
