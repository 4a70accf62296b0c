package org.rdma4j.cm;

import java.util.concurrent.CompletableFuture;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.Ece;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMessage;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/**
 * One connection of RC or UC queue pairs, on its active or its passive side (IBTA volume 1, 12.9). It knows no queue
 * pair: its listener moves that, and answers.
 */
final class Connection extends Timed {

    /** What an MRA asks for, 4.096 µs · 2^24: 69 seconds for an application to make up its mind. */
    static final int MRA_SERVICE_TIMEOUT = 24;

    private final Machine machine;
    private final int localId;
    private ConnectionListener listener = ConnectionListener.NOBODY;
    private ConnectionState state = ConnectionState.IDLE;
    private boolean active;
    private boolean peerToPeer;
    private int remoteId;
    private int remoteQpn;
    private Gid remote;
    private CmReq req;
    private long transactionId;
    private int localQpn;

    /** What is sent again when the time is over, or when its question comes again. */
    private CmMad last;

    private Ece localEce = Ece.NONE;
    private Ece remoteEce = Ece.NONE;
    private final PathOffers offers = new PathOffers(this);
    private int retriesLeft;
    private long responseNanos;

    Connection(Machine machine, TimeTable times, int localId) {
        super(times);
        this.machine = machine;
        this.localId = localId;
    }

    // What is known.

    int localId() {
        return localId;
    }

    int remoteId() {
        return remoteId;
    }

    ConnectionState state() {
        return state;
    }

    boolean isActive() {
        return active;
    }

    Gid remote() {
        return remote;
    }

    /** The request that it came from: the peer's on the passive side, our own on the active one. */
    CmReq req() {
        return req;
    }

    int remoteQpn() {
        return remoteQpn;
    }

    /** Our queue pair, 0 before it is known. */
    int localQpn() {
        return localQpn;
    }

    /** What the peer's queue pair offers; nothing before its REQ or REP has come. */
    Ece remoteEce() {
        return remoteEce;
    }

    /** What goes along with our REQ or REP. */
    void offer(Ece ece) {
        localEce = ece;
    }

    void listen(ConnectionListener events) {
        listener = events;
    }

    private void tell(ConnectionEvent event, long now) {
        machine.tell(listener, this, event, now);
    }

    // Active side: what the application asks for.

    /** Sends a REQ; its communication ID is filled in. */
    void connect(CmReq wanted, Gid remotePort, boolean peer, ConnectionListener events, long now) {
        listener = events;
        active = true;
        peerToPeer = peer;
        remote = remotePort;
        req = wanted;
        localQpn = wanted.localQpn();
        transactionId = machine.freshTransactionId();
        int ackTimeout = wanted.primaryPath().ackTimeout();
        responseNanos = CmTime.response(wanted.remoteResponseTimeout(), ackTimeout);
        go(ConnectionState.REQ_SENT);
        sendReliably(wanted, wanted.maxCmRetries(), now);
    }

    /** The queue pair is ready: sends RTU. */
    void ready(PrivateData privateData, long now) {
        require(state == ConnectionState.REP_RCVD, "take a reply");
        go(ConnectionState.ESTABLISHED);
        last = mad(new CmRtu(localId, remoteId, privateData));
        send(last);
    }

    // Passive side.

    /** A REQ came; the machine has looked whether it may be. */
    void requested(CmReq request, CmMad mad, Gid sender) {
        active = false;
        remote = sender;
        req = request;
        transactionId = mad.transactionId();
        remoteEce = new Ece(request.eceVendorId(), mad.attributeModifier());
        remoteId = request.localCommId();
        remoteQpn = request.localQpn();
        responseNanos = CmTime.response(
                request.localResponseTimeout(), request.primaryPath().ackTimeout());
        go(ConnectionState.REQ_RCVD);
    }

