package org.rdma4j.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A completion queue's entries: one producer (the thread that drives the device), one consumer at a time. Memory for
 * entries is taken with the first one, so that idle queues are cheap.
 */
public final class CompletionRing {

    /** Hears of what an application may wait for. Called by the driving thread. */
    public interface Listener {

        /** A completion was added while armed; {@code solicited} tells whether it was a solicited one or an error. */
        void completed(boolean solicited);

        /** An entry was lost because the queue was full: {@code IBV_EVENT_CQ_ERR}. */
        void overrun();
    }

    /** Words of one entry. */
    private static final int STRIDE = 4;

    private static final int WR_ID = 0;
    private static final int STATUS = 1; // status 0-7, opcode 8-15, flags 16-23, QP number 32-55
    private static final int LENGTH = 2; // byte count 0-31, immediate data or invalidated key 32-63
    private static final int SOURCE = 3; // source QP 0-23, network header 24-25

    /** Where a datagram's kind of network header stands above its source QP. */
    static final int NETWORK_SHIFT = 24;

    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(CompletionRing.class, "tail", long.class);
            HEAD = lookup.findVarHandle(CompletionRing.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Listener listener;
    private final LongSupplier clock; // null: no timestamps
    private int capacity;
    private volatile long[] words;
    private long[] stamps; // made and exchanged before the words that it goes with
    private long head;
    private long tail;
    private boolean overrun;

    /** @param capacity entries that may wait; one more is an overrun */
    public CompletionRing(int capacity, Listener listener) {
        this(capacity, listener, null);
    }

    /** The same, whose entries tell when they were added: by a clock, or not where that is {@code null}. */
    public CompletionRing(int capacity, Listener listener, LongSupplier clock) {
        this.clock = clock;
        this.capacity = capacity;
        this.listener = listener;
    }

    /** Entries that may wait. */
    public int capacity() {
        return capacity;
    }

    /** Entries that wait now. */
    public int size() {
        return (int) ((long) TAIL.getAcquire(this) - (long) HEAD.getAcquire(this));
    }

    /**
     * Adds an entry.
     *
     * @return false where the queue is full: the entry is lost, and the queue is in error from now on
     */
    public boolean push(
            long wrId, int status, int opcode, int flags, int qpn, int byteCount, int immediate, boolean solicited) {
        return push(wrId, status, opcode, flags, qpn, byteCount, immediate, 0, solicited);
    }

    /** The same for a datagram, with its source QP and, above that, its network header. */
    boolean push(
            long wrId,
            int status,
            int opcode,
            int flags,
            int qpn,
            int byteCount,
            int immediate,
            int source,
            boolean solicited) {
        long at = tail;
        if (at - (long) HEAD.getAcquire(this) >= capacity || overrun) {
            if (!overrun) {
                overrun = true;
                listener.overrun();
            }
            return false;
        }
        long[] ring = words;
        if (ring == null) {
            ring = new long[storage(capacity) * STRIDE];
            stamps = clock == null ? null : new long[storage(capacity)];
            words = ring;
        }
        int base = base(ring, at);
        if (clock != null) {
            stamps[base / STRIDE] = clock.getAsLong();
        }
        ring[base + WR_ID] = wrId;
        ring[base + STATUS] = status | (long) opcode << 8 | (long) flags << 16 | (long) qpn << 32;
        ring[base + LENGTH] = Integer.toUnsignedLong(byteCount) | (long) immediate << 32;
        ring[base + SOURCE] = source;
        TAIL.setRelease(this, at + 1);
        listener.completed(solicited || status != Status.SUCCESS);
        return true;
    }

    /** True where an entry can be read by the accessors below; the consumer's side. */
    public boolean peek() {
        return (long) TAIL.getAcquire(this) != head;
    }

    public long wrId() {
        return word(WR_ID);
    }

    public int status() {
        return (int) word(STATUS) & 0xFF;
    }

    public int opcode() {
        return (int) (word(STATUS) >>> 8) & 0xFF;
    }

    public int flags() {
        return (int) (word(STATUS) >>> 16) & 0xFF;
    }

    public int qpn() {
        return (int) (word(STATUS) >>> 32);
    }

    /** Unsigned: a message of 2^31 bytes is legal. */
    public int byteCount() {
        return (int) word(LENGTH);
    }

    public int immediate() {
        return (int) (word(LENGTH) >>> 32);
    }

    public int sourceQp() {
        return (int) word(SOURCE) & 0xFF_FFFF;
    }

    /** What a datagram's receive starts with: 0 nothing, 1 a GRH, 2 an IPv4 header, 3 an IPv6 header. */
    public int networkHeader() {
        return (int) word(SOURCE) >>> NETWORK_SHIFT & 3;
    }

    /** True where entries tell when they were added. */
    public boolean hasTimestamps() {
        return clock != null;
    }

    /** When the first entry was added; only with timestamps. */
    public long timestamp() {
        return stamps[base(words, head) / STRIDE];
    }

    /** Ends the reading of the first entry. */
    public void advance() {
        HEAD.setRelease(this, head + 1);
    }

    /**
     * Changes the capacity. The caller holds the device's control lock and nobody polls meanwhile.
     *
     * @return false where more entries wait than would fit
     */
    public boolean resize(int newCapacity) {
        if (size() > newCapacity) {
            return false;
        }
        long[] old = words;
        if (old != null) {
            long[] fresh = new long[storage(newCapacity) * STRIDE];
            long[] freshStamps = clock == null ? null : new long[storage(newCapacity)];
            for (long at = head; at != tail; at++) {
                System.arraycopy(old, base(old, at), fresh, base(fresh, at), STRIDE);
                if (freshStamps != null) {
                    freshStamps[base(fresh, at) / STRIDE] = stamps[base(old, at) / STRIDE];
                }
            }
            stamps = freshStamps;
            words = fresh;
        }
        capacity = newCapacity;
        return true;
    }

    private long word(int field) {
        long[] ring = words;
        return ring[base(ring, head) + field];
    }

    private static int base(long[] ring, long at) {
        return (int) (at * STRIDE) & (ring.length - 1);
    }

    private static int storage(int capacity) {
        return Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    }
}
