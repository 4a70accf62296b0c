package org.rdma4j.verbs;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}). It does not change: each {@code with} gives another
 * one.
 */
public final class QpInitAttributes implements Cloneable {

    private static final int SENDS = 128;
    private static final int RECEIVES = 512;
    private static final int INLINE = 64;

    private final QpType type;
    private CompletionQueue sendCq;
    private CompletionQueue receiveCq;
    private int maxSendWr = SENDS;
    private int maxReceiveWr = RECEIVES;
    private int maxSendSge = 1;
    private int maxReceiveSge = 1;
    private int maxInlineData = INLINE;
    private boolean signalAll;
    private SharedReceiveQueue srq;
    private boolean extendedOps;

    private QpInitAttributes(QpType type, CompletionQueue cq) {
        this.type = type;
        this.sendCq = cq;
        this.receiveCq = cq;
    }

    /** A service with both queues on one CQ, 128 sends, 512 receives, one piece each, 64 bytes inline. */
    public static QpInitAttributes of(QpType type, CompletionQueue cq) {
        return new QpInitAttributes(type, cq);
    }

    public static QpInitAttributes rc(CompletionQueue cq) {
        return of(QpType.RC, cq);
    }

    public static QpInitAttributes uc(CompletionQueue cq) {
        return of(QpType.UC, cq);
    }

    public static QpInitAttributes ud(CompletionQueue cq) {
        return of(QpType.UD, cq);
    }

    /** The queue pair of general services; its Q_Key is {@link QueuePair#GSI_QKEY}. */
    public static QpInitAttributes gsi(CompletionQueue cq) {
        return of(QpType.GSI, cq);
    }

    /** XRC_SEND: sends as RC has them, and no receives. The receiving end is {@link XrcDomain#createQp}. */
    public static QpInitAttributes xrcSend(CompletionQueue cq) {
        return of(QpType.XRC_SEND, cq).withDepths(SENDS, 0);
    }

    /** XRC_RECV: no queues at all. */
    static QpInitAttributes xrcReceive(CompletionQueue nowhere) {
        return of(QpType.XRC_RECV, nowhere).withDepths(0, 0).withSge(0, 0).withInline(0);
    }

    private QpInitAttributes copy() {
        try {
            return (QpInitAttributes) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** @param sends that may be outstanding. @param receives that may wait */
    public QpInitAttributes withDepths(int sends, int receives) {
        QpInitAttributes other = copy();
        other.maxSendWr = sends;
        other.maxReceiveWr = receives;
        return other;
    }

    /** Pieces of memory a send and a receive, 1 to 32. */
    public QpInitAttributes withSge(int send, int receive) {
        QpInitAttributes other = copy();
        other.maxSendSge = send;
        other.maxReceiveSge = receive;
        return other;
    }

    /** Bytes that a send may carry itself. */
    public QpInitAttributes withInline(int bytes) {
        QpInitAttributes other = copy();
        other.maxInlineData = bytes;
        return other;
    }

    /** Every send gives a completion ({@code sq_sig_all}). */
    public QpInitAttributes withSignalAll(boolean value) {
        QpInitAttributes other = copy();
        other.signalAll = value;
        return other;
    }

    /** Where sends and receives complete. */
    public QpInitAttributes withCqs(CompletionQueue send, CompletionQueue receive) {
        QpInitAttributes other = copy();
        other.sendCq = send;
        other.receiveCq = receive;
        return other;
    }

    /** Where receives are posted instead, or {@code null}; their depth and pieces are that queue's then. */
    public QpInitAttributes withSrq(SharedReceiveQueue value) {
        QpInitAttributes other = copy();
        other.srq = value;
        return other;
    }

    /** FLUSH and ATOMIC_WRITE (annex A19) are spoken with the peer: only where it is known to have them. */
    public QpInitAttributes withExtendedOps(boolean value) {
        QpInitAttributes other = copy();
        other.extendedOps = value;
        return other;
    }

    public QpType type() {
        return type;
    }

    public CompletionQueue sendCq() {
        return sendCq;
    }

    public CompletionQueue receiveCq() {
        return receiveCq;
    }

    public int maxSendWr() {
        return maxSendWr;
    }

    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    public int maxSendSge() {
        return maxSendSge;
    }

    public int maxReceiveSge() {
        return maxReceiveSge;
    }

    public int maxInlineData() {
        return maxInlineData;
    }

    public boolean signalAll() {
        return signalAll;
    }

    /** {@code null} where receives are posted to the queue pair itself. */
    public SharedReceiveQueue srq() {
        return srq;
    }

    public boolean extendedOps() {
        return extendedOps;
    }
}
