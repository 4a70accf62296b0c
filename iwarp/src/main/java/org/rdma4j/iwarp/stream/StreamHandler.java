package org.rdma4j.iwarp.stream;

import java.lang.foreign.MemorySegment;

/** Hears what becomes of a connection. Called by the thread that polls the network, one call at a time. */
public interface StreamHandler {

    /** A connection that was asked for is there. */
    void connected();

    /**
     * Bytes have arrived. What is not consumed comes again, in front of what arrives next; the segment is the network's
     * and may be changed, but is valid during the call only.
     *
     * @param length bytes there: at least one, and at least one more than at the last call where that consumed nothing
     * @return bytes consumed from the front
     */
    int received(MemorySegment segment, long at, int length);

    /** There is room again after a write that was not taken whole. */
    void writable();

    /** The peer has ended its stream (FIN). @param left bytes that were not consumed */
    void ended(int left);

    /** The connection broke or could not be made. It is closed already. */
    void broken(StreamException cause);
}
