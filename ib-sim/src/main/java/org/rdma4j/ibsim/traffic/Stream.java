package org.rdma4j.ibsim.traffic;

import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WrOpcode;

/** Messages from one host to another over a connection of their own, so many at a time: WRITEs, with or without a word at the end. */
public final class Stream {

    private static final int REMOTE_ACCESS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int FOREVER = 7;
    private static final int RNR_TIMER = 1;
    private static final int PSN_MASK = 0xFF_FFFF;

    private final TrafficHost from;
    private final TrafficHost to;
    private final QueuePair sender;
    private final QueuePair receiver;
    private final int number;
    private final int depth;
    private final SendWorkRequest request = new SendWorkRequest();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest();
    private int messageBytes;
    private long unposted;
    private int outstanding;
    private long done;
    private long finishedAt = -1;
    private long bytes;
    private long packets;
    private WcStatus failure;

    Stream(TrafficHost from, TrafficHost to, int depth, int psn) {
        this.from = from;
        this.to = to;
        this.depth = depth;
        sender = from.createQp();
        receiver = to.createQp();
        number = from.add(this);
        connect(sender, receiver, to, psn & PSN_MASK);
        connect(receiver, sender, from, psn & PSN_MASK);
    }

    private static void connect(QueuePair here, QueuePair there, TrafficHost peer, int psn) {
        here.modify(new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(REMOTE_ACCESS));
        here.modify(new QpAttributes()
                .state(QpState.RTR)
                .av(new AhAttributes(
                        peer.host().device().queryGid(0), 0, peer.host().trafficClass(), 0, 0))
                .pathMtu(peer.host().device().maxPathMtu())
                .destQpNum(there.qpNum())
                .rqPsn(psn)
                .maxDestRdAtomic(1)
                .minRnrTimer(RNR_TIMER));
        here.modify(new QpAttributes()
                .state(QpState.RTS)
                .timeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(FOREVER)
                .sqPsn(psn)
                .maxRdAtomic(1));
    }

    /** Sends so many messages more. */
    void send(long messages, int bytes) {
        messageBytes = bytes;
        unposted += messages;
        count(messages, bytes);
        post();
        from.host().work();
    }

    private void post() {
        while (unposted > 0 && outstanding < depth && failure == null) {
            unposted--;
            outstanding++;
            sender.postSend(request.reset(WrOpcode.RDMA_WRITE)
                    .wrId(number)
                    .signaled()
                    .sge(from.region(), 0, messageBytes)
                    .remote(to.region().address(), to.region().rKey()));
        }
    }

    /** Sends one message, whose end the receiver hears of. */
    void sendAndTell(int bytes, int immediate) {
        receiver.postReceive(receive.reset(0));
        outstanding++;
        sender.postSend(request.reset(WrOpcode.RDMA_WRITE_WITH_IMM)
                .wrId(number)
                .signaled()
                .immediate(immediate)
                .sge(from.region(), 0, bytes)
                .remote(to.region().address(), to.region().rKey()));
        messageBytes = bytes;
        count(1, bytes);
        from.host().work();
    }

    void completed() {
        outstanding--;
        done++;
        post();
        if (outstanding == 0 && unposted == 0) {
            finishedAt = from.host().device().now();
        } else {
            from.host().work();
        }
    }

    private void count(long messages, int messageLength) {
        int mtu = from.host().device().maxPathMtu();
        bytes += messages * messageLength;
        packets += messages * ((messageLength + mtu - 1) / mtu);
    }

    boolean sends(int qpNum) {
        return sender.qpNum() == qpNum;
    }

    /** The connection is broken: what is left is not sent. */
    void failed(WcStatus status) {
        if (failure == null) {
            failure = status;
        }
    }

    /** Why it was given up; {@code null} where it was not. */
    public WcStatus failure() {
        return failure;
    }

    /** The sending host's name. */
    public String from() {
        return from.host().name();
    }

    /** The receiving host's name. */
    public String to() {
        return to.host().name();
    }

    /** Packets with payload that it takes where none is sent again. */
    public long packets() {
        return packets;
    }

    /** Bytes that it is to move. */
    public long bytes() {
        return bytes;
    }

    QueuePair receiver() {
        return receiver;
    }

    public boolean isFinished() {
        return failure == null && outstanding == 0 && unposted == 0;
    }

    /** When its last message was acknowledged, ns of virtual time; -1 before the first. */
    public long finishedAt() {
        return finishedAt;
    }

    /** Messages acknowledged. */
    long done() {
        return done;
    }
}
