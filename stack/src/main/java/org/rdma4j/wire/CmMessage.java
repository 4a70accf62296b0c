package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * A message of connection management: what follows the header of its management datagram (IBTA volume 1, 12.6).
 *
 * <p>Reserved bits are neither read nor kept: they are written as 0. Every record can be written; the fields are cut to
 * their width. Only private data that is too long is refused.
 */
public sealed interface CmMessage
        permits CmReq, CmMra, CmRej, CmRep, CmRtu, CmDreq, CmDrep, CmLap, CmApr, CmSidrReq, CmSidrRep {

    /** Bytes on the wire. */
    int LENGTH = MadHeader.MAD_LENGTH - MadHeader.LENGTH;

    /** Says in the MAD header which message it is (16.7.3). */
    int attributeId();

    /** As the standard calls it: {@code REQ}. */
    String name();

    /** As it stood in the message, fill included. */
    PrivateData privateData();

    /** Writes all {@link #LENGTH} bytes. */
    void emit(MemorySegment segment, long offset);
}
