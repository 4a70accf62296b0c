package org.rdma4j.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.DdpControl;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.RdmapOpcode;
import org.rdma4j.iwarp.wire.ReadRequest;
import org.rdma4j.iwarp.wire.TaggedHeader;
import org.rdma4j.iwarp.wire.UntaggedHeader;

/**
 * The message of no bytes by which the initiator of a peer-to-peer connection says that it is ready to receive, so that
 * the responder may send (RFC 6581, 9.2). In the order in which a responder prefers them, which is siw's.
 */
public enum RtrKind {
    /** A Write of no bytes: nothing follows from it. */
    WRITE,
    /** A Read of no bytes: its response is sent. */
    READ,
    /** A FPDU without a ULPDU, or a Send of no bytes: no receive is used up. */
    SEND;

    /** Whether an MPA frame names this kind: as offered by the initiator, as chosen by the responder. */
    boolean isIn(EnhancedData data) {
        return switch (this) {
            case WRITE -> data.writeRtr();
            case READ -> data.readRtr();
            case SEND -> data.sendRtr();
        };
    }

    /** Whether a ULPDU is a message of this kind. */
    public boolean matches(MemorySegment segment, long at, int length) {
        if (length == 0) {
            return this == SEND;
        }
        if (length < DdpControl.LENGTH) {
            return false;
        }
        int control = TaggedHeader.control(segment, at);
        int opcode = DdpControl.opcode(control);
        if (!DdpControl.last(control) || DdpControl.tagged(control) != (this == WRITE)) {
            return false;
        }
        return switch (this) {
            case WRITE -> opcode == RdmapOpcode.WRITE && length == TaggedHeader.LENGTH;
            case READ ->
                opcode == RdmapOpcode.READ_REQUEST
                        && length == UntaggedHeader.LENGTH + ReadRequest.LENGTH
                        && ReadRequest.size(segment, at + UntaggedHeader.LENGTH) == 0;
            case SEND -> opcode == RdmapOpcode.SEND && length == UntaggedHeader.LENGTH;
        };
    }
}
