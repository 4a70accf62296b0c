package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.transport.AsyncEventListener.Event;
import org.rdma4j.transport.Qp;
import org.rdma4j.transport.QpParts;
import org.rdma4j.transport.Receive;
import org.rdma4j.transport.State;
import org.rdma4j.transport.Status;
import org.rdma4j.transport.Turn;

/**
 * A queue pair of an iWARP device: a reliable connection that is a TCP stream. The states of the RDMA protocol verbs are
 * told as those of InfiniBand's, the way siw does it: Idle is RESET or INIT, RTS is RTS, Closing is SQD, Terminate is SQE,
 * Error is ERR.
 *
 * <p>What is posted while it closes or terminates is flushed with the rest, once the stream is over.
 */
public final class IwarpQp extends Qp {

    /** So long a Terminate or the last requests may wait for a peer that takes nothing. */
    private static final long PATIENCE = 2_000_000_000L;

    private final IwarpEngine engine;

    /** Whose stream it has or is promised; {@code null} for none. */
    private Connection connection;

    private RdmapSender sender;
    private RdmapReceiver receiver;
    private boolean finished;
    private TerminateCode terminating;

    IwarpQp(IwarpEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        this.engine = engine;
    }

    // The connection's side.

    /** True where it can be given a stream. */
    boolean isIdle() {
        return state() == State.INIT && connection == null;
    }

    /** It will be given this connection's stream, if one comes of it. */
    void promise(Connection one) {
        connection = one;
    }

    /** Nothing comes of it: it is idle again. */
    void release() {
        connection = null;
    }

    /**
     * Goes to RTS on the stream of the connection that it is promised to.
     *
     * @param asks this side has asked for the connection
     */
    void start(StreamSocket socket, StreamRules rules, boolean asks, long now) {
        InboundReads reads = new InboundReads();
        sender = new RdmapSender(this, socket, rules, reads);
        receiver = new RdmapReceiver(this, rules, reads, sender);
        config().maxDestRdAtomic = rules.ird();
        config().maxRdAtomic = rules.ord();
        if (rules.ready() != null && asks) {
            sender.sendReady();
            receiver.expectResponse(rules.ready());
        } else if (rules.ready() != null) {
            receiver.expectReady(rules.ready());
        }
        enter(State.RTS, now);
    }

    /** A ULPDU of the stream. @return false where no more is taken */
    boolean onSegment(MemorySegment segment, long at, int length) {
        return receiver.onSegment(segment, at, length);
    }

    /** TCP takes bytes again. */
    void onWritable() {
        sender.unblock();
        activate();
    }

    /** TCP takes nothing before {@link #onWritable}. */
    void block() {
        sender.block();
    }

    /** Nothing but a Terminate is sent before {@link #letGo}. */
    void hold() {
        sender.hold(true);
    }

    void letGo() {
        sender.hold(false);
        activate();
    }

    /** The stream is over: everything is flushed. */
    void onStreamOver(long now) {
        connection = null;
        fail(now, null);
    }

    /** True where a message has begun to arrive and not ended. */
    boolean isAmidMessage() {
        return receiver != null && receiver.isAmidMessage();
    }

    // Errors.

    /** Ends the stream with a Terminate; the first one counts. */
    void terminate(TerminateMessage message) {
        if (!isOpen()) {
            return;
        }
        sender.terminate(message);
        enter(State.SQE, engine.now());
        engine.raise(this, isProtection(message.code()) ? Event.QP_ACCESS_ERR : Event.QP_REQ_ERR);
        terminating = message.code();
        connection.onTerminating();
    }

    private static boolean isProtection(TerminateCode code) {
        return code.layer() != TerminateCode.LAYER_LLP && code.errorType() == 1;
    }

    /** The peer has ended the stream with a Terminate. @param code {@code null} where nobody knows what it means */
    void terminated(TerminateCode code) {
        leaveAndFail(Event.QP_FATAL).onTerminated(code);
    }

    /** Memory went under a FPDU that TCP has a part of: nothing can be said on this stream any more. */
    void breakStream() {
        leaveAndFail(Event.QP_FATAL).onUnusable("the memory of a message went while it was being sent");
    }

    private Connection leaveAndFail(Event event) {
        Connection left = connection;
        connection = null;
        fail(engine.now(), event);
        return left;
    }

