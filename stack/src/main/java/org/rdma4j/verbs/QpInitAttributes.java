package org.rdma4j.verbs;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}).
 *
 * @param type the transport service
 * @param sendCq where sends complete
 * @param receiveCq where receives complete
 * @param maxSendWr sends that may be outstanding
 * @param maxReceiveWr receives that may wait
 * @param maxSendSge pieces of memory a send, 1 to 32
 * @param maxReceiveSge pieces of memory a receive, 1 to 32
 * @param maxInlineData bytes that a send may carry itself
 * @param signalAll every send gives a completion ({@code sq_sig_all})
 * @param srq where receives are posted instead, or {@code null}; the depth and SGEs of receives are its own then
 * @param extendedOps FLUSH and ATOMIC_WRITE are posted and taken: the peer is known to have them
 */
public record QpInitAttributes(
        QpType type,
        CompletionQueue sendCq,
        CompletionQueue receiveCq,
        int maxSendWr,
        int maxReceiveWr,
        int maxSendSge,
        int maxReceiveSge,
        int maxInlineData,
        boolean signalAll,
        SharedReceiveQueue srq,
        boolean extendedOps) {

    /** RC with both queues on one CQ, 128 sends, 512 receives, one piece each, 64 bytes inline. */
    public static QpInitAttributes rc(CompletionQueue cq) {
        return new QpInitAttributes(QpType.RC, cq, cq, 128, 512, 1, 1, 64, false, null, false);
    }

    /** XRC_SEND: sends as RC has them, and no receives. The receiving end is {@link XrcDomain#createQp}. */
    public static QpInitAttributes xrcSend(CompletionQueue cq) {
        return new QpInitAttributes(QpType.XRC_SEND, cq, cq, 128, 0, 1, 1, 64, false, null, false);
    }

    /** XRC_RECV: no queues at all. */
    static QpInitAttributes xrcReceive(CompletionQueue nowhere) {
        return new QpInitAttributes(QpType.XRC_RECV, nowhere, nowhere, 0, 0, 0, 0, 0, false, null, false);
    }

    /** UC with the same. */
    public static QpInitAttributes uc(CompletionQueue cq) {
        return new QpInitAttributes(QpType.UC, cq, cq, 128, 512, 1, 1, 64, false, null, false);
    }

    /** UD with the same. */
    public static QpInitAttributes ud(CompletionQueue cq) {
        return new QpInitAttributes(QpType.UD, cq, cq, 128, 512, 1, 1, 64, false, null, false);
    }

    /** The queue pair of general services with the same; its Q_Key is {@link QueuePair#GSI_QKEY}. */
    public static QpInitAttributes gsi(CompletionQueue cq) {
        return new QpInitAttributes(QpType.GSI, cq, cq, 128, 512, 1, 1, 64, false, null, false);
    }

    public QpInitAttributes withDepths(int sends, int receives) {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                sends,
                receives,
                maxSendSge,
                maxReceiveSge,
                maxInlineData,
                signalAll,
                srq,
                extendedOps);
    }

    public QpInitAttributes withSge(int send, int receive) {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                maxSendWr,
                maxReceiveWr,
                send,
                receive,
                maxInlineData,
                signalAll,
                srq,
                extendedOps);
    }

    public QpInitAttributes withInline(int bytes) {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                maxSendWr,
                maxReceiveWr,
                maxSendSge,
                maxReceiveSge,
                bytes,
                signalAll,
                srq,
                extendedOps);
    }

    public QpInitAttributes withSignalAll(boolean value) {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                maxSendWr,
                maxReceiveWr,
                maxSendSge,
                maxReceiveSge,
                maxInlineData,
                value,
                srq,
                extendedOps);
    }

    public QpInitAttributes withCqs(CompletionQueue send, CompletionQueue receive) {
        return new QpInitAttributes(
                type,
                send,
                receive,
                maxSendWr,
                maxReceiveWr,
                maxSendSge,
                maxReceiveSge,
                maxInlineData,
                signalAll,
                srq,
                extendedOps);
    }

    public QpInitAttributes withSrq(SharedReceiveQueue value) {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                maxSendWr,
                maxReceiveWr,
                maxSendSge,
                maxReceiveSge,
                maxInlineData,
                signalAll,
                value,
                extendedOps);
    }

    /** FLUSH and ATOMIC_WRITE (annex A19) are spoken with the peer: only where it is known to have them. */
    public QpInitAttributes withExtendedOps() {
        return new QpInitAttributes(
                type,
                sendCq,
                receiveCq,
                maxSendWr,
                maxReceiveWr,
                maxSendSge,
                maxReceiveSge,
                maxInlineData,
                signalAll,
                srq,
                true);
    }
}
