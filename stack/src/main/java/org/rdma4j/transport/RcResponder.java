package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.Invalidation;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;
import org.rdma4j.wire.AtomicEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Ieth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Reth;
import org.rdma4j.wire.Syndrome;

/**
 * The responder of a reliable connection (9.7): executes requests in PSN order and owes answers, which
 * {@link #transmit} sends. A request is checked in the order of 9.7.4: PSN, opcode sequence, operation, resources,
 * length, key.
 */
final class RcResponder {

    private static final int NO_ANSWER = -1;

    private final IbQp qp;
    private final RcAnswers answers;
    private final ResponseQueue responses = new ResponseQueue();
    private Receive receive;

    private int expectedPsn;
    private int msn;
    private Rule silence; // why packets behind the expected one are dropped without a word; null where none are
    private boolean missed; // one was dropped behind a NAK that is owed still
    private Message message = Message.NONE;
    private final WriteTarget target = new WriteTarget();

    private int answer = NO_ANSWER; // the syndrome owed behind all responses
    private int answerPsn;
    private final AckDelay delay = new AckDelay();
    private int spent;
    private boolean refusing; // a fatal NAK is owed: nothing is executed any more
    private AsyncEventListener.Event refusalEvent;

    RcResponder(IbQp qp) {
        this.qp = qp;
        this.answers = new RcAnswers(qp);
    }

    /** INIT to RTR. */
    void start() {
        reset();
        expectedPsn = qp.config.rqPsn;
    }

    /** Forgets everything. */
    void reset() {
        responses.reset();
        msn = 0;
        silence = null;
        missed = false;
        message = Message.NONE;
        answer = NO_ANSWER;
        delay.reset();
        refusing = false;
        refusalEvent = null;
        if (receive != null) {
            receive.clear();
        }
    }

    /**
     * Completes the receive that a message was being written to, and all that wait, as flushed. Those of a shared queue
     * wait for the other queue pairs.
     */
    void flush() {
        // A message that is complete here is complete for its sender too: who disconnects upon it still acknowledges
        // it.
        if (answer != NO_ANSWER && Syndrome.isAck(answer) && responses.isEmpty()) {
            sendAnswer(qp.engine.transmitter());
        }
        Receive current = receive();
        if (current.isTaken()) {
            completeReceive(Status.WR_FLUSH_ERR, Status.WC_RECV, 0, 0, 0, false);
        }
        while (qp.receiveQueue.take(current)) {
            completeReceive(Status.WR_FLUSH_ERR, Status.WC_RECV, 0, 0, 0, false);
        }
        reset();
    }

    /** Forgets the receives too: the QP is RESET. */
    void discard() {
        while (qp.receiveQueue.take(receive())) {
            receive().clear();
        }
        reset();
    }

    private Receive receive() {
        if (receive == null) {
            receive = new Receive();
        }
        return receive;
    }

    // Requests.

    /**
     * A request packet.
     *
     * @param header bytes of BTH and extension headers; {@code -1} where the opcode is reserved
     * @param payload bytes behind them, without the pad
     */
    Rule onRequest(int opcode, MemorySegment packet, long at, int header, int payload, long now) {
        if (refusing) {
            return Rule.QP_NOT_READY;
        }
        int psn = Bth.psn(packet, at);
        int distance = Psn.difference(psn, expectedPsn);
        if (distance < 0) {
            return onDuplicate(opcode, packet, at, psn);
        }
        if (distance > 0) {
            missed = true;
            if (silence != null) {
                return silence;
            }
            askFor(expectedPsn);
            return Rule.PSN_SEQUENCE;
        }
        Rule decision = execute(opcode, packet, at, header, payload);
        // A full completion queue may have ended everything: then nothing is owed.
        if (decision == Rule.ACCEPTED && qp.state().receives()) {
            if (silence != null) {
                breakSilence();
            }
            boolean wanted = Bth.ackReq(packet, at) && !Opcode.hasAtomicEth(opcode) && !isAnsweredAsRead(opcode);
            delay.onRequest(payload, wanted, qp.engine.round());
            if (wanted) {
                acknowledge(psn);
                if (delay.isUrgent() && Syndrome.isAck(answer) && responses.isEmpty()) {
                    sendAnswer(qp.engine.transmitter());
                    qp.engine.transmitter().flush(now);
                }
            }
        }
        return decision;
    }

    private static boolean isRead(int opcode) {
        return Opcode.operation(opcode) == Opcode.RC_RDMA_READ_REQUEST;
    }

