package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/**
 * The requester of a reliable connection (9.7): numbers requests, sends their packets within the window, takes
 * acknowledgements and responses, and goes back to the oldest missing packet when one was lost.
 *
 * <pre>
 *   head ........ current ....... assigned ........ tail      requests: complete | sent | being sent | numbered | posted
 *   unackedPsn .. sendPsn ....... nextPsn                     PSNs: a go-back moves sendPsn (and current) to the left
 * </pre>
 *
 * No more than 2^23 PSNs are outstanding (9.7.4): one READ of 2^31 bytes at the smallest path MTU takes them all, and the
 * flow's window of bytes lets nothing out behind it.
 */
final class RcRequester {

    /** Room that a packet takes besides its payload: headers, pads, and what a socket adds for itself. */
    private static final int PACKET_OVERHEAD = 64;

    /** An AckReq at the latest after this part of the window, so that acknowledgements come well before its end. */
    private static final int ACKS_PER_WINDOW = 4;

    private static final long NEVER = Long.MAX_VALUE;

    private final IbQp qp;
    private final SendQueue queue;
    private final Packetizer packetizer;

    private long current;
    private long assigned;
    private int unackedPsn;
    private int sendPsn;
    private int sentPsn; // one past the newest PSN ever sent
    private int nextPsn; // the first PSN of the next request to be numbered
    private int nextSsn = 1;
    private int outstandingReads;

    private final Credits credits = new Credits();

    private long inFlight; // this QP's part of the flow's bytes
    private int sinceAckReq;

    private final Retries retries = new Retries();
    private long ackDeadline = NEVER;
    private long rnrDeadline = NEVER;
    private boolean drainWanted;
    private int spentLastTime;

    RcRequester(IbQp qp) {
        this.qp = qp;
        this.queue = qp.sendQueue;
        this.packetizer = new Packetizer(qp);
    }

    /** RTR to RTS: PSNs start at sq_psn, requests posted before a RESET are gone. */
    void start() {
        unackedPsn = qp.config.sqPsn;
        sendPsn = unackedPsn;
        sentPsn = unackedPsn;
        nextPsn = unackedPsn;
        current = queue.head();
        assigned = current;
        nextSsn = 1;
        credits.reset();
        outstandingReads = 0;
        sinceAckReq = 0;
        inFlight = 0;
        retries.progressed(qp.config);
        ackDeadline = NEVER;
        rnrDeadline = NEVER;
    }

    /** New values of counters take effect at once. */
    void reconfigured() {
        drainWanted = false;
        retries.progressed(qp.config);
    }

    void wantDrain() {
        drainWanted = true;
    }

    /** The earliest time at which this side has something to do. */
    long deadline() {
        return Math.min(ackDeadline, rnrDeadline);
    }

    // Sending.

    /** Sends until the budget, the window, or the work is used up. */
    Turn transmit(Transmitter tx, long now, int budget) {
        int spent = 0;
        boolean wasIdle = sendPsn == unackedPsn;
        while (spent < budget) {
            if (rnrDeadline != NEVER) {
                break;
            }
            if (current == assigned && !startNext(now)) {
                break;
            }
            int cost = sendNext(tx, now, budget - spent);
            if (cost == 0) {
                break;
            }
            spent += cost;
        }
        spentLastTime = spent;
        if (spent > 0 && (wasIdle || ackDeadline == NEVER)) {
            restartAckTimer(now);
        }
        return spent >= budget ? Turn.MORE : Turn.DONE;
    }

    /** True where the last {@link #transmit} sent a packet. */
    boolean hasSent() {
        return spentLastTime > 0;
    }

    /** What the last {@link #transmit} used up of its budget. */
    int spent() {
        return spentLastTime;
    }

