package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * How the bits of a Terminate's first word are laid out. Linux siw on little-endian hosts does it in another way than
 * the RFC: layer and error type have changed places, and so have the header control bits with the reserved ones.
 */
public enum TerminateEncoding {
    /** As RFC 5040, 4.8, draws it. */
    RFC,
    /** As Linux siw sends it. */
    SIW;

    /**
     * Tells the two apart. The header control bits do, where any is set; where none is, the reading that names a code of
     * the RFCs counts. Where both do, a peer in full operation does not mean one of the two codes of connection setup
     * (RFC 6581, 8), and for the rest the RFC's reading stands.
     *
     * @param fullOperation true once the peer has sent a FPDU or more before this one
     */
    public static TerminateEncoding of(MemorySegment segment, long offset, boolean fullOperation) {
        int bits = segment.get(NetworkOrder.BYTE, offset + Terminate.HEADER_CONTROL_OFFSET);
        if ((bits & Terminate.HEADER_CONTROL_MASK) != 0) {
            return RFC;
        }
        if ((bits & Terminate.SIW_HEADER_CONTROL_MASK) != 0) {
            return SIW;
        }
        TerminateCode byRfc = Terminate.code(segment, offset, RFC);
        TerminateCode bySiw = Terminate.code(segment, offset, SIW);
        if (byRfc == null) {
            return bySiw == null ? RFC : SIW;
        }
        boolean ofSetup = byRfc == TerminateCode.MPA_INSUFFICIENT_IRD || byRfc == TerminateCode.MPA_NO_MATCHING_RTR;
        return bySiw != null && ofSetup && fullOperation ? SIW : RFC;
    }
}