    private static boolean isAnsweredAsRead(int opcode) {
        return isRead(opcode) || ExtendedOps.isExtended(opcode);
    }

    /** True where a packet of this PSN is the next one, and the next one starts a message. */
    boolean awaitsMessage(int psn) {
        return psn == expectedPsn && message == Message.NONE && !refusing;
    }

    /** True behind the first packet of a message, until its last has come. */
    boolean isInMessage() {
        return message != Message.NONE;
    }

    /** The message that was awaited names a shared queue that is not there. */
    Rule refuseSrq() {
        return refuse(Rule.XRC_SRQ, Syndrome.NAK_INVALID_REQUEST);
    }

    private void askFor(int psn) {
        silence = Rule.PSN_SEQUENCE_WAITING;
        answer(Syndrome.NAK_PSN_SEQUENCE, psn);
    }

    /**
     * The packet came that a NAK asked for. Where that NAK is not even sent it is out of date; but what was dropped
     * behind the packet meanwhile is missing too, and must be asked for.
     */
    private void breakSilence() {
        silence = null;
        if (isNak(answer)) {
            answer = NO_ANSWER;
            if (missed) {
                askFor(expectedPsn);
            }
        }
    }

    private static boolean isNak(int answer) {
        return answer != NO_ANSWER && !Syndrome.isAck(answer);
    }

    private Rule execute(int opcode, MemorySegment packet, long at, int header, int payload) {
        if (header < 0 || ExtendedOps.isExtended(opcode) && !qp.config.extendedOps) {
            return refuse(Rule.OPCODE_RESERVED, Syndrome.NAK_INVALID_REQUEST);
        }
        if (!message.admits(opcode)) {
            return refuse(Rule.OPCODE_SEQUENCE, Syndrome.NAK_INVALID_REQUEST);
        }
        if (Opcode.isSend(opcode)) {
            return executeSend(opcode, packet, at, header, payload);
        }
        if (Opcode.isWrite(opcode)) {
            return executeWrite(opcode, packet, at, header, payload);
        }
        if (ExtendedOps.isExtended(opcode)) {
            return executeExtended(opcode, packet, at, header, payload);
        }
        if (payload != 0) {
            return refuse(Rule.PAYLOAD_LENGTH, Syndrome.NAK_INVALID_REQUEST);
        }
        return isRead(opcode) ? executeRead(opcode, packet, at) : executeAtomic(opcode, packet, at);
    }

    private Rule executeSend(int opcode, MemorySegment packet, long at, int header, int payload) {
        boolean last = Opcode.isLastOrOnly(opcode);
        Receive current = receive();
        if (Opcode.isFirstOrOnly(opcode) && !current.isTaken() && !qp.takeReceive(current)) {
            return notReady();
        }
        if (!Message.payloadFits(opcode, payload, qp.config.pathMtu)) {
            return refuse(Rule.PAYLOAD_LENGTH, Syndrome.NAK_INVALID_REQUEST);
        }
        if (!current.fits(payload)) {
            return refuse(Rule.RECEIVE_TOO_SMALL, Syndrome.NAK_INVALID_REQUEST, Status.LOC_LEN_ERR);
        }
        if (!current.append(qp.engine.keys(), qp.receivePd(), packet, at + header, payload)) {
            return refuse(Rule.RECEIVE_FAULT, Syndrome.NAK_REMOTE_OPERATIONAL, Status.LOC_PROT_ERR);
        }
        expectedPsn = Psn.next(expectedPsn);
        if (!last) {
            message = Message.SEND;
            return Rule.ACCEPTED;
        }
        message = Message.NONE;
        msn = Psn.next(msn);
        return completeSend(opcode, packet, at);
    }

    /** A whole SEND has come: its receive completes, with what the last packet carried besides the payload. */
    private Rule completeSend(int opcode, MemorySegment packet, long at) {
        int flags = 0;
        int data = 0;
        if (Opcode.hasImm(opcode)) {
            flags = Status.WC_WITH_IMM;
            data = ImmDt.data(packet, at + Opcode.immOffset(opcode));
        } else if (Opcode.hasIeth(opcode)) {
            flags = Status.WC_WITH_INV;
            data = Ieth.rKey(packet, at + Opcode.iethOffset(opcode));
            if (!Invalidation.remote(qp.engine.keys().lookup(data), qp.pd, qp)) {
                // No NAK: the message was received; the local side finds the fault (class J).
                completeReceive(Status.LOC_PROT_ERR, Status.WC_RECV, 0, 0, 0, false);
                qp.fail(qp.engine.now(), AsyncEventListener.Event.QP_ACCESS_ERR);
                return Rule.INVALIDATE_FAULT;
            }
        }
        boolean solicited = Bth.solicited(packet, at);
        completeReceive(Status.SUCCESS, Status.WC_RECV, flags, (int) receive.filled(), data, solicited);
        return Rule.ACCEPTED;
    }

