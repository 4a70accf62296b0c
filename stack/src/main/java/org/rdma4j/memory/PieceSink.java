package org.rdma4j.memory;

/** Takes the pieces of memory that a message consists of, in their order. */
public interface PieceSink {

    /** Appends bytes of a block, which the caller has checked. */
    void gather(MemoryBlock block, long offset, int length);
}
