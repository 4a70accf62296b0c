package org.rdma4j.iwarp.rdmap;

import org.rdma4j.iwarp.mpa.RtrKind;
import org.rdma4j.iwarp.rdmap.Cursor.Message;
import org.rdma4j.iwarp.stream.StreamSocket;
import org.rdma4j.iwarp.stream.Train;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.Region;
import org.rdma4j.transport.LocalOps;
import org.rdma4j.transport.Op;
import org.rdma4j.transport.RequestMemory;
import org.rdma4j.transport.SendQueue;
import org.rdma4j.transport.Status;
import org.rdma4j.transport.Turn;

/**
 * Makes the stream of FPDUs of one queue pair: its work requests, the responses that it owes, and in the end perhaps a
 * Terminate (RFC 5040, 5; RFC 5041, 5). A message that has begun is made whole before the next one begins; requests and
 * responses take turns.
 *
 * <p>A request is complete when TCP has taken its last byte; one that is answered, when its response is placed. They
 * complete in the order of posting.
 */
final class RdmapSender {

    private final IwarpQp qp;
    private final StreamSocket socket;
    private final StreamRules rules;
    private final SendQueue queue;
    private final RequestMemory memory;
    private final InboundReads reads;
    private final MessageWriter writer;

    /** Up to where TCP has taken the stream. */
    private final Cursor sent = new Cursor();

    /** Bytes of the FPDU behind {@link #sent} that TCP has taken too. */
    private int skip;

    /** TCP takes nothing until it says so. */
    private boolean blocked;

    /** The peer is to speak first. */
    private boolean held;

    /** A message cannot go on for a reason of this side; said once what is before it is sent. */
    private boolean stuck;

    private long answered; // Reads and atomics whose responses are placed, ever
    private long completedAnswers; // those of them whose requests are complete
    private long answering; // the oldest request whose response is not placed, or one before it
    private TerminateMessage terminate;
    private boolean saidReady;

    RdmapSender(IwarpQp qp, StreamSocket socket, StreamRules rules, InboundReads reads) {
        this.qp = qp;
        this.socket = socket;
        this.rules = rules;
        this.queue = qp.sendQueue();
        this.memory = new RequestMemory(qp);
        this.reads = reads;
        this.writer = new MessageWriter(queue, memory, rules);
        sent.request = queue.head();
        answering = sent.request;
    }

    /** The first message tells the peer that this side is ready (RFC 6581, 9). */
    void sendReady() {
        saidReady = true;
        sent.message = Message.READY;
        switch (rules.ready()) {
            case READ -> sent.requestMsn++;
            case SEND -> sent.sendMsn++;
            case WRITE -> {}
        }
    }

    /** Makes this the last message: what is under way ends with its FPDU. */
    void terminate(TerminateMessage message) {
        if (terminate == null) {
            terminate = message;
        }
    }

    /** Whether the peer must speak first (RFC 5044, 7.1.2). */
    void hold(boolean value) {
        held = value;
    }

    /** Sends nothing before {@link #unblock}. */
    void block() {
        blocked = true;
    }

    /** There is room in TCP's buffer again. */
    void unblock() {
        blocked = false;
    }

    /** True where everything that was posted is complete, and nothing is owed. */
    boolean isDrained() {
        return sent.message == Message.NONE && queue.head() == queue.tail() && sent.response == reads.tail();
    }

    /** True once a Terminate, if there is one, was taken by TCP. */
    boolean isOver() {
        return sent.message == Message.OVER;
    }