    /** Accepts: sends a REP; the communication IDs are the machine's part, see {@link #localId}. */
    void accept(CmRep rep, long now) {
        require(state == ConnectionState.REQ_RCVD, "accept");
        localQpn = rep.localQpn();
        go(ConnectionState.REP_SENT);
        sendReliably(rep, req.maxCmRetries(), now);
    }

    /** The first packet on the queue pair is as good as an RTU (12.9.6). */
    void communicationEstablished(long now) {
        if (state == ConnectionState.REP_SENT) {
            cancelDeadline();
            go(ConnectionState.ESTABLISHED);
            tell(new ConnectionEvent.Established(PrivateData.EMPTY), now);
        }
    }

    // Either side.

    /** Does not want it: sends REJ. */
    void reject(RejReason reason, PrivateData info, PrivateData privateData, long now) {
        CmAnswered answered = switch (state) {
            case REQ_RCVD -> CmAnswered.REQ;
            case REP_RCVD -> CmAnswered.REP;
            case IDLE, REQ_SENT, REP_SENT, ESTABLISHED, DREQ_SENT, DREQ_RCVD, TIMEWAIT, CLOSED -> CmAnswered.OTHER;
        };
        last = mad(CmRej.of(localId, remoteId, answered, reason, info, privateData));
        send(last);
        // Kept for a while, so that its REQ, come again, gets the same answer.
        machine.forgetQpn(this);
        enterTimeWait(now);
    }

    /** Ends it: sends DREQ. */
    void disconnect(PrivateData privateData, long now) {
        require(state == ConnectionState.ESTABLISHED, "disconnect");
        transactionId = machine.freshTransactionId();
        go(ConnectionState.DREQ_SENT);
        sendReliably(new CmDreq(localId, remoteId, remoteQpn, privateData), req.maxCmRetries(), now);
    }

    /** Sends DREP. Where the connection is stale our own DREQ is out, and nothing is to be answered. */
    void answerDisconnect(PrivateData privateData, long now) {
        if (state == ConnectionState.DREQ_SENT) {
            return;
        }
        require(state == ConnectionState.DREQ_RCVD, "answer a disconnect");
        last = mad(new CmDrep(localId, remoteId, privateData));
        send(last);
        enterTimeWait(now);
    }

    /** Nobody cares for it any more: it ends as its state asks for, and tells nobody. */
    void abandon(long now) {
        listener = ConnectionListener.NOBODY;
        switch (state) {
            case IDLE -> close();
            case REQ_SENT -> giveUp(now);
            case REQ_RCVD, REP_SENT, REP_RCVD ->
                reject(RejReason.CONSUMER_DEFINED, PrivateData.EMPTY, PrivateData.EMPTY, now);
            case ESTABLISHED -> disconnect(PrivateData.EMPTY, now);
            case DREQ_RCVD -> answerDisconnect(PrivateData.EMPTY, now);
            case DREQ_SENT, TIMEWAIT, CLOSED -> {}
        }
    }

    /** The peer has begun anew with the same queue pair, so this one is dead (12.9.8.3). */
    void stale(long now) {
        switch (state) {
            case ESTABLISHED, REP_SENT -> {
                go(ConnectionState.ESTABLISHED);
                disconnect(PrivateData.EMPTY, now);
                tell(new ConnectionEvent.DisconnectRequest(PrivateData.EMPTY), now);
            }
            case REQ_RCVD -> {
                go(ConnectionState.TIMEWAIT);
                tell(new ConnectionEvent.Rejected(staleReject()), now);
                enterTimeWait(now);
            }
            case IDLE, REQ_SENT, REP_RCVD, DREQ_SENT, DREQ_RCVD, TIMEWAIT, CLOSED -> {}
        }
    }

    private CmRej staleReject() {
        return CmRej.of(
                remoteId, localId, CmAnswered.OTHER, RejReason.STALE_CONNECTION, PrivateData.EMPTY, PrivateData.EMPTY);
    }

