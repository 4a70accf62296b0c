package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.ImmediateData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.memory.Invalidation;
import org.rdma4j.transport.Receive;
import org.rdma4j.transport.Status;

/** DDP's queue 0: Sends and immediate data, each into the oldest posted receive (RFC 5040, 5.2; RFC 5041, 5.2). */
final class SendInbox {

    private static final int NONE = -1;

    private final IwarpQp qp;
    private Receive receive;
    private int msn = 1; // of the message that is under way or comes next
    private int opcode = NONE; // of the message that is under way
    private int invalidated; // what that message names
    private boolean ready; // the next message is no one's: it says that the peer is ready

    private long written; // bytes of the Write that ended last, or is under way
    private boolean writing;
    private boolean wroteLast; // nothing came behind that Write

    SendInbox(IwarpQp qp) {
        this.qp = qp;
    }

    void expectReady(boolean value) {
        ready = value;
    }

    /** A segment of a Write: immediate data behind it tell how long it was. */
    void noteWrite(int payload, boolean last) {
        written = writing ? written + payload : payload;
        writing = !last;
        wroteLast = last;
    }

    TerminateCode onSegment(int control, MemorySegment segment, long at, int payload) {
        if (UntaggedHeader.messageSequenceNumber(segment, at) != msn) {
            return TerminateCode.DDP_UNTAGGED_MSN_RANGE;
        }
        int theirs = DdpControl.opcode(control);
        boolean starts = opcode == NONE;
        if (!starts && theirs != opcode) {
            return TerminateCode.RDMAP_UNEXPECTED_OPCODE;
        }
        if (UntaggedHeader.messageOffset(segment, at) != (starts ? 0 : (int) receive.filled())) {
            return TerminateCode.DDP_UNTAGGED_MESSAGE_OFFSET;
        }
        boolean last = DdpControl.last(control);
        if (ready && starts) {
            return onReady(last, payload);
        }
        if (starts && !qp.take(receive())) {
            return TerminateCode.DDP_UNTAGGED_NO_BUFFER;
        }
        if (theirs >= RdmapOpcode.IMMEDIATE) {
            return onImmediate(theirs, last, segment, at + UntaggedHeader.LENGTH, payload);
        }
        if (!receive.fits(payload)) {
            qp.completeReceive(receive, Status.LOC_LEN_ERR, Status.WC_RECV, 0, 0, 0, false);
            return TerminateCode.DDP_UNTAGGED_TOO_LONG;
        }
        if (!receive.append(qp.keys(), qp.receiveDomain(), segment, at + UntaggedHeader.LENGTH, payload)) {
            qp.completeReceive(receive, Status.LOC_PROT_ERR, Status.WC_RECV, 0, 0, 0, false);
            return TerminateCode.DDP_CATASTROPHIC;
        }
        opcode = theirs;
        invalidated = UntaggedHeader.invalidateSTag(segment, at);
        return last ? deliver() : null;
    }

    private TerminateCode onReady(boolean last, int payload) {
        ready = false;
        msn++;
        return last && payload == 0 ? null : TerminateCode.MPA_NO_MATCHING_RTR;
    }

    private TerminateCode deliver() {
        int delivered = opcode;
        opcode = NONE;
        msn++;
        wroteLast = false;
        int flags = 0;
        int data = 0;
        if (RdmapOpcode.invalidates(delivered)) {
            flags = Status.WC_WITH_INV;
            data = invalidated;
            if (!Invalidation.remote(qp.keys().lookup(data), qp.pd(), qp)) {
                qp.completeReceive(receive, Status.LOC_PROT_ERR, Status.WC_RECV, 0, 0, 0, false);
                return TerminateCode.RDMAP_CANNOT_INVALIDATE;
            }
        }
        int bytes = (int) receive.filled();
        boolean solicited = RdmapOpcode.solicits(delivered);
        qp.completeReceive(receive, Status.SUCCESS, Status.WC_RECV, flags, bytes, data, solicited);
        return null;
    }

    /** Immediate data are a message of their own: verbs know them behind a Write, and its length with them. */
    private TerminateCode onImmediate(int theirs, boolean last, MemorySegment segment, long at, int payload) {
        if (payload != ImmediateData.LENGTH || !last) {
            qp.completeReceive(receive, Status.LOC_LEN_ERR, Status.WC_RECV, 0, 0, 0, false);
            return TerminateCode.DDP_UNTAGGED_TOO_LONG;
        }
        msn++;
        int bytes = wroteLast ? (int) written : 0;
        wroteLast = false;
        int data = (int) (ImmediateData.data(segment, at) >>> 32);
        qp.completeReceive(
                receive,
                Status.SUCCESS,
                Status.WC_RECV_RDMA_WITH_IMM,
                Status.WC_WITH_IMM,
                bytes,
                data,
                RdmapOpcode.solicits(theirs));
        return null;
    }

    boolean isAmidMessage() {
        return opcode != NONE;
    }

    /** Completes the receive of a message that does not come any more. */
    void flush() {
        if (receive != null && receive.isTaken()) {
            qp.completeReceive(receive, Status.WR_FLUSH_ERR, Status.WC_RECV, 0, 0, 0, false);
        }
    }

    private Receive receive() {
        if (receive == null) {
            receive = new Receive();
        }
        return receive;
    }
}