    /** Numbers the next posted request, unless something has to come first. */
    private boolean startNext(long now) {
        while (qp.state() == State.RTS && current != queue.tail()) {
            int op = queue.op(current);
            boolean alone = current == queue.head();
            if (Op.isLocal(op)) {
                if (!alone || !executeLocally(now)) {
                    return false;
                }
                continue;
            }
            if ((queue.flags(current) & Op.FENCE) != 0 && outstandingReads > 0) {
                return false;
            }
            boolean answered = Op.isAnswered(op);
            if (answered && outstandingReads >= qp.config.maxRdAtomic) {
                if (qp.config.maxRdAtomic == 0 && alone) {
                    failHead(Status.LOC_QP_OP_ERR, now);
                }
                return false;
            }
            if (Op.consumesReceive(op) && !credits.allow(nextSsn) && !alone) {
                return false;
            }
            if (answered && !memoryIsValid(AccessFlags.LOCAL_WRITE, now)) {
                return false;
            }
            int count = Packetizer.psnCount(op, queue.length(current), qp.config.pathMtu);
            queue.number(current, nextPsn, count);
            nextPsn = Psn.add(nextPsn, count);
            nextSsn = Psn.next(nextSsn);
            assigned++;
            if (answered) {
                outstandingReads++;
            }
            return true;
        }
        return false;
    }

    /**
     * Sends the packet at {@code sendPsn}.
     *
     * @return the room that it takes on the way; 0 where it cannot go now
     */
    private int sendNext(Transmitter tx, long now, int budget) {
        if (Op.isAnswered(queue.op(current))) {
            return sendAnswered(tx);
        }
        int index = Psn.distance(sendPsn, queue.firstPsn(current));
        Flow flow = qp.flow();
        int size = Packetizer.payload(queue.length(current), index, qp.config.pathMtu) + PACKET_OVERHEAD;
        if (!flow.admits(size)) {
            flow.block(qp, size);
            return 0;
        }
        // For each packet anew: a region may go under a message that is on its way, waits for room, or is sent again.
        if (!memoryIsValid(0, now)) {
            return 0;
        }
        sinceAckReq += size;
        boolean ackReq = index == queue.psnCount(current) - 1
                || sinceAckReq >= flow.window() / ACKS_PER_WINDOW
                || !flow.admits(2L * size)
                || size >= budget && (qp.engine.othersWait() || flow.isCrowded());
        if (ackReq) {
            sinceAckReq = 0;
        }
        packetizer.sendData(tx, current, index, sendPsn, ackReq);
        account(1, size);
        return size;
    }

    /** The same for a request of one packet that a response answers: a READ asks for all that is missing of its response. */
    private int sendAnswered(Transmitter tx) {
        boolean read = queue.op(current) == Op.RDMA_READ;
        int index = Psn.distance(sendPsn, queue.firstPsn(current));
        long response = read ? queue.length(current) - (long) index * qp.config.pathMtu : 0;
        Flow flow = qp.flow();
        long room = read ? Math.min(response, flow.window() / 2) : PACKET_OVERHEAD;
        if (!flow.admits(room)) {
            flow.block(qp, room);
            return 0;
        }
        if (read) {
            packetizer.sendRead(tx, current, index, sendPsn);
        } else {
            packetizer.sendShort(tx, current, sendPsn);
        }
        account(queue.psnCount(current) - index, response + PACKET_OVERHEAD);
        return PACKET_OVERHEAD;
    }

    /** Fails the current request where its memory cannot be used; what was posted before comes first, so perhaps later. */
    private boolean memoryIsValid(int neededAccess, long now) {
        if (packetizer.memory().isValid(current, neededAccess)) {
            return true;
        }
        if (current == queue.head()) {
            failHead(Status.LOC_PROT_ERR, now);
        }
        return false;
    }

    private void account(int psns, long bytes) {
        sendPsn = Psn.add(sendPsn, psns);
        if (Psn.distance(sendPsn, unackedPsn) > Psn.distance(sentPsn, unackedPsn)) {
            sentPsn = sendPsn;
        }
        inFlight += bytes;
        qp.flow().sent(bytes);
        if (Psn.distance(sendPsn, queue.firstPsn(current)) >= queue.psnCount(current)) {
            current++;
        }
    }