    /** Makes what may be made and hands it to TCP. */
    Turn transmit(Train train, Plan plan, Cursor next, int budget) {
        if (blocked || held && terminate == null || sent.message == Message.OVER) {
            return Turn.DONE;
        }
        train.reset(rules.sendsCrc(), rules.sendsMarkers(), sent.position);
        plan.clear();
        next.copyFrom(sent);
        boolean more = true;
        stuck = false;
        while (more && train.length() - skip < budget && train.hasRoom() && !plan.isFull()) {
            more = add(next, train, plan);
        }
        if (plan.isEmpty()) {
            return Turn.DONE;
        }
        int wanted = train.length() - skip;
        int taken = qp.write(socket, skip);
        skip = plan.advance(sent, skip + taken);
        reads.release(sent.response);
        complete();
        if (taken < wanted) {
            blocked = true;
            return Turn.DONE;
        }
        // A local operation waits until everything before it is complete: perhaps that has just happened.
        return more || stuck || isNextLocal() ? Turn.MORE : Turn.DONE;
    }

    private boolean isNextLocal() {
        return sent.message == Message.NONE
                && sent.request != queue.tail()
                && sent.request == queue.head()
                && Op.isLocal(queue.op(sent.request));
    }

    /** Makes the next FPDU. @return false where there is none to make now */
    private boolean add(Cursor next, Train train, Plan plan) {
        boolean begun = plan.isEmpty() && skip > 0; // TCP has a part of it, so it must be the same again
        if (terminate != null && !begun && next.message != Message.OVER) {
            next.message = Message.TERMINATE;
        } else if (next.message == Message.NONE && !choose(next, plan.isEmpty())) {
            return false;
        }
        plan.begin(next);
        boolean made = switch (next.message) {
            case REQUEST -> addRequest(next, train, plan, begun);
            case IMMEDIATE -> {
                writer.immediate(train, next);
                endRequest(next);
                yield true;
            }
            case RESPONSE -> addResponse(next, train, plan, begun);
            case READY -> {
                writer.ready(train, next);
                next.message = Message.NONE;
                yield true;
            }
            case TERMINATE -> {
                MessageWriter.terminate(train, terminate);
                next.message = Message.OVER;
                yield true;
            }
            case NONE, OVER -> false;
        };
        if (!made) {
            return false;
        }
        next.position = train.position();
        plan.end(next, train.length());
        return true;
    }

    /** Chooses the next message. @return false where none may begin now */
    private boolean choose(Cursor next, boolean first) {
        boolean request = mayBegin(next, first);
        boolean response = next.response != reads.tail();
        if (!qp.isOpen() || !request && !response) {
            return false;
        }
        next.offset = 0;
        if (response && (next.responseNext || !request)) {
            next.responseNext = false;
            next.message = Message.RESPONSE;
            if (reads.isAtomic(next.response)) {
                next.atomicMsn++;
            }
            return true;
        }
        next.responseNext = true;
        next.message = Message.REQUEST;
        int op = queue.op(next.request);
        if (Op.isAnswered(op)) {
            next.requestMsn++;
            next.asked++;
        } else if (Op.isSend(op)) {
            next.sendMsn++;
        }
        return true;
    }

    /** True where the next request may begin. Local ones on the way to it are done. */
    private boolean mayBegin(Cursor next, boolean first) {
        while (next.request != queue.tail()) {
            int op = queue.op(next.request);
            if (!Op.isLocal(op)) {
                return mayBegin(next, op, first);
            }
            if (!first || next.request != queue.head()) {
                return false;
            }
            int status = LocalOps.execute(qp, next.request);
            if (status != Status.SUCCESS) {
                qp.failHead(status);
                return false;
            }
            next.request++;
            sent.request = next.request;
            qp.completeOldest();
            if (!qp.isOpen()) {
                return false;
            }
        }
        return false;
    }

    private boolean mayBegin(Cursor next, int op, boolean first) {
        boolean fenced = (queue.flags(next.request) & Op.FENCE) != 0;
        if (fenced && next.asked != answered) {
            return false;
        }
        if (!Op.isAnswered(op)) {
            return true;
        }
        if (rules.ord() == 0 && first) {
            failWhenOldest(next.request, Status.LOC_QP_OP_ERR); // there is no time at which it could go
            return false;
        }
        return next.asked - answered < rules.ord(); // RFC 5040, 6.1: never more than were agreed upon
    }

    /** Fails a request, once those before it are complete. */
    private void failWhenOldest(long request, int status) {
        if (request == queue.head()) {
            qp.failHead(status);
        }
    }

