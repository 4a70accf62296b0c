package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.mpa.RtrKind;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Region;

/**
 * Takes the peer's DDP segments in their order (RFC 5040 and 5041, 7): checks, places, and delivers what is whole. TCP
 * keeps the order, so a segment is delivered as soon as it is placed. The first error ends the stream: what was found is
 * told by a Terminate, and nothing is taken any more.
 */
final class RdmapReceiver {

    private final IwarpQp qp;
    private final KeyTable keys;
    private final StreamRules rules;
    private final SendInbox sends;
    private final RequestInbox requests;
    private final ResponseInbox responses;
    private final TerminateInbox terminates;
    private boolean first = true;

    RdmapReceiver(IwarpQp qp, StreamRules rules, InboundReads reads, RdmapSender sender) {
        this.qp = qp;
        this.keys = qp.keys();
        this.rules = rules;
        this.sends = new SendInbox(qp);
        this.requests = new RequestInbox(qp, rules, reads);
        this.responses = new ResponseInbox(qp, sender);
        this.terminates = new TerminateInbox(qp, sender);
    }

    /** The peer will start with a message that says that it is ready (RFC 6581, 9); no application sees it. */
    void expectReady(RtrKind kind) {
        sends.expectReady(kind == RtrKind.SEND);
    }

    /** This side starts with such a message: where it is a Read, its response is nobody's. */
    void expectResponse(RtrKind kind) {
        responses.expectReady(kind == RtrKind.READ);
    }

    /** True where a Send or a Read Response has begun to arrive and not ended. */
    boolean isAmidMessage() {
        return sends.isAmidMessage() || responses.isAmidMessage();
    }

    /** Gives back the receive that a message was being written to. */
    void flush() {
        sends.flush();
    }

    /**
     * A ULPDU: one DDP segment.
     *
     * @return false where the stream is over
     */
    boolean onSegment(MemorySegment segment, long at, int length) {
        if (length < DdpControl.LENGTH) {
            return refuse(TerminateMessage.of(TerminateCode.DDP_CATASTROPHIC));
        }
        int control = TaggedHeader.control(segment, at);
        int header = DdpControl.headerLength(control);
        if (length < header) {
            return refuse(TerminateMessage.of(TerminateCode.DDP_CATASTROPHIC));
        }
        boolean initial = first;
        first = false;
        TerminateCode refusal = DdpControl.tagged(control)
                ? onTagged(control, segment, at, length - header)
                : onUntagged(control, segment, at, length - header, initial);
        if (refusal == null) {
            return qp.isOpen();
        }
        boolean readRequest = !DdpControl.tagged(control)
                && DdpControl.opcode(control) == RdmapOpcode.READ_REQUEST
                && refusal.layer() == TerminateCode.LAYER_RDMAP
                && length - header >= ReadRequest.LENGTH;
        return refuse(TerminateMessage.about(refusal, segment, at, length, readRequest));
    }

    private boolean refuse(TerminateMessage message) {
        qp.terminate(message);
        return false;
    }

    private TerminateCode onTagged(int control, MemorySegment segment, long at, int payload) {
        if (DdpControl.ddpVersion(control) != DdpControl.DDP_VERSION) {
            return TerminateCode.DDP_TAGGED_VERSION;
        }
        if (DdpControl.rdmapVersion(control) != DdpControl.RDMAP_VERSION) {
            return TerminateCode.RDMAP_VERSION;
        }
        return switch (DdpControl.opcode(control)) {
            case RdmapOpcode.WRITE -> onWrite(control, segment, at, payload);
            case RdmapOpcode.READ_RESPONSE -> responses.onReadResponse(control, segment, at, payload);
            default -> TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        };
    }

    private TerminateCode onWrite(int control, MemorySegment segment, long at, int payload) {
        sends.noteWrite(payload, DdpControl.last(control));
        if (payload == 0) {
            return null; // nothing is placed, so nothing is looked up (RFC 5041, 5.1)
        }
        int sTag = TaggedHeader.sTag(segment, at);
        long offset = TaggedHeader.taggedOffset(segment, at);
        Region region = keys.lookup(sTag);
        if (region == null
                || (qp.config().access & AccessFlags.REMOTE_WRITE) == 0
                || !region.permitsRemote(offset, payload, AccessFlags.REMOTE_WRITE, qp.pd(), qp)) {
            return TaggedAccess.refusal(keys, qp, sTag, offset, payload, AccessFlags.REMOTE_WRITE, true);
        }
        region.block().copyFrom(region.offsetOf(offset), segment, at + TaggedHeader.LENGTH, payload);
        return null;
    }

    private TerminateCode onUntagged(int control, MemorySegment segment, long at, int payload, boolean initial) {
        if (DdpControl.ddpVersion(control) != DdpControl.DDP_VERSION) {
            return TerminateCode.DDP_UNTAGGED_VERSION;
        }
        int queue = UntaggedHeader.queueNumber(segment, at);
        if (queue < 0 || queue > lastQueue()) {
            return TerminateCode.DDP_UNTAGGED_QUEUE_NUMBER;
        }
        if (DdpControl.rdmapVersion(control) != DdpControl.RDMAP_VERSION) {
            return TerminateCode.RDMAP_VERSION;
        }
        int opcode = DdpControl.opcode(control);
        if (RdmapOpcode.queueNumber(opcode) != queue || opcode > RdmapOpcode.TERMINATE && !rules.extended()) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        return switch (queue) {
            case UntaggedHeader.SEND_QUEUE -> sends.onSegment(control, segment, at, payload);
            case UntaggedHeader.REQUEST_QUEUE -> requests.onRequest(control, segment, at, payload);
            case UntaggedHeader.TERMINATE_QUEUE -> terminates.onTerminate(segment, at, payload, initial);
            default -> responses.onAtomicResponse(control, segment, at, payload);
        };
    }

    private int lastQueue() {
        return rules.extended() ? UntaggedHeader.ATOMIC_RESPONSE_QUEUE : UntaggedHeader.TERMINATE_QUEUE;
    }
}