    private boolean executeLocally(long now) {
        int status = LocalOps.execute(qp, current);
        if (status != Status.SUCCESS) {
            failHead(status, now);
            return false;
        }
        queue.number(current, nextPsn, 0);
        current++;
        assigned++;
        completeHead();
        return true;
    }

    // Acknowledgements.

    /** An ACKNOWLEDGE packet (9.7.5.1). */
    Rule onAcknowledge(int psn, int syndrome, int msn, long now) {
        if (Psn.difference(psn, unackedPsn) < 0) {
            if (Syndrome.isAck(syndrome) && psn == Psn.add(unackedPsn, -1)) {
                takeCredits(syndrome, msn); // an unsolicited acknowledgement brings new credits (9.7.7.2.3)
            }
            return Rule.GHOST_ACK;
        }
        if (!isOutstanding(psn)) {
            return Rule.ACK_AHEAD;
        }
        if (Syndrome.isAck(syndrome)) {
            takeCredits(syndrome, msn);
            return acknowledge(Psn.next(psn), now) ? Rule.ACCEPTED_ACK : Rule.RESPONSE_GAP;
        }
        if (Syndrome.isRnrNak(syndrome)) {
            return onRnrNak(psn, Syndrome.value(syndrome), now);
        }
        if (Syndrome.isNak(syndrome)) {
            return onNak(psn, syndrome, now);
        }
        return Rule.AETH_RESERVED;
    }

    /** True for a PSN that was sent and, as the caller knows, not acknowledged before. */
    private boolean isOutstanding(int psn) {
        return Psn.distance(psn, unackedPsn) < Psn.distance(sentPsn, unackedPsn);
    }

    private void takeCredits(int syndrome, int msn) {
        credits.take(syndrome, msn);
        qp.engine.activate(qp);
    }

    /**
     * Everything before {@code end} has arrived.
     *
     * @return false where a READ or atomic that still lacks its response stands in the way: an implied NAK (9.7.5.2.6)
     */
    private boolean acknowledge(int end, long now) {
        boolean whole = true;
        int covered = Psn.distance(end, unackedPsn);
        int reached = 0;
        long request = queue.head();
        while (request != assigned && reached != covered) {
            if (Op.isAnswered(queue.op(request))) {
                whole = false;
                break;
            }
            int afterLast = Psn.distance(Psn.add(queue.firstPsn(request), queue.psnCount(request)), unackedPsn);
            if (covered < afterLast) {
                reached = covered;
                break;
            }
            reached = afterLast;
            request++;
        }
        if (reached > 0) {
            advance(Psn.add(unackedPsn, reached));
            while (queue.head() < request) {
                completeHead();
            }
            if (!qp.state().requests()) {
                return false; // a completion queue overflowed: all is flushed
            }
            retries.progressed(qp.config);
            restartAckTimer(now);
        }
        if (!whole) {
            return requestAgain(now);
        }
        return true;
    }

    /** A response is missing: asks for it again, once until there is progress. Always false. */
    private boolean requestAgain(long now) {
        if (retries.recoverImplied()) {
            retry(unackedPsn, now);
        }
        return false;
    }

    /** Moves the left edge of what is outstanding. */
    private void advance(int end) {
        int acknowledged = Psn.distance(end, unackedPsn);
        int outstanding = Psn.distance(sendPsn, unackedPsn);
        long bytes = acknowledged >= outstanding ? inFlight : inFlight * acknowledged / outstanding;
        inFlight -= bytes;
        qp.flow().acknowledged(bytes);
        unackedPsn = end;
        if (acknowledged > outstanding) {
            moveTo(end);
        }
        qp.engine.activate(qp);
    }

