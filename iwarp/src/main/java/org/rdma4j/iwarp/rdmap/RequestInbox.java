package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.iwarp.wire.AtomicRequest;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.Region;

/** DDP's queue 1: what the peer asks to be answered, as many at a time as were agreed upon (RFC 5040, 5.1; RFC 7306, 5). */
final class RequestInbox {

    private final IwarpQp qp;
    private final StreamRules rules;
    private final InboundReads reads;
    private int msn = 1;

    RequestInbox(IwarpQp qp, StreamRules rules, InboundReads reads) {
        this.qp = qp;
        this.rules = rules;
        this.reads = reads;
        reads.start(Math.max(1, rules.ird())); // one more than none: a Read that only says that the peer is ready
    }

    TerminateCode onRequest(int control, MemorySegment segment, long at, int payload) {
        if (UntaggedHeader.messageSequenceNumber(segment, at) != msn) {
            return TerminateCode.DDP_UNTAGGED_MSN_RANGE;
        }
        if (UntaggedHeader.messageOffset(segment, at) != 0) {
            return TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET;
        }
        if (reads.isFull()) {
            return TerminateCode.DDP_UNTAGGED_NO_BUFFER; // the queue has as many buffers as the IRD says
        }
        boolean atomic = DdpControl.opcode(control) == RdmapOpcode.ATOMIC_REQUEST;
        int expected = atomic ? AtomicRequest.LENGTH : ReadRequest.LENGTH;
        if (payload > expected) {
            return TerminateCode.DDP_UNTAGGED_TOO_LONG;
        }
        if (payload < expected || !DdpControl.last(control)) {
            return TerminateCode.RDMAP_OPERATION_UNSPECIFIED; // the header is not whole
        }
        msn++;
        long header = at + UntaggedHeader.LENGTH;
        return atomic ? onAtomic(segment, header) : onRead(segment, header);
    }

    private TerminateCode onRead(MemorySegment segment, long at) {
        long size = ReadRequest.size(segment, at);
        int source = ReadRequest.sourceSTag(segment, at);
        long offset = ReadRequest.sourceOffset(segment, at);
        if (size > 0) { // with 0 the source is not looked at (RFC 5040, 5.1)
            if (rules.ird() == 0) {
                return TerminateCode.DDP_UNTAGGED_NO_BUFFER;
            }
            TerminateCode refusal =
                    TaggedAccess.refusal(qp.keys(), qp, source, offset, size, AccessFlags.REMOTE_READ, false);
            if (refusal != null) {
                return refusal;
            }
        }
        reads.addRead(ReadRequest.sinkSTag(segment, at), ReadRequest.sinkOffset(segment, at), size, source, offset);
        qp.activate();
        return null;
    }

    private TerminateCode onAtomic(MemorySegment segment, long at) {
        int sTag = AtomicRequest.sTag(segment, at);
        long offset = AtomicRequest.taggedOffset(segment, at);
        TerminateCode refusal =
                TaggedAccess.refusal(qp.keys(), qp, sTag, offset, Long.BYTES, AccessFlags.REMOTE_ATOMIC, false);
        if (refusal != null) {
            return refusal;
        }
        int operation = AtomicRequest.operation(segment, at);
        boolean known = operation == AtomicRequest.FETCH_ADD || operation == AtomicRequest.COMPARE_SWAP;
        if ((offset & 7) != 0 || !known) {
            return TerminateCode.RDMAP_OPERATION_UNSPECIFIED;
        }
        Region region = qp.keys().lookup(sTag);
        MemorySegment memory = region.block().segment();
        long place = region.offsetOf(offset);
        long original = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, place);
        long data = AtomicRequest.data(segment, at);
        long mask = AtomicRequest.mask(segment, at);
        if (operation == AtomicRequest.FETCH_ADD) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, place, addFields(original, data, mask));
        } else {
            long compareMask = AtomicRequest.compareMask(segment, at);
            if (((original ^ AtomicRequest.compare(segment, at)) & compareMask) == 0) {
                memory.set(ValueLayout.JAVA_LONG_UNALIGNED, place, original & ~mask | data & mask);
            }
        }
        reads.addAtomic(AtomicRequest.identifier(segment, at), original);
        qp.activate();
        return null;
    }

    /** Adds field by field: a 1 in the mask is the highest bit of its field, and no carry leaves it (RFC 7306, 5.1.1). */
    static long addFields(long value, long summand, long fieldEnds) {
        long low = (value & ~fieldEnds) + (summand & ~fieldEnds);
        return low ^ (value ^ summand) & fieldEnds;
    }
}