    // Messages.

    /** A message whose communication IDs and sender are this connection's. */
    Rule onMessage(CmMad mad, long now) {
        return switch (mad.message()) {
            case CmMra mra -> onMra(mra, now);
            case CmRej rej -> onRej(rej, now);
            case CmRep rep -> onRep(rep, mad.attributeModifier(), now);
            case CmRtu rtu -> onRtu(rtu, now);
            case CmDreq dreq -> onDreq(dreq, mad.transactionId(), now);
            case CmDrep drep -> onDrep(drep, mad.transactionId(), now);
            case CmLap lap -> onLap(lap, mad.transactionId());
            case CmApr apr -> offers.onAnswer(apr, mad.transactionId());
            case CmReq _, CmSidrReq _, CmSidrRep _ -> Rule.CM_WRONG_STATE;
        };
    }

    /** The REQ that this connection came from has come again. */
    Rule onDuplicateReq(long now) {
        switch (state) {
            case REQ_RCVD ->
                send(mad(new CmMra(localId, remoteId, CmAnswered.REQ, MRA_SERVICE_TIMEOUT, PrivateData.EMPTY)));
            case REP_SENT -> send(last);
            case TIMEWAIT -> {
                if (last != null && last.message() instanceof CmRej) {
                    send(last);
                }
            }
            case IDLE, REQ_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT, DREQ_RCVD, CLOSED -> {}
        }
        return Rule.CM_DUPLICATE;
    }

    /** The peer's REQ of a simultaneous connect is the one that counts: ours is forgotten. */
    void yieldTo(CmReq request, CmMad mad, Gid sender, long now) {
        cancelDeadline();
        requested(request, mad, sender);
        tell(new ConnectionEvent.PeerRequest(request), now);
    }

    private Rule onMra(CmMra mra, long now) {
        boolean awaited = (state == ConnectionState.REQ_SENT && mra.answered() == CmAnswered.REQ)
                || (state == ConnectionState.REP_SENT && mra.answered() == CmAnswered.REP)
                || (offers.isOut() && mra.answered() == CmAnswered.OTHER);
        if (!awaited) {
            return Rule.CM_WRONG_STATE;
        }
        setDeadline(now + CmTime.nanos(mra.serviceTimeout()) + responseNanos);
        return Rule.ACCEPTED;
    }

    private Rule onRep(CmRep rep, int modifier, long now) {
        switch (state) {
            case REQ_SENT -> {
                remoteEce = new Ece(rep.eceVendorId(), modifier);
                return take(rep, now);
            }
            case REP_RCVD ->
                send(mad(new CmMra(localId, remoteId, CmAnswered.REP, MRA_SERVICE_TIMEOUT, PrivateData.EMPTY)));
            case ESTABLISHED -> {
                if (!active) {
                    return Rule.CM_WRONG_STATE;
                }
                send(last);
            }
            // It was over before the peer knew that it stood.
            case TIMEWAIT -> machine.rejectUnknown(remote, localId, remoteId, CmAnswered.REP, transactionId);
            case IDLE, REQ_RCVD, REP_SENT, DREQ_SENT, DREQ_RCVD, CLOSED -> {
                return Rule.CM_WRONG_STATE;
            }
        }
        return Rule.CM_DUPLICATE;
    }

    private Rule take(CmRep rep, long now) {
        remoteId = rep.localCommId();
        remoteQpn = rep.localQpn();
        cancelDeadline();
        RejReason refusal = null;
        if (!machine.holdQpn(this)) {
            refusal = RejReason.STALE_CONNECTION;
        } else if (rep.initiatorDepth() > req.responderResources()) {
            // It wants to have more READs outstanding than we have said that we take (12.6.8).
            refusal = RejReason.INSUFFICIENT_RESP_RESOURCES;
        }
        go(ConnectionState.REP_RCVD);
        if (refusal != null) {
            CmRej rej = CmRej.of(localId, remoteId, CmAnswered.REP, refusal, PrivateData.EMPTY, PrivateData.EMPTY);
            reject(refusal, PrivateData.EMPTY, PrivateData.EMPTY, now);
            tell(new ConnectionEvent.Rejected(rej), now);
            return Rule.CM_REFUSED;
        }
        tell(new ConnectionEvent.Reply(rep), now);
        return Rule.ACCEPTED;
    }

