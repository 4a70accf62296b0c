package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.PieceSink;

/**
 * The sending side of a link. A packet is built in place: {@link #begin} gives room for the headers, {@link #gather}
 * names the payload where it lies, {@link #end} closes it. The link adds pad and ICRC, and sends equal packets of one
 * route together. Payload is read no later than in the next {@link #flush}.
 *
 * <pre>{@code
 * long at = tx.begin(route);
 * Bth.setOpcode(tx.headers(), at, …);
 * tx.gather(block, offset, length);
 * tx.end(Bth.LENGTH, 0);
 * …
 * tx.flush(now);
 * }</pre>
 */
public interface Transmitter extends PieceSink {

    /** Room for headers of one packet, BTH included, in bytes. */
    int HEADER_ROOM = 128;

    /** How many pieces of memory one packet may be gathered from. */
    int MAX_PIECES = 33;

    /**
     * Starts a packet.
     *
     * @return the offset in {@link #headers()} where its BTH starts; {@link #HEADER_ROOM} bytes are free there
     */
    long begin(Route route);

    /** The memory that headers are written to; the same one from {@link #begin} to {@link #end}. */
    MemorySegment headers();

    /** Appends payload bytes to the packet; at most {@link #MAX_PIECES} calls a packet. */
    @Override
    void gather(MemoryBlock block, long offset, int length);

    /**
     * Closes the packet. Zero bytes pad the payload to a multiple of 4; the BTH's PadCnt is the caller's to set.
     *
     * @param headerLength bytes of BTH and extension headers that were written
     * @param icrcXor 0, or bits to flip in the right ICRC, so that a damaged packet can be sent on purpose
     */
    void end(int headerLength, int icrcXor);

    /** Hands everything to the network. Packets that it does not take are lost and counted, as on a wire. */
    void flush(long now);
}