    private Rule executeWrite(int opcode, MemorySegment packet, long at, int header, int payload) {
        if ((qp.config.access & AccessFlags.REMOTE_WRITE) == 0) {
            return refuse(Rule.QP_ACCESS, Syndrome.NAK_INVALID_REQUEST);
        }
        boolean last = Opcode.isLastOrOnly(opcode);
        boolean immediate = Opcode.hasImm(opcode);
        if (immediate && !receive().isTaken() && !qp.takeReceive(receive())) {
            return notReady();
        }
        if (Opcode.isFirstOrOnly(opcode) && !target.begin(packet, at + Opcode.rethOffset(opcode))) {
            return refuse(Rule.MESSAGE_LENGTH, Syndrome.NAK_INVALID_REQUEST);
        }
        if (!Message.payloadFits(opcode, payload, qp.config.pathMtu) || !target.expects(payload, last)) {
            return refuse(Rule.PAYLOAD_LENGTH, Syndrome.NAK_INVALID_REQUEST);
        }
        if (!target.write(qp, packet, at + header, payload)) {
            return refuse(Rule.REMOTE_ACCESS, Syndrome.NAK_REMOTE_ACCESS, Status.LOC_ACCESS_ERR);
        }
        expectedPsn = Psn.next(expectedPsn);
        if (!last) {
            message = Message.WRITE;
            return Rule.ACCEPTED;
        }
        message = Message.NONE;
        msn = Psn.next(msn);
        if (immediate) {
            int data = ImmDt.data(packet, at + Opcode.immOffset(opcode));
            boolean solicited = Bth.solicited(packet, at);
            completeReceive(
                    Status.SUCCESS,
                    Status.WC_RECV_RDMA_WITH_IMM,
                    Status.WC_WITH_IMM,
                    (int) target.length(),
                    data,
                    solicited);
        }
        return Rule.ACCEPTED;
    }

    private Rule executeRead(int opcode, MemorySegment packet, long at) {
        if ((qp.config.access & AccessFlags.REMOTE_READ) == 0) {
            return refuse(Rule.QP_ACCESS, Syndrome.NAK_INVALID_REQUEST);
        }
        if (responses.originals() >= qp.config.maxDestRdAtomic) {
            return refuse(Rule.TOO_MANY_READS, Syndrome.NAK_INVALID_REQUEST);
        }
        long reth = at + Opcode.rethOffset(opcode);
        long length = Reth.dmaLength(packet, reth);
        if (length > WriteTarget.MAX_MESSAGE) {
            return refuse(Rule.MESSAGE_LENGTH, Syndrome.NAK_INVALID_REQUEST);
        }
        long address = Reth.virtualAddress(packet, reth);
        int rKey = Reth.rKey(packet, reth);
        if (length > 0 && !permitsRead(address, rKey, length)) {
            return refuse(Rule.REMOTE_ACCESS, Syndrome.NAK_REMOTE_ACCESS);
        }
        msn = Psn.next(msn);
        responses.addRead(qp.config.maxDestRdAtomic, expectedPsn, msn, address, rKey, length, qp.pd);
        expectedPsn = Psn.add(expectedPsn, Packetizer.psnCount(Op.RDMA_READ, length, qp.config.pathMtu));
        answersBehindResponses();
        return Rule.ACCEPTED;
    }

    private boolean permitsRead(long address, int rKey, long length) {
        Region region = qp.engine.keys().lookup(rKey);
        return region != null && region.permitsRemote(address, length, AccessFlags.REMOTE_READ, qp.pd, qp);
    }

    private Rule executeExtended(int opcode, MemorySegment packet, long at, int header, int payload) {
        if (responses.originals() >= qp.config.maxDestRdAtomic) {
            return refuse(Rule.TOO_MANY_READS, Syndrome.NAK_INVALID_REQUEST);
        }
        Rule refusal = ExtendedOps.execute(qp, opcode, packet, at, header, payload);
        if (refusal != null) {
            return refuse(refusal, ExtendedOps.syndrome(refusal));
        }
        msn = Psn.next(msn);
        long reth = at + Opcode.rethOffset(opcode);
        int rKey = Reth.rKey(packet, reth);
        long address = Reth.virtualAddress(packet, reth);
        responses.addRead(qp.config.maxDestRdAtomic, expectedPsn, msn, address, rKey, 0, qp.pd);
        expectedPsn = Psn.next(expectedPsn);
        answersBehindResponses();
        return Rule.ACCEPTED;
    }