    // For the parts.

    /** True where requests of both sides are executed. */
    boolean isOpen() {
        return state() == State.RTS || state() == State.SQD;
    }

    void activate() {
        engine.wake(this);
    }

    boolean take(Receive target) {
        return takeReceive(target);
    }

    /** The protection domain of the receives' memory. */
    int receiveDomain() {
        return receivePd();
    }

    void completeOldest() {
        completeHead();
    }

    /** The oldest request ends with a status. */
    void failOldest(int status) {
        complete(sendQueue().head(), status);
        sendQueue().release();
    }

    /** The oldest request cannot be executed: that ends the stream. */
    void failHead(int status) {
        failOldest(status);
        terminate(TerminateMessage.of(TerminateCode.RDMAP_CATASTROPHIC));
    }

    void completeReceive(Receive receive, int status, int opcode, int flags, int bytes, int data, boolean solicited) {
        if (status != Status.SUCCESS) {
            engine.errors().receiveFailed(status);
        }
        boolean added = receiveRing().push(receive.wrId(), status, opcode, flags, qpn(), bytes, data, solicited);
        receive.clear();
        if (!added && status == Status.SUCCESS) {
            fail(engine.now(), Event.QP_FATAL);
        }
    }

    /** Hands a train to TCP. @return bytes taken */
    int write(StreamSocket socket, int skip) {
        return engine.write(socket, skip);
    }

    // Driving.

    @Override
    protected Turn transmit(long now, int budget) {
        switch (state()) {
            case RTS, SQD, SQE -> {
                Turn turn = sender.transmit(engine.train(), engine.plan(), engine.cursor(), budget);
                endWhereDone(now);
                return turn;
            }
            case ERR -> flush(); // what was posted after the fall
            case RESET, INIT, RTR -> {}
        }
        return Turn.DONE;
    }

    private void endWhereDone(long now) {
        if (state() == State.SQD && sender.isDrained() && !finished) {
            finished = true;
            connection.onDrained();
        } else if (state() == State.SQE && sender.isOver()) {
            Connection left = connection;
            onStreamOver(now);
            left.onTerminateSent(terminating);
        }
    }

    @Override
    protected void onEnter(State previous, long now) {
        switch (state()) {
            case INIT, RTR -> {}
            case RTS -> activate();
            case SQD, SQE -> {
                setDeadline(now + PATIENCE);
                activate();
            }
            case ERR -> {
                leave();
                flush();
                if (srq() != null) {
                    engine.raise(this, Event.QP_LAST_WQE_REACHED);
                }
                activate(); // a receive that another thread posts at this moment is flushed too
            }
            case RESET -> {
                leave();
                discard();
            }
        }
    }

    /** The owner of the queue pair has done with its stream, if it has one. */
    private void leave() {
        setDeadline(Long.MAX_VALUE);
        finished = false;
        if (connection != null) {
            Connection left = connection;
            connection = null;
            left.onAbandoned();
        }
    }

    private void flush() {
        while (sendQueue().head() != sendQueue().tail()) {
            failOldest(Status.WR_FLUSH_ERR);
        }
        if (receiver != null) {
            receiver.flush();
            receiver = null;
            sender = null;
        }
        Receive rest = new Receive();
        while (receiveQueue().take(rest)) {
            completeReceive(rest, Status.WR_FLUSH_ERR, Status.WC_RECV, 0, 0, 0, false);
        }
    }

    private void discard() {
        while (sendQueue().head() != sendQueue().tail()) {
            sendQueue().release();
        }
        Receive rest = new Receive();
        while (receiveQueue().take(rest)) {
            rest.clear();
        }
        receiver = null;
        sender = null;
    }

    /** A peer that takes nothing, or does not end its stream, does not keep this one from its end. */
    @Override
    protected void onDeadline(long now) {
        if (state() == State.SQE || state() == State.SQD) {
            leaveAndFail(null).onPatienceOver();
        }
    }

    @Override
    protected void removed() {
        engine.forget(this);
    }

    @Override
    public void rerouted() {}

    @Override
    public void notifyWhenDrained() {}

    @Override
    public boolean isDrained() {
        return sendQueue().head() == sendQueue().tail();
    }
}
