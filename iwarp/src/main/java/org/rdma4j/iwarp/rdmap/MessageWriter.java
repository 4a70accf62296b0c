package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.stream.Train;
import org.rdma4j.iwarp.wire.AtomicRequest;
import org.rdma4j.iwarp.wire.AtomicResponse;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.ImmediateData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.Region;
import org.rdma4j.transport.Op;
import org.rdma4j.transport.RequestMemory;
import org.rdma4j.transport.SendQueue;

/**
 * Makes one FPDU of a message: which one is a function of the cursor alone, so that it can be made again. Moves the
 * cursor's offset, and nothing else of it.
 */
final class MessageWriter {

    private static final long ALL = -1;

    private final SendQueue queue;
    private final RequestMemory memory;
    private final StreamRules rules;

    MessageWriter(SendQueue queue, RequestMemory memory, StreamRules rules) {
        this.queue = queue;
        this.memory = memory;
        this.rules = rules;
    }

    /** The next segment of a Send or Write. @return true where it is the last one */
    boolean data(Train train, Cursor cursor) {
        long request = cursor.request;
        int op = queue.op(request);
        boolean write = Op.isWrite(op);
        int header = write ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        long left = queue.length(request) - cursor.offset;
        int payload = (int) Math.min(left, rules.maxUlpdu() - header);
        boolean last = payload == left;
        long at = train.begin(header + payload, header);
        if (write) {
            TaggedHeader.write(
                    train.headers(),
                    at,
                    DdpControl.of(RdmapOpcode.WRITE, last),
                    queue.remoteKey(request),
                    queue.remoteAddress(request) + cursor.offset);
        } else {
            boolean invalidates = op == Op.SEND_WITH_INV;
            boolean solicits = (queue.flags(request) & Op.SOLICITED) != 0;
            UntaggedHeader.write(
                    train.headers(),
                    at,
                    DdpControl.of(send(invalidates, solicits), last),
                    invalidates ? queue.immediate(request) : 0,
                    UntaggedHeader.SEND_QUEUE,
                    cursor.sendMsn,
                    (int) cursor.offset);
        }
        memory.gather(train, request, cursor.offset, payload);
        train.end();
        cursor.offset += payload;
        return last;
    }

    private static int send(boolean invalidates, boolean solicits) {
        if (invalidates) {
            return solicits ? RdmapOpcode.SEND_SE_INVALIDATE : RdmapOpcode.SEND_INVALIDATE;
        }
        return solicits ? RdmapOpcode.SEND_SE : RdmapOpcode.SEND;
    }

    /** The four bytes of a Write with immediate data, behind the Write. */
    void immediate(Train train, Cursor cursor) {
        boolean solicits = (queue.flags(cursor.request) & Op.SOLICITED) != 0;
        int opcode = solicits ? RdmapOpcode.IMMEDIATE_SE : RdmapOpcode.IMMEDIATE;
        long at = untagged(train, opcode, UntaggedHeader.SEND_QUEUE, cursor.sendMsn, ImmediateData.LENGTH);
        ImmediateData.setData(train.headers(), at, (long) queue.immediate(cursor.request) << 32);
        train.end();
    }

    void readRequest(Train train, Cursor cursor) {
        long request = cursor.request;
        boolean placed = queue.pieces(request) > 0;
        long at = untagged(
                train, RdmapOpcode.READ_REQUEST, UntaggedHeader.REQUEST_QUEUE, cursor.requestMsn, ReadRequest.LENGTH);
        ReadRequest.write(
                train.headers(),
                at,
                placed ? queue.pieceKey(request, 0) : 0,
                placed ? queue.pieceAddress(request, 0) : 0,
                queue.length(request),
                queue.remoteKey(request),
                queue.remoteAddress(request));
        train.end();
    }

    /** Identified by its sequence number: no two that are outstanding have the same. */
    void atomicRequest(Train train, Cursor cursor) {
        long request = cursor.request;
        boolean swap = queue.op(request) == Op.ATOMIC_CMP_AND_SWP;
        long at = untagged(
                train,
                RdmapOpcode.ATOMIC_REQUEST,
                UntaggedHeader.REQUEST_QUEUE,
                cursor.requestMsn,
                AtomicRequest.LENGTH);
        AtomicRequest.write(
                train.headers(),
                at,
                swap ? AtomicRequest.COMPARE_SWAP : AtomicRequest.FETCH_ADD,
                cursor.requestMsn,
                queue.remoteKey(request),
                queue.remoteAddress(request),
                queue.swapOrAdd(request),
                swap ? ALL : 0,
                swap ? queue.compare(request) : 0,
                swap ? ALL : 0);
        train.end();
    }

    void atomicResponse(Train train, Cursor cursor, int identifier, long original) {
        long at = untagged(
                train,
                RdmapOpcode.ATOMIC_RESPONSE,
                UntaggedHeader.ATOMIC_RESPONSE_QUEUE,
                cursor.atomicMsn,
                AtomicResponse.LENGTH);
        AtomicResponse.write(train.headers(), at, identifier, original);
        train.end();
    }

    /** The next segment of a Read Response. @return true where it is the last one */
    boolean readResponse(Train train, Cursor cursor, InboundReads reads, Region region) {
        long response = cursor.response;
        long left = reads.size(response) - cursor.offset;
        int payload = (int) Math.min(left, rules.maxUlpdu() - TaggedHeader.LENGTH);
        boolean last = payload == left;
        long at = train.begin(TaggedHeader.LENGTH + payload, TaggedHeader.LENGTH);
        TaggedHeader.write(
                train.headers(),
                at,
                DdpControl.of(RdmapOpcode.READ_RESPONSE, last),
                reads.sinkSTag(response),
                reads.sinkOffset(response) + cursor.offset);
        if (payload > 0) {
            train.gather(region.block(), region.offsetOf(reads.sourceOffset(response) + cursor.offset), payload);
        }
        train.end();
        cursor.offset += payload;
        return last;
    }

    /** A message of no bytes that only says: ready. */
    void ready(Train train, Cursor cursor) {
        switch (rules.ready()) {
            case WRITE -> {
                long at = train.begin(TaggedHeader.LENGTH, TaggedHeader.LENGTH);
                TaggedHeader.write(train.headers(), at, DdpControl.of(RdmapOpcode.WRITE, true), 0, 0);
            }
            case READ -> {
                long at = untagged(
                        train,
                        RdmapOpcode.READ_REQUEST,
                        UntaggedHeader.REQUEST_QUEUE,
                        cursor.requestMsn,
                        ReadRequest.LENGTH);
                ReadRequest.write(train.headers(), at, 0, 0, 0, 0, 0);
            }
            case SEND -> untagged(train, RdmapOpcode.SEND, UntaggedHeader.SEND_QUEUE, cursor.sendMsn, 0);
        }
        train.end();
    }

    static void terminate(Train train, TerminateMessage message) {
        long at = untagged(train, RdmapOpcode.TERMINATE, UntaggedHeader.TERMINATE_QUEUE, 1, message.length());
        message.emit(train.headers(), at);
        train.end();
    }

    /** Begins a message of one untagged segment. @return where what follows the DDP header is written */
    private static long untagged(Train train, int opcode, int queueNumber, int msn, int payload) {
        int length = UntaggedHeader.LENGTH + payload;
        long at = train.begin(length, length);
        MemorySegment headers = train.headers();
        UntaggedHeader.write(headers, at, DdpControl.of(opcode, true), 0, queueNumber, msn, 0);
        return at + UntaggedHeader.LENGTH;
    }
}
