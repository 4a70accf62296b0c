package org.rdma4j.transport;

import org.rdma4j.memory.KeyTable;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;

/**
 * A queue pair as the engine drives it. All methods but the queues' posting sides belong to the driving thread, or to a
 * caller that holds the device's control lock.
 */
public abstract class Qp {

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /** No key is of it. */
    private static final int NO_DOMAIN = -1;

    private final Engine engine;
    final int qpn;
    int pd; // changes only where each message names its own (XRC)
    final boolean signalAll;
    final SendQueue sendQueue;
    final ReceiveQueue receiveQueue;
    final CompletionRing sendRing;
    CompletionRing receiveRing;
    final QpConfig config = new QpConfig();
    private Srq srq;
    private volatile State state = State.RESET;

    // The engine's own fields: membership in its lists, without allocation.
    Qp nextActive;
    boolean isActive;
    Qp nextDoorbell;
    volatile int rung;
    long deadline = NO_DEADLINE;
    long timerKey;
    int timerIndex = -1;

    protected Qp(Engine engine, int qpn, QpParts parts) {
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

    /** The device's keys. */
    public final KeyTable keys() {
        return engine.keys();
    }

    /** The protection domain's number. */
    public final int pd() {
        return pd;
    }

    protected final CompletionRing receiveRing() {
        return receiveRing;
    }

    /** The shared receive queue that it is attached to, or {@code null}. */
    protected final Srq srq() {
        return srq;
    }

    /** The next message is for another queue than its own; {@code null} for none. */
    final void receiveFrom(Srq named, CompletionRing ring) {
        srq = named;
        pd = named == null ? NO_DOMAIN : named.pd();
        receiveRing = ring;
    }

    /** True where it ends up in ERR with receives of shared queues untouched. */
    boolean drawsOnSharedQueues() {
        return srq != null;
    }

    /** Takes the receive for the next message. @return false where none is posted */
    protected final boolean takeReceive(Receive target) {
        return srq == null ? receiveQueue.take(target) : srq.take(target);
    }

    /** The protection domain of the receives' memory: a shared queue has its own. */
    protected final int receivePd() {
        return srq == null ? pd : srq.pd();
    }

    /** The attributes, to be changed before {@link #enter}. */
    public final QpConfig config() {
        return config;
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
        if (Tracing.isOn()) {
            traceState(previous, now);
        }
        onEnter(previous, now);
    }

    private void traceState(State previous, long now) {
        Tracer tracer = engine.tracer();
        if (tracer != null && previous != state) {
            tracer.stateChanged(now, qpn, previous.name(), state.name());
        }
    }

    /** A work request of it was completed. */
    final void traceCompletion(boolean isReceive, long wrId, int status, long bytes) {
        Tracer tracer = engine.tracer();
        if (tracer != null) {
            tracer.completed(engine.now(), qpn, isReceive, wrId, Status.name(status), bytes);
        }
    }

    /** Fails: everything outstanding is flushed, in order. Does nothing in RESET and ERR. */
    protected final void fail(long now, AsyncEventListener.Event event) {
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
    protected final boolean complete(long request, int status) {
        if (status != Status.SUCCESS) {
            engine.errors().sendFailed(status);
        }
        if (Tracing.isOn()) {
            traceCompletion(false, sendQueue.wrId(request), status, sendQueue.length(request));
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
    protected final void completeHead() {
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

    /** It has gone from {@code previous} to its state. */
    protected abstract void onEnter(State previous, long now);

    /** It was destroyed. */
    protected abstract void removed();

    /** Sends what may be sent. */
    protected abstract Turn transmit(long now, int budget);

    /** The deadline has passed. */
    protected abstract void onDeadline(long now);

    /** Sets the time of the next {@link #onDeadline}, {@link Long#MAX_VALUE} for none. */
    protected final void setDeadline(long time) {
        if (time != deadline) {
            deadline = time;
            engine.timers().update(this);
            if (Tracing.isOn()) {
                traceTimer(time);
            }
        }
    }

    private void traceTimer(long time) {
        Tracer tracer = engine.tracer();
        if (tracer != null) {
            tracer.timerSet(engine.now(), qpn, time);
        }
    }

    /** Its time has come. */
    final void timerFired(long now) {
        if (Tracing.isOn()) {
            Tracer tracer = engine.tracer();
            if (tracer != null) {
                tracer.timerFired(now, qpn);
            }
        }
        onDeadline(now);
    }

    /** Tells a tracer what was posted; by the thread that posted it. */
    public final void tracePost(boolean isReceive, long wrId, String operation, long bytes) {
        Tracer tracer = engine.tracer();
        if (tracer != null) {
            tracer.posted(qpn, isReceive, wrId, operation, bytes);
        }
    }
}
