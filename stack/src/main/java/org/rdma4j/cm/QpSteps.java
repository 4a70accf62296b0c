package org.rdma4j.cm;

import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;

/**
 * The attributes that take a queue pair of a connection from one state to the next ({@code rdma_init_qp_attr}).
 *
 * @param type RC or UC
 * @param av the way to the peer
 * @param pathMtu bytes
 * @param destQpNum the peer's queue pair
 * @param rqPsn where the peer starts: what we have told it
 * @param sqPsn where we start: what it has told us
 * @param responderResources READs and atomics of the peer
 * @param initiatorDepth READs and atomics of ours
 * @param ackTimeout 5 bits
 * @param retryCount 3 bits
 * @param rnrRetry 3 bits
 */
record QpSteps(
        QpType type,
        AhAttributes av,
        int pathMtu,
        int destQpNum,
        int rqPsn,
        int sqPsn,
        int responderResources,
        int initiatorDepth,
        int ackTimeout,
        int retryCount,
        int rnrRetry) {

    /**
     * What our RNR NAKs ask for: 0.64 ms. The standard leaves it to the responder. Linux sets 0, which is 655 ms, and
     * every receive that is posted late costs that much.
     */
    private static final int MIN_RNR_TIMER = 12;

    /** Those of the side that was asked. */
    static QpSteps passive(DeviceContext device, CmReq req, ConnectionParameters given, int startingPsn) {
        return new QpSteps(
                type(req),
                CmPaths.passive(req.primaryPath(), device),
                CmPaths.mtuBytes(req.pathMtu()),
                req.localQpn(),
                startingPsn,
                req.startingPsn(),
                given.responderResources(),
                given.initiatorDepth(),
                req.primaryPath().ackTimeout(),
                req.retryCount(),
                req.rnrRetry());
    }

    /** Those of the side that asked. */
    static QpSteps active(DeviceContext device, CmReq req, CmRep reply, int startingPsn) {
        return new QpSteps(
                type(req),
                CmPaths.active(req.primaryPath(), device),
                CmPaths.mtuBytes(req.pathMtu()),
                reply.localQpn(),
                startingPsn,
                reply.startingPsn(),
                req.responderResources(),
                Math.min(req.initiatorDepth(), reply.responderResources()),
                req.primaryPath().ackTimeout(),
                req.retryCount(),
                reply.rnrRetry());
    }

    private static QpType type(CmReq req) {
        return req.transportType() == CmReq.UC ? QpType.UC : QpType.RC;
    }

    static QpAttributes init(int pkeyIndex) {
        return new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(pkeyIndex)
                .port(1)
                .accessFlags(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    QpAttributes readyToReceive() {
        int access = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
        QpAttributes attributes = new QpAttributes()
                .state(QpState.RTR)
                .av(av)
                .pathMtu(pathMtu)
                .destQpNum(destQpNum)
                .rqPsn(rqPsn);
        if (type == QpType.UC) {
            return attributes.accessFlags(access);
        }
        return attributes
                .accessFlags(
                        responderResources == 0 ? access : access | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC)
                .maxDestRdAtomic(responderResources)
                .minRnrTimer(MIN_RNR_TIMER);
    }

    QpAttributes readyToSend() {
        QpAttributes attributes = new QpAttributes().state(QpState.RTS).sqPsn(sqPsn);
        if (type == QpType.UC) {
            return attributes;
        }
        return attributes
                .timeout(ackTimeout)
                .retryCount(retryCount)
                .rnrRetry(rnrRetry)
                .maxRdAtomic(initiatorDepth);
    }

    /** Takes a queue pair from INIT to RTS. */
    void take(QueuePair qp) {
        qp.modify(readyToReceive());
        qp.modify(readyToSend());
    }

    /** A queue pair of datagrams goes all the way at once. */
    static void takeDatagrams(QueuePair qp, int qkey, int pkeyIndex) {
        qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(pkeyIndex)
                .port(1)
                .qkey(qkey));
        qp.modify(new QpAttributes().state(QpState.RTR));
        qp.modify(new QpAttributes().state(QpState.RTS).sqPsn(0));
    }
}
