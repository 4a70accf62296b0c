package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Frames that wait in this process: for a neighbor's address, for this port itself, or for a network that has no memory of its own. */
public final class HeldFrames implements FrameSink {

    private static final int MAX_FRAMES = 512;

    private final MemorySegment memory;
    private final ByteBuffer view;
    private final int[] offsets = new int[MAX_FRAMES];
    private final int[] lengths = new int[MAX_FRAMES];
    private final int[] transportLengths = new int[MAX_FRAMES];
    private int count;
    private int used;

    /** @param capacity bytes of all frames at most */
    public HeldFrames(int capacity) {
        memory = Arena.ofAuto().allocate(capacity, 64);
        view = memory.asByteBuffer();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public ByteBuffer view() {
        return view;
    }

    @Override
    public long reserve(int length) {
        return count < MAX_FRAMES && used + length <= memory.byteSize() ? used : -1;
    }

    @Override
    public void commit(int length) {
        commit(length, 0);
    }

    /** @param transportLength what the counters want to know when the frame goes its way */
    void commit(int length, int transportLength) {
        offsets[count] = used;
        lengths[count] = length;
        transportLengths[count] = transportLength;
        count++;
        used += length + 15 & ~15;
    }

    public int count() {
        return count;
    }

    public int offset(int index) {
        return offsets[index];
    }

    public int length(int index) {
        return lengths[index];
    }

    int transportLength(int index) {
        return transportLengths[index];
    }

    public void clear() {
        count = 0;
        used = 0;
    }
}
