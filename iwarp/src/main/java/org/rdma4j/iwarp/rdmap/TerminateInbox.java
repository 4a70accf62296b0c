package org.rdma4j.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.Terminate;
import org.rdma4j.iwarp.wire.TerminateCode;
import org.rdma4j.iwarp.wire.TerminateEncoding;
import org.rdma4j.iwarp.wire.UntaggedHeader;
import org.rdma4j.transport.Status;

/**
 * DDP's queue 2: the peer ends the stream and says why (RFC 5040, 4.8 and 6.2). No Terminate answers one, not even one
 * that makes no sense.
 */
final class TerminateInbox {

    private final IwarpQp qp;
    private final RdmapSender sender;

    TerminateInbox(IwarpQp qp, RdmapSender sender) {
        this.qp = qp;
        this.sender = sender;
    }

    TerminateCode onTerminate(MemorySegment segment, long at, int payload, boolean initial) {
        long message = at + UntaggedHeader.LENGTH;
        if (payload < Terminate.CONTROL_LENGTH) {
            qp.terminated(null);
            return null;
        }
        TerminateEncoding encoding = TerminateEncoding.of(segment, message, !initial);
        TerminateCode code = Terminate.code(segment, message, encoding);
        long header = message + Terminate.DDP_HEADER_OFFSET;
        if (Terminate.hasDdpHeader(segment, message, encoding)
                && payload >= Terminate.DDP_HEADER_OFFSET + UntaggedHeader.LENGTH) {
            blame(segment, header, Terminate.layer(segment, message, encoding), code);
        }
        qp.terminated(code);
        return null;
    }

    /** Where the terminated segment is a Read or atomic that waits for its answer, its request tells why it failed. */
    private void blame(MemorySegment segment, long header, int layer, TerminateCode code) {
        int control = TaggedHeader.control(segment, header);
        int opcode = DdpControl.opcode(control);
        boolean request = !DdpControl.tagged(control)
                && (opcode == RdmapOpcode.READ_REQUEST || opcode == RdmapOpcode.ATOMIC_REQUEST);
        if (request) {
            int status = status(layer, code);
            sender.failAsked(UntaggedHeader.messageSequenceNumber(segment, header), status);
        }
    }

    private static int status(int layer, TerminateCode code) {
        if (layer == TerminateCode.LAYER_RDMAP && code != null) {
            return switch (code) {
                case RDMAP_INVALID_STAG,
                        RDMAP_BOUNDS,
                        RDMAP_ACCESS,
                        RDMAP_STAG_NOT_ASSOCIATED,
                        RDMAP_OFFSET_WRAP,
                        RDMAP_PROTECTION_INVALIDATE,
                        RDMAP_PROTECTION_UNSPECIFIED -> Status.REM_ACCESS_ERR;
                default -> Status.REM_OP_ERR;
            };
        }
        return Status.REM_INV_REQ_ERR;
    }
}
