package org.rdma4j.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A shared receive queue (10.2.9): receives that any thread posts, without a lock, and that the queue pairs attached to
 * it take in the order of posting, whichever of them a message comes for.
 *
 * <p>A poster claims a position, fills its slot, and publishes it by writing the position into the slot; so the driving
 * thread sees a slot either whole or not at all, and takes none before those posted earlier.
 */
public final class Srq {

    /** Where a ring says how large it is, and where its slots start. */
    private static final int MASK = 0;

    private static final int FIRST_SLOT = 1;

    private static final int PUBLISHED = 0; // 1 + the position whose receive is here
    private static final int WR_ID = 1;
    private static final int COUNT = 2;
    private static final int PIECES = 3;

    /** Set in the tail while the ring is being exchanged: nobody claims. */
    private static final long SEALED = Long.MIN_VALUE;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(Srq.class, "tail", long.class);
            HEAD = lookup.findVarHandle(Srq.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int pd;
    private final int maxPieces;
    private final int stride;
    private final Runnable limitReached;
    private volatile int capacity;
    private volatile long[] words;
    private volatile long tail;
    private long head;
    private int limit; // 0: not armed

    /**
     * @param capacity receives that may wait
     * @param maxPieces scatter elements a receive
     * @param pd the protection domain that the receives' L_Keys are checked against
     * @param limitReached called by the driving thread once for each time that a limit was armed
     */
    public Srq(int capacity, int maxPieces, int pd, Runnable limitReached) {
        this.capacity = capacity;
        this.maxPieces = maxPieces;
        this.pd = pd;
        this.stride = PIECES + 2 * Math.max(1, maxPieces);
        this.limitReached = limitReached;
        this.words = ring(capacity);
    }

    private long[] ring(int receives) {
        int slots = Integer.highestOneBit(Math.max(1, receives - 1)) << 1;
        long[] ring = new long[FIRST_SLOT + slots * stride];
        ring[MASK] = slots - 1L;
        return ring;
    }

    public int capacity() {
        return capacity;
    }

    public int maxPieces() {
        return maxPieces;
    }

    // The posters' side.

    /** Claims a position for a receive. @return negative where the queue is full */
    public long claim() {
        while (true) {
            long at = tail;
            if (at < 0) {
                Thread.onSpinWait();
            } else if (at - (long) HEAD.getAcquire(this) >= capacity) {
                return -1;
            } else if (TAIL.compareAndSet(this, at, at + 1)) {
                return at;
            }
        }
    }

    /** Starts the receive at a claimed position. */
    public void write(long position, long wrId) {
        long[] ring = words;
        int base = base(ring, position);
        ring[base + WR_ID] = wrId;
        ring[base + COUNT] = 0;
    }

    /** Appends a piece of local memory to the receive at a claimed position. */
    public void addPiece(long position, long address, int length, int localKey) {
        long[] ring = words;
        int base = base(ring, position);
        int piece = base + PIECES + 2 * (int) ring[base + COUNT]++;
        ring[piece] = address;
        ring[piece + 1] = Integer.toUnsignedLong(length) | (long) localKey << 32;
    }

    /** Posts the receive at a claimed position. */
    public void publish(long position) {
        long[] ring = words;
        WORDS.setRelease(ring, base(ring, position) + PUBLISHED, position + 1);
    }

    // The driving thread's side, and that of whoever holds the device's control lock.

    int pd() {
        return pd;
    }

    /** Receives that wait, those that are being written included. */
    public int size() {
        return (int) (tail - head);
    }

    /**
     * Takes the oldest receive into {@code target}. Fewer than the limit left, or none there at all, is the limit
     * reached.
     *
     * @return false where none waits
     */
    boolean take(Receive target) {
        long[] ring = words;
        int base = base(ring, head);
        boolean there = (long) WORDS.getAcquire(ring, base + PUBLISHED) == head + 1;
        if (there) {
            target.set(ring[base + WR_ID], ring, base + PIECES, (int) ring[base + COUNT]);
            HEAD.setRelease(this, head + 1);
        }
        if (limit != 0 && size() < limit) {
            limit = 0;
            limitReached.run();
        }
        return there;
    }

    /** Arms the limit; 0 disarms it. */
    public void armLimit(int receives) {
        limit = receives;
    }

    /** The armed limit; 0 for none. */
    public int limit() {
        return limit;
    }

    /**
     * Changes the capacity while others may post; what waits stays.
     *
     * @return false where more receives wait than would fit
     */
    public boolean resize(int newCapacity) {
        long end;
        do {
            end = tail;
        } while (!TAIL.compareAndSet(this, end, end | SEALED));
        boolean fits = end - head <= newCapacity;
        if (fits) {
            long[] old = words;
            long[] fresh = ring(newCapacity);
            for (long at = head; at != end; at++) {
                // Whoever has claimed it before the seal is about to publish it, in the old ring.
                while ((long) WORDS.getAcquire(old, base(old, at) + PUBLISHED) != at + 1) {
                    Thread.onSpinWait();
                }
                System.arraycopy(old, base(old, at), fresh, base(fresh, at), stride);
            }
            words = fresh;
            capacity = newCapacity;
        }
        tail = end;
        return fits;
    }

    private int base(long[] ring, long position) {
        return FIRST_SLOT + (int) (position & ring[MASK]) * stride;
    }
}