    private Rule onRtu(CmRtu rtu, long now) {
        if (state == ConnectionState.REP_SENT) {
            cancelDeadline();
            go(ConnectionState.ESTABLISHED);
            tell(new ConnectionEvent.Established(rtu.privateData()), now);
            return Rule.ACCEPTED;
        }
        return active ? Rule.CM_WRONG_STATE : Rule.CM_DUPLICATE;
    }

    private Rule onRej(CmRej rej, long now) {
        boolean counts = switch (state) {
            case REQ_SENT -> {
                // Both sides of a simultaneous connect try until the other one is there too.
                boolean notThereYet = peerToPeer && rej.reason() == RejReason.INVALID_SERVICE_ID.number();
                yield rej.answered() != CmAnswered.REP && !notThereYet;
            }
            case REP_SENT, REQ_RCVD, DREQ_RCVD -> rej.answered() != CmAnswered.REQ;
            case REP_RCVD, ESTABLISHED, DREQ_SENT ->
                rej.answered() != CmAnswered.REQ && (rej.answered() == CmAnswered.OTHER || !active);
            case IDLE, TIMEWAIT, CLOSED -> false;
        };
        if (!counts) {
            return Rule.CM_WRONG_STATE;
        }
        boolean ending = state == ConnectionState.DREQ_SENT;
        boolean everStood = state != ConnectionState.REQ_SENT && state != ConnectionState.REQ_RCVD;
        if (everStood) {
            enterTimeWait(now);
        } else {
            close();
        }
        tell(
                ending ? new ConnectionEvent.Disconnected(true, PrivateData.EMPTY) : new ConnectionEvent.Rejected(rej),
                now);
        return Rule.ACCEPTED;
    }

    private Rule onDreq(CmDreq dreq, long tid, long now) {
        if (dreq.remoteQpn() != localQpn) {
            return Rule.CM_UNKNOWN_ID;
        }
        switch (state) {
            case ESTABLISHED, REP_SENT, REP_RCVD -> {
                transactionId = tid;
                cancelDeadline();
                go(ConnectionState.DREQ_RCVD);
                tell(new ConnectionEvent.DisconnectRequest(dreq.privateData()), now);
            }
            case DREQ_SENT -> {
                // Both at once: each answers the other (12.9.7).
                transactionId = tid;
                last = mad(new CmDrep(localId, remoteId, PrivateData.EMPTY));
                send(last);
                enterTimeWait(now);
                tell(new ConnectionEvent.Disconnected(true, dreq.privateData()), now);
            }
            case TIMEWAIT -> {
                send(new CmMad(tid, 0, new CmDrep(localId, remoteId, PrivateData.EMPTY)));
                return Rule.CM_DUPLICATE;
            }
            case DREQ_RCVD -> {
                return Rule.CM_DUPLICATE;
            }
            case IDLE, REQ_SENT, REQ_RCVD, CLOSED -> {
                return Rule.CM_WRONG_STATE;
            }
        }
        return Rule.ACCEPTED;
    }

    private Rule onDrep(CmDrep drep, long tid, long now) {
        if (state != ConnectionState.DREQ_SENT || tid != transactionId) {
            return state == ConnectionState.TIMEWAIT ? Rule.CM_DUPLICATE : Rule.CM_WRONG_STATE;
        }
        enterTimeWait(now);
        tell(new ConnectionEvent.Disconnected(true, drep.privateData()), now);
        return Rule.ACCEPTED;
    }

