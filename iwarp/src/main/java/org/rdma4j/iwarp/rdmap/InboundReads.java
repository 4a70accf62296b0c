package org.rdma4j.iwarp.rdmap;

/**
 * The peer's Reads and atomics from their request until the response is made: a ring of as many as were agreed upon, the
 * IRD (RFC 5040, 6.1). Allocated with the first one.
 */
final class InboundReads {

    private static final int SINK_OFFSET = 0;
    private static final int SOURCE_OFFSET = 1; // or an atomic's original value
    private static final int KEYS = 2; // sink STag or an atomic's identifier 0-31, source STag 32-63
    private static final int SIZE = 3;
    private static final int STRIDE = 4;

    /** In place of the size: an atomic's response. */
    private static final long ATOMIC = -1;

    private long[] words;
    private int capacity;
    private long head;
    private long tail;

    /** @param most how many may wait: the IRD */
    void start(int most) {
        if (most != capacity) {
            words = null;
        }
        capacity = most;
        head = 0;
        tail = 0;
    }

    boolean isFull() {
        return tail - head >= capacity;
    }

    /** One past the newest. */
    long tail() {
        return tail;
    }

    void addRead(int sinkSTag, long sinkOffset, long size, int sourceSTag, long sourceOffset) {
        add(sinkOffset, sourceOffset, Integer.toUnsignedLong(sinkSTag) | (long) sourceSTag << 32, size);
    }

    void addAtomic(int identifier, long original) {
        add(0, original, Integer.toUnsignedLong(identifier), ATOMIC);
    }

    private void add(long sinkOffset, long sourceOffset, long keys, long size) {
        if (words == null) {
            words = new long[capacity * STRIDE];
        }
        int base = base(tail);
        words[base + SINK_OFFSET] = sinkOffset;
        words[base + SOURCE_OFFSET] = sourceOffset;
        words[base + KEYS] = keys;
        words[base + SIZE] = size;
        tail++;
    }

    /** Those before {@code response} are answered. */
    void release(long response) {
        head = response;
    }

    boolean isAtomic(long response) {
        return words[base(response) + SIZE] == ATOMIC;
    }

    /** Bytes of a Read. */
    long size(long response) {
        return words[base(response) + SIZE];
    }

    int sinkSTag(long response) {
        return (int) words[base(response) + KEYS];
    }

    long sinkOffset(long response) {
        return words[base(response) + SINK_OFFSET];
    }

    int sourceSTag(long response) {
        return (int) (words[base(response) + KEYS] >>> 32);
    }

    long sourceOffset(long response) {
        return words[base(response) + SOURCE_OFFSET];
    }

    int identifier(long response) {
        return (int) words[base(response) + KEYS];
    }

    long original(long response) {
        return words[base(response) + SOURCE_OFFSET];
    }

    private int base(long response) {
        return (int) (response % capacity) * STRIDE;
    }
}
