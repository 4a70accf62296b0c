package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;

/**
 * A queue pair as the engine drives it. All methods but the queues' posting sides belong to the driving thread, or to a
 * caller that holds the device's control lock.
 */
public abstract class Qp {

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    final Engine engine;
    final int qpn;
    int pd; // changes only where each message names its own (XRC)
    final boolean signalAll;
    final SendQueue sendQueue;
    final ReceiveQueue receiveQueue;
    final CompletionRing sendRing;
    CompletionRing receiveRing;
    int receiveSource; // what receive completions tell besides: the shared queue's number with XRC
    final QpConfig config = new QpConfig();
    private Srq srq;
    private volatile State state = State.RESET;
    private Flow flow;
    private boolean established;

    // The engine's own fields: membership in its lists, without allocation.
    Qp nextActive;
    boolean isActive;
    Qp nextBlocked;
    Qp previousBlocked;
    long neededRoom;
    boolean isBlocked;
    Qp nextDoorbell;
    volatile int rung;
    long deadline = NO_DEADLINE;
    long timerKey;
    int timerIndex = -1;

    Qp(Engine engine, int qpn, QpParts parts) {
        this.engine = engine;
        this.qpn = qpn;
        this.pd = parts.pd();
        this.signalAll = parts.signalAll();
        this.sendQueue = parts.sendQueue();
        this.receiveQueue = parts.receiveQueue();
        this.srq = parts.srq();
        this.sendRing = parts.sendRing();
        this.receiveRing = parts.receiveRing();
    }

    public final int qpn() {
        return qpn;
    }

    public final State state() {
        return state;
    }

    public final SendQueue sendQueue() {
        return sendQueue;
    }

    public final ReceiveQueue receiveQueue() {
        return receiveQueue;
    }

    /** The shared receive queue that it is attached to, or {@code null}. */
    final Srq srq() {
        return srq;
    }

    /** The next message is for this shared queue. */
    final void receiveFor(XrcSrqs.Entry named) {
        srq = named.srq();
        pd = srq.pd();
        receiveRing = named.ring();
        receiveSource = named.number();
    }

    /** True where it ends up in ERR with receives of shared queues untouched. */
    boolean drawsOnSharedQueues() {
        return srq != null;
    }

    /** Takes the receive for the next message. @return false where none is posted */
    final boolean takeReceive(Receive target) {
        return srq == null ? receiveQueue.take(target) : srq.take(target);
    }

    /** The protection domain of the receives' memory: a shared queue has its own. */
    final int receivePd() {
        return srq == null ? pd : srq.pd();
    }

    /** The attributes, to be changed before {@link #enter}. */
    public final QpConfig config() {
        return config;
    }

    /** The way to the peer that this QP shares with others; {@code null} before RTR. */
    final Flow flow() {
        return flow;
    }

    /** Becomes one of those that send to a peer; {@code null} for to none any more. */
    final void join(Flow peer) {
        if (flow != null) {
            flow.unblock(this);
        }
        flow = peer;
    }

    /** Tells the engine that something was posted; any thread. */
    public final void ringDoorbell() {
        engine.ring(this);
    }

    /**
     * Goes to a state; the caller has checked that the transition is legal and set {@link #config()}.
     *
     * @param now the time in ns
     */
    public final void enter(State next, long now) {
        State previous = state;
        state = next;
        established &= next != State.RESET;
        onEnter(previous, now);
    }

    /** True where a packet comes from the one peer that a connected queue pair has. */
    final boolean isFromPeer(PacketInfo info) {
        return config.route.remote().high() == info.remoteHigh
                && config.route.remote().low() == info.remoteLow;
    }

    /** The first request that finds the queue pair in RTR tells that the peer is there (11.6.3). */
    final void noteFirstRequest() {
        if (!established && (state == State.RTR || config.tellFirstPacket)) {
            established = true;
            engine.event(this, AsyncEventListener.Event.COMM_EST);
        }
    }

    /** Fails: everything outstanding is flushed, in order. Does nothing in RESET and ERR. */
    final void fail(long now, AsyncEventListener.Event event) {
        if (state == State.ERR || state == State.RESET) {
            return;
        }
        enter(State.ERR, now);
        if (event != null) {
            engine.event(this, event);
        }
    }

    /**
     * Puts a posted request's completion into the queue that its poster polls.
     *
     * @return false where that is full
     */
    final boolean complete(long request, int status) {
        if (status != Status.SUCCESS) {
            engine.errors().sendFailed(status);
        }
        return sendRing.push(
                sendQueue.wrId(request),
                status,
                Status.completionOpcode(sendQueue.op(request)),
                0,
                qpn,
                (int) sendQueue.length(request),
                0,
                false);
    }

    /** The oldest request was done: completes it where it or all are signaled, and ends it. */
    final void completeHead() {
        long request = sendQueue.head();
        boolean signaled = signalAll || (sendQueue.flags(request) & Op.SIGNALED) != 0;
        boolean told = !signaled || complete(request, Status.SUCCESS);
        sendQueue.release();
        if (!told) {
            fail(engine.now(), AsyncEventListener.Event.QP_FATAL);
        }
    }

    /** The path was changed in SQD, when nothing is on the way. */
    public abstract void rerouted();

    /** SQD with {@code en_sqd_async_notify}: says when everything that was started is finished. */
    public abstract void notifyWhenDrained();

    /** True in SQD once everything that was started is finished. */
    public abstract boolean isDrained();

    abstract void onEnter(State previous, long now);

    /** The service class of opcodes that this queue pair speaks ({@code Opcode.service}). */
    abstract int service();

    /** A packet whose transport version, P_Key, length and opcode class were right. */
    abstract Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now);

    /** Sends what may be sent. */
    abstract Turn transmit(long now, int budget);

    /** The deadline has passed. */
    abstract void onDeadline(long now);

    /** Some part's own deadline has changed: sets the earliest anew. */
    abstract void updateDeadline();

    /** Sets the time of the next {@link #onDeadline}, {@link Long#MAX_VALUE} for none. */
    final void setDeadline(long time) {
        if (time != deadline) {
            deadline = time;
            engine.timers().update(this);
        }
    }
}