    private Rule onNak(int psn, int syndrome, long now) {
        if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            if (retries.isRecovering() && psn == unackedPsn) {
                return Rule.RECOVERING;
            }
            qp.engine.errors().sequenceNakReceived();
            if (acknowledge(psn, now) && qp.state().requests()) {
                retries.recover();
                retry(psn, now);
            }
            return Rule.NAK_RECEIVED;
        }
        int status = switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> Status.REM_INV_REQ_ERR;
            case Syndrome.NAK_REMOTE_ACCESS -> Status.REM_ACCESS_ERR;
            case Syndrome.NAK_REMOTE_OPERATIONAL -> Status.REM_OP_ERR;
            case Syndrome.NAK_INVALID_RD -> Status.REM_INV_RD_REQ_ERR;
            default -> -1;
        };
        if (status < 0) {
            return Rule.AETH_RESERVED;
        }
        if (acknowledgeForError(psn, now)) {
            failHead(status, now);
        }
        return Rule.NAK_RECEIVED;
    }

    /**
     * Completes what a fatal NAK leaves before itself.
     *
     * @return true where the NAK then names the oldest request; a READ's is refused at any PSN of its own range
     */
    private boolean acknowledgeForError(int psn, long now) {
        long head = queue.head();
        boolean inHead = head != assigned && Psn.distance(psn, queue.firstPsn(head)) < queue.psnCount(head);
        return inHead || (acknowledge(psn, now) && queue.head() != assigned);
    }

    private Rule onRnrNak(int psn, int timerCode, long now) {
        if (rnrDeadline != NEVER) {
            return Rule.RECOVERING;
        }
        if (!acknowledge(psn, now) || !qp.state().requests()) {
            return Rule.RESPONSE_GAP;
        }
        if (!retries.takeRnr(qp.config)) {
            failHead(Status.RNR_RETRY_EXC_ERR, now);
            return Rule.RNR_NAK_RECEIVED;
        }
        moveTo(psn);
        ackDeadline = NEVER;
        rnrDeadline = now + Syndrome.rnrNanos(timerCode);
        qp.updateDeadline();
        return Rule.RNR_NAK_RECEIVED;
    }

    // Responses.

    /** A READ response packet: payload of {@code length} bytes at {@code from}. */
    Rule onReadResponse(int psn, boolean lastOrOnly, MemorySegment packet, long from, int length, long now) {
        Rule order = awaitResponse(psn, now);
        if (order != null) {
            return order;
        }
        long request = queue.head();
        if (!Op.isAnsweredAsRead(queue.op(request))) {
            failHead(Status.BAD_RESP_ERR, now);
            return Rule.RESPONSE_UNEXPECTED;
        }
        int index = Psn.distance(psn, queue.firstPsn(request));
        int count = queue.psnCount(request);
        boolean last = index == count - 1;
        int expected = Packetizer.payload(queue.length(request), index, qp.config.pathMtu);
        if (length != expected || lastOrOnly != last) {
            failHead(Status.BAD_RESP_ERR, now);
            return Rule.RESPONSE_LENGTH;
        }
        long offset = (long) index * qp.config.pathMtu;
        if (length > 0 && !packetizer.memory().scatter(request, offset, packet, from, length)) {
            failHead(Status.LOC_PROT_ERR, now);
            return Rule.ACCEPTED_ACK;
        }
        responseTaken(psn, last, now);
        return Rule.ACCEPTED_ACK;
    }

    /** An ATOMIC ACKNOWLEDGE packet. */
    Rule onAtomicAcknowledge(int psn, long original, long now) {
        Rule order = awaitResponse(psn, now);
        if (order != null) {
            return order;
        }
        long request = queue.head();
        if (!Op.isAtomic(queue.op(request))) {
            failHead(Status.BAD_RESP_ERR, now);
            return Rule.RESPONSE_UNEXPECTED;
        }
        MemorySegment value = qp.engine.scratch();
        value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, original); // the result has the host's byte order (9.4.5)
        if (!packetizer.memory().scatter(request, 0, value, 0, Long.BYTES)) {
            failHead(Status.LOC_PROT_ERR, now);
            return Rule.ACCEPTED_ACK;
        }
        responseTaken(psn, true, now);
        return Rule.ACCEPTED_ACK;
    }

    /** @return {@code null} where the response is the one that the oldest request waits for, else why it is not */
    private Rule awaitResponse(int psn, long now) {
        if (Psn.difference(psn, unackedPsn) < 0) {
            return Rule.GHOST_ACK;
        }
        if (!isOutstanding(psn)) {
            return Rule.ACK_AHEAD;
        }
        // It acknowledges all SENDs and WRITEs before it; a READ or atomic among them, or a gap, is an implied NAK. A
        // full completion queue may end everything meanwhile.
        if (psn != unackedPsn && (!acknowledge(psn, now) || !qp.state().requests())) {
            return Rule.RESPONSE_GAP;
        }
        return null;
    }

    private void responseTaken(int psn, boolean complete, long now) {
        advance(Psn.next(psn));
        if (complete) {
            outstandingReads--;
            completeHead();
        }
        retries.progressed(qp.config);
        restartAckTimer(now);
    }

    // Time.

    void onDeadline(long now) {
        if (rnrDeadline <= now) {
            rnrDeadline = NEVER;
            qp.engine.activate(qp);
        }
        if (ackDeadline <= now) {
            ackDeadline = NEVER;
            retries.timedOut();
            qp.engine.errors().ackTimedOut();
            retry(unackedPsn, now);
        }
    }

    /** Goes back to a PSN, or gives up where that was tried often enough (9.7.6.1.3). */
    private void retry(int psn, long now) {
        if (retries.take()) {
            qp.flow().lost();
        } else if (!migrate()) {
            failHead(Status.RETRY_EXC_ERR, now);
            return;
        }
        qp.engine.errors().retried();
        moveTo(psn);
        restartAckTimer(now);
        qp.engine.activate(qp);
    }

    /** The path is dead; on another one patience begins anew (17.2.8). @return false where none is armed */
    private boolean migrate() {
        if (!qp.isArmed()) {
            return false;
        }
        qp.migration().migrate();
        qp.rerouted();
        retries.progressed(qp.config);
        return true;
    }

    /** The path was changed: what was on the way is lost to the flow that it went by, and is sent again by the new one. */
    void leavePath() {
        if (sendPsn != unackedPsn) {
            moveTo(unackedPsn);
            qp.engine.activate(qp);
        }
    }

    /** Sets the point from which packets are sent; what was on the way counts no more. */
    private void moveTo(int psn) {
        qp.flow().forget(inFlight);
        inFlight = 0;
        sinceAckReq = 0;
        sendPsn = psn;
        long request = queue.head();
        while (request != assigned && Psn.distance(psn, queue.firstPsn(request)) >= queue.psnCount(request)) {
            request++;
        }
        current = request;
    }

    private void restartAckTimer(long now) {
        long timeout = retries.timeoutNanos(qp.config);
        boolean outstanding = unackedPsn != sentPsn && qp.state().requests();
        ackDeadline = timeout != 0 && outstanding && rnrDeadline == NEVER ? now + timeout : NEVER;
        qp.updateDeadline();
    }

    // Completions.

    private void completeHead() {
        qp.completeHead();
        if (drainWanted && qp.state() == State.SQD && queue.head() == assigned) {
            drainWanted = false;
            qp.engine.event(qp, AsyncEventListener.Event.SQ_DRAINED);
        }
    }

    /** True where SQD has nothing left to finish. */
    boolean isDrained() {
        return queue.head() == assigned;
    }

    private void failHead(int status, long now) {
        if (!qp.state().requests()) {
            return;
        }
        qp.complete(queue.head(), status);
        queue.release();
        qp.fail(now, null);
    }

    /** Every posted request completes as flushed, in order. */
    void flush() {
        stop();
        while (queue.head() != queue.tail()) {
            qp.complete(queue.head(), Status.WR_FLUSH_ERR);
            queue.release();
        }
        current = queue.head();
        assigned = current;
    }

    /** Every posted request is forgotten: the QP is RESET. */
    void discard() {
        stop();
        while (queue.head() != queue.tail()) {
            queue.release();
        }
    }

    private void stop() {
        if (qp.flow() != null) {
            qp.flow().forget(inFlight);
        }
        inFlight = 0;
        outstandingReads = 0;
        drainWanted = false;
        ackDeadline = NEVER;
        rnrDeadline = NEVER;
        qp.updateDeadline();
    }
}
