package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;

/** The receive that a message is being written to: taken from its queue, filled from the front. */
public final class Receive {

    private static final long LENGTH_MASK = 0xFFFF_FFFFL;

    private long wrId;
    private long[] pieces = new long[2];
    private int count;
    private long capacity;
    private long filled;
    private boolean taken;

    void set(long id, long[] source, int from, int pieceCount) {
        wrId = id;
        count = pieceCount;
        if (pieces.length < 2 * pieceCount) {
            pieces = new long[2 * pieceCount];
        }
        System.arraycopy(source, from, pieces, 0, 2 * pieceCount);
        capacity = 0;
        for (int piece = 0; piece < pieceCount; piece++) {
            capacity += pieces[2 * piece + 1] & LENGTH_MASK;
        }
        filled = 0;
        taken = true;
    }

    /** True from the moment it was taken until its completion. */
    public boolean isTaken() {
        return taken;
    }

    public void clear() {
        taken = false;
    }

    public long wrId() {
        return wrId;
    }

    /** Bytes written so far. */
    public long filled() {
        return filled;
    }

    /** Forgets what was written; the next message is written from the start. */
    void rewind() {
        filled = 0;
    }

    public boolean fits(int length) {
        return filled + length <= capacity;
    }

    /**
     * Writes the next bytes of the message. The caller has asked {@link #fits}.
     *
     * @return false where a piece names memory that it may not write; bytes before that piece are written
     */
    public boolean append(KeyTable keys, int pd, MemorySegment source, long offset, int length) {
        long skip = filled;
        int left = length;
        long from = offset;
        for (int piece = 0; piece < count && left > 0; piece++) {
            long size = pieces[2 * piece + 1] & LENGTH_MASK;
            if (skip >= size) {
                skip -= size;
                continue;
            }
            int part = (int) Math.min(size - skip, left);
            long address = pieces[2 * piece] + skip;
            Region region = keys.lookup((int) (pieces[2 * piece + 1] >>> 32));
            if (region == null || !region.permits(address, part, AccessFlags.LOCAL_WRITE, pd)) {
                return false;
            }
            region.block().copyFrom(region.offsetOf(address), source, from, part);
            if (Tracing.isOn()) {
                keys.touched(Tracer.Touch.WRITE, region.key(), address, part);
            }
            from += part;
            left -= part;
            skip = 0;
        }
        filled += length;
        return true;
    }
}
