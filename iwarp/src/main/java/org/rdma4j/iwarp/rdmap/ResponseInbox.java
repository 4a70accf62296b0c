package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.iwarp.wire.AtomicResponse;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.transport.Op;
import org.rdma4j.transport.SendQueue;
import org.rdma4j.transport.Status;

/** Read Responses and atomic responses: each must be what the oldest request asked for (RFC 5040, 5.1 and 7.1). */
final class ResponseInbox {

    private final IwarpQp qp;
    private final SendQueue queue;
    private final RdmapSender sender;
    private long placed; // bytes of the Read Response that is under way
    private int atomicMsn = 1;
    private boolean ready; // the first response is to a Read that was no one's
    private MemorySegment value;

    ResponseInbox(IwarpQp qp, RdmapSender sender) {
        this.qp = qp;
        this.queue = qp.sendQueue();
        this.sender = sender;
    }

    void expectReady(boolean value) {
        ready = value;
    }

    boolean isAmidMessage() {
        return placed > 0;
    }

    TerminateCode onReadResponse(int control, MemorySegment segment, long at, int payload) {
        boolean last = DdpControl.last(control);
        if (ready) {
            ready = false;
            return last && payload == 0 ? null : TerminateCode.DDP_TAGGED_BOUNDS;
        }
        long request = sender.awaited();
        if (request < 0 || queue.op(request) != Op.RDMA_READ) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        boolean somewhere = queue.pieces(request) > 0;
        int sTag = somewhere ? queue.pieceKey(request, 0) : 0;
        long sink = somewhere ? queue.pieceAddress(request, 0) : 0;
        if (TaggedHeader.sTag(segment, at) != sTag) {
            return fail(TerminateCode.DDP_TAGGED_INVALID_STAG, Status.BAD_RESP_ERR);
        }
        long left = queue.length(request) - placed;
        boolean fits = last ? payload == left : payload < left;
        if (TaggedHeader.taggedOffset(segment, at) != sink + placed || !fits) {
            return fail(TerminateCode.DDP_TAGGED_BOUNDS, Status.BAD_RESP_ERR);
        }
        boolean stored =
                payload == 0 || sender.memory().scatter(request, placed, segment, at + TaggedHeader.LENGTH, payload);
        if (!stored) {
            return fail(TerminateCode.DDP_TAGGED_INVALID_STAG, Status.LOC_PROT_ERR);
        }
        placed += payload;
        if (last) {
            placed = 0;
            sender.answered();
        }
        return null;
    }

    TerminateCode onAtomicResponse(int control, MemorySegment segment, long at, int payload) {
        if (UntaggedHeader.messageSequenceNumber(segment, at) != atomicMsn) {
            return TerminateCode.DDP_UNTAGGED_MSN_RANGE;
        }
        if (UntaggedHeader.messageOffset(segment, at) != 0) {
            return TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET;
        }
        long request = sender.awaited();
        if (request < 0 || !Op.isAtomic(queue.op(request))) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        if (payload != AtomicResponse.LENGTH || !DdpControl.last(control)) {
            return fail(TerminateCode.RDMAP_OPERATION_UNSPECIFIED, Status.BAD_RESP_ERR);
        }
        long header = at + UntaggedHeader.LENGTH;
        if (AtomicResponse.identifier(segment, header) != sender.awaitedMsn()) {
            return fail(TerminateCode.RDMAP_OPERATION_UNSPECIFIED, Status.BAD_RESP_ERR);
        }
        atomicMsn++;
        if (value == null) {
            value = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        }
        value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, AtomicResponse.value(segment, header));
        if (!sender.memory().scatter(request, 0, value, 0, Long.BYTES)) {
            return fail(TerminateCode.RDMAP_CATASTROPHIC, Status.LOC_PROT_ERR);
        }
        sender.answered();
        return null;
    }

    /** The awaited request cannot be answered any more: all before it are complete, so it is the oldest. */
    private TerminateCode fail(TerminateCode code, int status) {
        qp.failOldest(status);
        return code;
    }
}