    private boolean addRequest(Cursor next, Train train, Plan plan, boolean begun) {
        long request = next.request;
        int op = queue.op(request);
        // For each FPDU anew: a region may go under a message that is on its way.
        if (!memory.isValid(request, Op.isAnswered(op) ? AccessFlags.LOCAL_WRITE : 0)) {
            if (begun) {
                qp.breakStream(); // its FPDU cannot be ended any more
            } else if (plan.isEmpty()) {
                failWhenOldest(request, Status.LOC_PROT_ERR);
            } else {
                stuck = true;
            }
            return false;
        }
        if (op == Op.RDMA_READ) {
            writer.readRequest(train, next);
            endRequest(next);
        } else if (Op.isAtomic(op)) {
            writer.atomicRequest(train, next);
            endRequest(next);
        } else if (writer.data(train, next)) {
            if (op == Op.RDMA_WRITE_WITH_IMM) {
                next.message = Message.IMMEDIATE;
                next.sendMsn++;
            } else {
                endRequest(next);
            }
        }
        return true;
    }

    private static void endRequest(Cursor next) {
        next.request++;
        next.message = Message.NONE;
    }

    private boolean addResponse(Cursor next, Train train, Plan plan, boolean begun) {
        long response = next.response;
        if (reads.isAtomic(response)) {
            writer.atomicResponse(train, next, reads.identifier(response), reads.original(response));
            endResponse(next);
            return true;
        }
        long size = reads.size(response);
        Region region = size == 0 ? null : qp.keys().lookup(reads.sourceSTag(response));
        if (size > 0 && (region == null || !permits(region, response))) {
            // It was there when the request came: the stream cannot go on without the response.
            if (begun) {
                qp.breakStream();
            } else if (plan.isEmpty()) {
                qp.terminate(TerminateMessage.of(TerminateCode.RDMAP_CATASTROPHIC_STREAM));
            } else {
                stuck = true;
            }
            return false;
        }
        if (writer.readResponse(train, next, reads, region)) {
            endResponse(next);
        }
        return true;
    }

    private boolean permits(Region region, long response) {
        return region.permitsRemote(
                reads.sourceOffset(response), reads.size(response), AccessFlags.REMOTE_READ, qp.pd(), qp);
    }

    private static void endResponse(Cursor next) {
        next.response++;
        next.message = Message.NONE;
    }

    // Responses to what was asked.

    /** The request whose response comes next; -1 where none is due. */
    long awaited() {
        answering = Math.max(answering, queue.head());
        while (answering < sent.request && !Op.isAnswered(queue.op(answering))) {
            answering++;
        }
        return answering < sent.request ? answering : -1;
    }

    /** The sequence number of that request. */
    int awaitedMsn() {
        return (int) (answered + 1 + (saidReady && rules.ready() == RtrKind.READ ? 1 : 0));
    }

    /**
     * The peer says that it cannot answer a request: those before it end too, without an answer, and it ends with a status.
     *
     * @param msn its sequence number; one that waits for no answer is nobody's
     */
    void failAsked(int msn, int status) {
        int before = msn - awaitedMsn();
        if (before < 0 || before >= sent.asked - answered) {
            return;
        }
        while (queue.head() != sent.request) {
            if (Op.isAnswered(queue.op(queue.head())) && before-- == 0) {
                qp.failOldest(status);
                return;
            }
            qp.failOldest(Status.WR_FLUSH_ERR);
        }
    }

    RequestMemory memory() {
        return memory;
    }

    /** The awaited response is placed whole. */
    void answered() {
        answering++;
        answered++;
        complete();
        qp.activate();
    }

    /** Completes requests in their order, as far as they are done. */
    private void complete() {
        while (queue.head() != sent.request && qp.isOpen()) {
            if (Op.isAnswered(queue.op(queue.head()))) {
                if (completedAnswers == answered) {
                    return;
                }
                completedAnswers++;
            }
            qp.completeOldest();
        }
    }
}