    private Rule executeAtomic(int opcode, MemorySegment packet, long at) {
        if ((qp.config.access & AccessFlags.REMOTE_ATOMIC) == 0) {
            return refuse(Rule.QP_ACCESS, Syndrome.NAK_INVALID_REQUEST);
        }
        if (responses.originals() >= qp.config.maxDestRdAtomic) {
            return refuse(Rule.TOO_MANY_READS, Syndrome.NAK_INVALID_REQUEST);
        }
        long eth = at + Opcode.atomicEthOffset(opcode);
        long address = AtomicEth.virtualAddress(packet, eth);
        if ((address & 7) != 0) {
            return refuse(Rule.ATOMIC_ALIGNMENT, Syndrome.NAK_INVALID_REQUEST);
        }
        Region region = qp.engine.keys().lookup(AtomicEth.rKey(packet, eth));
        if (region == null || !region.permitsRemote(address, Long.BYTES, AccessFlags.REMOTE_ATOMIC, qp.pd, qp)) {
            return refuse(Rule.REMOTE_ACCESS, Syndrome.NAK_REMOTE_ACCESS);
        }
        long original = change(region, address, Opcode.operation(opcode) == Opcode.RC_FETCH_ADD, packet, eth);
        msn = Psn.next(msn);
        responses.addAtomic(qp.config.maxDestRdAtomic, expectedPsn, msn, original);
        expectedPsn = Psn.next(expectedPsn);
        answersBehindResponses();
        return Rule.ACCEPTED;
    }

