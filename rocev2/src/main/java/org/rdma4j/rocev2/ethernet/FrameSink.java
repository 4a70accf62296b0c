package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory that frames are built in, one after the other: reserve room, write, commit. */
public interface FrameSink {

    /** The memory that {@link #reserve} gives offsets in; it stays the same one. */
    MemorySegment memory();

    /** The same memory, for CRCs. Position and limit are the user's. */
    ByteBuffer view();

    /**
     * Room for a frame of up to {@code length} bytes.
     *
     * @return its offset; -1 where there is none, so that the frame is lost, as on a full wire
     */
    long reserve(int length);

    /** The frame at the last reserved offset is whole. */
    void commit(int length);
}
