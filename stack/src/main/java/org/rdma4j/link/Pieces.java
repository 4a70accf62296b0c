package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.MemoryBlock;

/** The pieces of memory that a packet's payload is gathered from, until the packet is closed. One object a transmitter. */
public final class Pieces {

    private final MemoryBlock[] blocks = new MemoryBlock[Transmitter.MAX_PIECES];
    private final long[] offsets = new long[Transmitter.MAX_PIECES];
    private final int[] lengths = new int[Transmitter.MAX_PIECES];
    private int count;
    private int bytes;

    /** Forgets all, for the next packet. */
    public void clear() {
        count = 0;
        bytes = 0;
    }

    /** @throws IndexOutOfBoundsException for more than {@link Transmitter#MAX_PIECES} */
    public void add(MemoryBlock block, long offset, int length) {
        if (length == 0) {
            return;
        }
        blocks[count] = block;
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        bytes += length;
    }

    public int count() {
        return count;
    }

    /** Bytes of all pieces. */
    public int bytes() {
        return bytes;
    }

    public MemoryBlock block(int index) {
        return blocks[index];
    }

    public long offset(int index) {
        return offsets[index];
    }

    public int length(int index) {
        return lengths[index];
    }

    /** Copies all pieces, one behind the other. */
    public void copyTo(MemorySegment target, long targetOffset) {
        long at = targetOffset;
        for (int index = 0; index < count; index++) {
            blocks[index].copyTo(offsets[index], target, at, lengths[index]);
            at += lengths[index];
        }
    }
}