    /** Only the side that was asked for the connection is offered another path (12.8.1). */
    private Rule onLap(CmLap lap, long tid) {
        boolean stands = state == ConnectionState.ESTABLISHED || state == ConnectionState.REP_SENT;
        return stands && !active ? offers.onOffer(lap, tid, listener) : Rule.CM_WRONG_STATE;
    }

    /** Offers the peer another path. @return done once the peer has loaded it */
    CompletableFuture<Void> offer(CmPath path, long now) {
        require(state == ConnectionState.ESTABLISHED && active && !offers.isOut(), "offer another path for");
        return offers.send(path, machine.freshTransactionId(), now);
    }

    /** Waits for an answer once more. */
    void awaitAnswer(long now) {
        setDeadline(now + responseNanos);
    }

    void answered() {
        cancelDeadline();
    }

    // Time.

    @Override
    void onDeadline(long now) {
        switch (state) {
            case REQ_SENT, REP_SENT, DREQ_SENT -> {
                if (retriesLeft > 0) {
                    retriesLeft--;
                    send(last);
                    setDeadline(now + responseNanos);
                } else {
                    giveUp(now);
                }
            }
            case TIMEWAIT -> {
                close();
                tell(new ConnectionEvent.TimeWaitExit(), now);
            }
            case ESTABLISHED -> offers.onDeadline(now);
            case IDLE, REQ_RCVD, REP_RCVD, DREQ_RCVD, CLOSED -> {}
        }
    }

    /** All retries are used up: says so to the peer, who may hear it, and to the application. */
    private void giveUp(long now) {
        switch (state) {
            case REQ_SENT -> {
                send(mad(timeoutReject()));
                close();
                tell(new ConnectionEvent.Unreachable(CmAnswered.REQ), now);
            }
            case REP_SENT -> {
                send(mad(timeoutReject()));
                enterTimeWait(now);
                tell(new ConnectionEvent.Unreachable(CmAnswered.REP), now);
            }
            case DREQ_SENT -> {
                enterTimeWait(now);
                tell(new ConnectionEvent.Disconnected(false, PrivateData.EMPTY), now);
            }
            case IDLE, REQ_RCVD, REP_RCVD, ESTABLISHED, DREQ_RCVD, TIMEWAIT, CLOSED -> {}
        }
    }

    /** The peer may not know our ID yet, so it comes with our CA GUID (12.6.7.2). */
    private CmRej timeoutReject() {
        return CmRej.of(
                localId,
                remoteId,
                CmAnswered.OTHER,
                RejReason.TIMEOUT,
                Machine.guidInfo(machine.caGuid()),
                PrivateData.EMPTY);
    }

    private void enterTimeWait(long now) {
        go(ConnectionState.TIMEWAIT);
        setDeadline(now + CmTime.timeWait(req.primaryPath().ackTimeout()));
    }

    private void close() {
        cancelDeadline();
        go(ConnectionState.CLOSED);
        last = null;
        machine.forget(this);
    }

    private void sendReliably(CmMessage message, int retries, long now) {
        last = mad(message);
        retriesLeft = retries;
        send(last);
        setDeadline(now + responseNanos);
    }

    private CmMad mad(CmMessage message) {
        boolean carriesEce = message instanceof CmReq || message instanceof CmRep;
        return new CmMad(transactionId, carriesEce ? localEce.options() : 0, message);
    }

    void send(CmMad mad) {
        machine.send(remote, mad);
    }

    private void go(ConnectionState next) {
        state = next;
        if (next != ConnectionState.ESTABLISHED) {
            offers.end();
        }
    }

    private void require(boolean allowed, String what) {
        if (!allowed) {
            throw new CmException(CmException.Errno.EINVAL, "cannot " + what + " a connection in state " + state);
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%s connection 0x%08x with %s in %s", active ? "active" : "passive", localId, remote, state);
    }
}