    /** Adds, or swaps where the value is the one that was compared. @return the value that was there before */
    private long change(Region region, long address, boolean adds, MemorySegment packet, long eth) {
        MemorySegment memory = region.block().segment();
        long offset = region.offsetOf(address);
        long original = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        long operand = AtomicEth.swapOrAdd(packet, eth);
        if (adds) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, original + operand);
        } else if (original == AtomicEth.compare(packet, eth)) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, operand);
        }
        if (Tracing.isOn()) {
            qp.engine.keys().touched(Tracer.Touch.ATOMIC, region.key(), address, Long.BYTES);
        }
        return original;
    }

    private Rule notReady() {
        silence = Rule.RECEIVE_NOT_READY_WAITING;
        missed = false;
        answer(Syndrome.rnrNak(qp.config.minRnrTimer), expectedPsn);
        return Rule.RECEIVE_NOT_READY;
    }

    private Rule onDuplicate(int opcode, MemorySegment packet, long at, int psn) {
        if (isAnsweredAsRead(opcode)) {
            long reth = at + Opcode.rethOffset(opcode);
            boolean known = responses.repeatRead(
                    psn,
                    msn,
                    Reth.virtualAddress(packet, reth),
                    Reth.rKey(packet, reth),
                    isRead(opcode) ? Reth.dmaLength(packet, reth) : 0,
                    qp.config.pathMtu);
            return repeated(known);
        }
        if (Opcode.hasAtomicEth(opcode)) {
            return repeated(responses.repeatAtomic(psn, msn));
        }
        acknowledge(Psn.add(expectedPsn, -1));
        return Rule.DUPLICATE_ANSWERED;
    }

    private Rule repeated(boolean known) {
        if (!known) {
            return Rule.DUPLICATE_DROPPED;
        }
        qp.engine.activate(qp);
        return Rule.DUPLICATE_ANSWERED;
    }

    // Answers.

    /** A NAK that is owed acknowledges as much. */
    private void acknowledge(int psn) {
        if (!isNak(answer)) {
            answer(Syndrome.ACK_UNLIMITED, psn);
        }
    }

    private void answer(int syndrome, int psn) {
        answer = syndrome;
        answerPsn = psn;
        qp.engine.activate(qp);
    }

    /** An acknowledgement that was put off is not needed before a response, which acknowledges as much. */
    private void answersBehindResponses() {
        if (answer != NO_ANSWER && Syndrome.isAck(answer)) {
            answer = NO_ANSWER;
        }
        qp.engine.activate(qp);
    }

    private Rule refuse(Rule rule, int syndrome) {
        return refuse(rule, syndrome, Status.LOC_QP_OP_ERR);
    }

    /**
     * Owes a fatal NAK. Where the message has taken a receive its completion tells the application, else an event does
     * (9.9.3).
     */
    private Rule refuse(Rule rule, int syndrome, int receiveStatus) {
        if (receive != null && receive.isTaken()) {
            completeReceive(receiveStatus, Status.WC_RECV, 0, 0, 0, false);
            refuse(syndrome, expectedPsn, null);
        } else if (syndrome == Syndrome.NAK_REMOTE_ACCESS) {
            refuse(syndrome, expectedPsn, AsyncEventListener.Event.QP_ACCESS_ERR);
        } else {
            refuse(syndrome, expectedPsn, AsyncEventListener.Event.QP_REQ_ERR);
        }
        return rule;
    }

    private void refuse(int syndrome, int psn, AsyncEventListener.Event event) {
        refusing = true;
        refusalEvent = event;
        answer(syndrome, psn);
    }

    /** Sends responses, then what is owed behind them. A plain acknowledgement may be put off, so that one covers more. */
    Turn transmit(Transmitter tx, long now, int budget) {
        spent = 0;
        while (!responses.isEmpty()) {
            if (spent >= budget) {
                return Turn.MORE;
            }
            spent += sendResponse(tx);
        }
        if (answer == NO_ANSWER) {
            return Turn.DONE;
        }
        if (Syndrome.isAck(answer) && !delay.isDue(qp.engine.round())) {
            return Turn.WAITS;
        }
        sendAnswer(tx);
        if (refusing) {
            qp.fail(now, refusalEvent);
        }
        return Turn.DONE;
    }

    /** What the last {@link #transmit} used up of its budget. */
    int spent() {
        return spent;
    }

    /** The requester of the same queue pair sent something. */
    void onOwnPacket() {
        delay.onOwnPacket();
    }

    private void sendAnswer(Transmitter tx) {
        int syndrome = Syndrome.isAck(answer) ? answers.creditSyndrome() : answer;
        answers.sendAcknowledge(tx, syndrome, answerPsn, msn);
        answer = NO_ANSWER;
        missed = false;
        delay.reset();
    }

    /** Sends one packet of the oldest response. @return what it counts against the budget */
    private int sendResponse(Transmitter tx) {
        if (responses.isAtomic()) {
            answers.sendAtomicAcknowledge(tx, responses);
            responses.removeFirst();
            return Bth.LENGTH;
        }
        long length = responses.length();
        int mtu = qp.config.pathMtu;
        int index = responses.next();
        int payload = Packetizer.payload(length, index, mtu);
        long address = responses.address() + (long) index * mtu;
        Region region = payload == 0 ? null : qp.engine.keys().lookup(responses.rKey());
        if (payload > 0
                && (region == null
                        || !region.permitsRemote(address, payload, AccessFlags.REMOTE_READ, responses.pd(), qp))) {
            regionGone(Psn.add(responses.psn(), index));
            return 0;
        }
        boolean last = index == Packetizer.psnCount(Op.RDMA_READ, length, mtu) - 1;
        answers.sendReadResponse(tx, responses, last, region, address, payload);
        if (last) {
            responses.removeFirst();
        } else {
            responses.advance();
        }
        return payload + Bth.LENGTH;
    }

    /** Memory was deregistered under a READ: refused at the PSN of the response that it replaces, or, repeated, dropped. */
    private void regionGone(int psn) {
        boolean firstTime = responses.isFirstTime();
        responses.removeFirst();
        if (firstTime) {
            while (!responses.isEmpty()) {
                responses.removeFirst();
            }
            refuse(Syndrome.NAK_REMOTE_ACCESS, psn, AsyncEventListener.Event.QP_ACCESS_ERR);
        }
    }

    private void completeReceive(int status, int opcode, int flags, int bytes, int data, boolean solicited) {
        if (status != Status.SUCCESS) {
            qp.engine.errors().receiveFailed(status);
        }
        if (Tracing.isOn()) {
            qp.traceCompletion(true, receive.wrId(), status, bytes);
        }
        boolean added = qp.receiveRing.push(
                receive.wrId(), status, opcode, flags, qp.qpn, bytes, data, qp.receiveSource, solicited);
        receive.clear();
        if (!added && status == Status.SUCCESS) {
            qp.fail(qp.engine.now(), AsyncEventListener.Event.QP_FATAL);
        }
    }
}
