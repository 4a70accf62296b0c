package org.rdma4j.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Posted receives: a ring of longs that one thread posts to and the driving thread takes from, in order. Allocated with
 * the first receive.
 */
public final class ReceiveQueue {

    private static final int WR_ID = 0;
    private static final int COUNT = 1;
    private static final int PIECES = 2;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(ReceiveQueue.class, "tail", long.class);
            HEAD = lookup.findVarHandle(ReceiveQueue.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int capacity;
    private final int maxPieces;
    private final int stride;
    private final int mask;
    private volatile long[] words;
    private long tail;
    private long head;

    /**
     * @param capacity receives that may wait
     * @param maxPieces scatter elements a receive
     */
    public ReceiveQueue(int capacity, int maxPieces) {
        this.capacity = capacity;
        this.maxPieces = maxPieces;
        this.stride = PIECES + 2 * Math.max(1, maxPieces);
        this.mask = (Integer.highestOneBit(Math.max(1, capacity - 1)) << 1) - 1;
    }

    public int capacity() {
        return capacity;
    }

    public int maxPieces() {
        return maxPieces;
    }

    // The poster's side.

    public boolean isFull() {
        return tail - (long) HEAD.getAcquire(this) >= capacity;
    }

    /** Writes the receive that {@link #publish} will post. The caller has checked that the queue is not full. */
    public void write(long wrId) {
        long[] ring = words;
        if (ring == null) {
            ring = new long[(mask + 1) * stride];
            words = ring;
        }
        int base = base(tail);
        ring[base + WR_ID] = wrId;
        ring[base + COUNT] = 0;
    }

    /** Appends a piece of local memory to the receive being written. */
    public void addPiece(long address, int length, int localKey) {
        long[] ring = words;
        int base = base(tail);
        int pieces = (int) ring[base + COUNT]++;
        ring[base + PIECES + 2 * pieces] = address;
        ring[base + PIECES + 2 * pieces + 1] = Integer.toUnsignedLong(length) | (long) localKey << 32;
    }

    /** Posts the written receive. */
    public void publish() {
        TAIL.setRelease(this, tail + 1);
    }

    // The driving thread's side.

    /** Receives that wait. */
    public int available() {
        return (int) ((long) TAIL.getAcquire(this) - head);
    }

    /**
     * Takes the oldest receive into {@code target}; its slot can be posted to again.
     *
     * @return false where none waits
     */
    public boolean take(Receive target) {
        if (available() == 0) {
            return false;
        }
        long[] ring = words;
        int base = base(head);
        target.set(ring[base + WR_ID], ring, base + PIECES, (int) ring[base + COUNT]);
        HEAD.setRelease(this, head + 1);
        return true;
    }

    private int base(long receive) {
        return (int) (receive & mask) * stride;
    }
}
