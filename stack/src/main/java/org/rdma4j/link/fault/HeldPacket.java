package org.rdma4j.link.fault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.link.Route;
import org.rdma4j.memory.MemoryBlock;

/** A packet on its way through a bad network, with all that is needed to send it later. */
final class HeldPacket {

    private static final int FIRST_SIZE = 512;

    Route route;
    int headerLength;

    /** Bytes of headers and payload, no pad. */
    int length;

    int icrcXor;

    /** When it goes on. */
    long due;

    /** Its place among packets that are due at one time. */
    long order;

    /** How many packets are to go before it; 0 for one that is not reordered. */
    int toOvertake;

    /** Whether it goes twice. */
    boolean twice;

    private MemorySegment memory;
    private MemoryBlock block;

    /** Room for this many bytes; what was in it is lost. */
    MemorySegment room(int bytes) {
        if (memory == null || memory.byteSize() < bytes) {
            int size = Math.max(FIRST_SIZE, Integer.highestOneBit(bytes) * 2);
            memory = Arena.ofAuto().allocate(size, 8);
            block = MemoryBlock.of(memory);
        }
        return memory;
    }

    MemorySegment memory() {
        return memory;
    }

    MemoryBlock block() {
        return block;
    }
}
