package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import org.rdma4j.trace.Rule;

/** Takes the packets that a link received. */
@FunctionalInterface
public interface PacketHandler {

    /**
     * One packet whose ICRC was right. The bytes are valid during the call only.
     *
     * @param packet the memory that holds it
     * @param offset where its BTH starts
     * @param length bytes from BTH to the end of the pad, without the ICRC; it may be too short for any header
     * @return the decision: {@link Rule#ACCEPTED}, or the rule that dropped or refused it
     */
    Rule onPacket(MemorySegment packet, long offset, int length, PacketInfo info);
}
