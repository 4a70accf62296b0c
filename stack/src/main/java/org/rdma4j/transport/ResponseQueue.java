package org.rdma4j.transport;

import org.rdma4j.wire.Psn;

/**
 * The last {@code max_dest_rd_atomic} READs and atomics of a responder: what it owes in data, and the record from which
 * duplicates are answered (9.7.1, 9.7.2). One ring of longs in the order of PSNs, allocated with the first request.
 *
 * <p>Responses go out in that order too. A duplicate says that the requester went back: its response starts over where
 * the duplicate asks, before all that are owed with later PSNs, which the requester would throw away until then. So each
 * request is owed at most once, however often it is repeated.
 */
final class ResponseQueue {

    private static final int ADDRESS = 0; // wire address of the first byte; an atomic's original value
    private static final int KEY_LENGTH = 1; // R_Key 0-31, length 32-63
    private static final int POSITION = 2; // first PSN 0-23, MSN 24-47, and the flags below
    private static final int PROGRESS = 3; // packet that the response starts with 0-31, packet to be sent next 32-63
    private static final int DOMAIN = 4; // the protection domain that the R_Key counts in
    private static final int STRIDE = 5;

    private static final int MSN_SHIFT = 24;
    private static final long MSN_BITS = (long) Psn.MASK << MSN_SHIFT;
    private static final long ATOMIC = 1L << 48;
    private static final long OWED = 1L << 49;
    private static final long FIRST_TIME = 1L << 50;

    private static final long PROGRESS_STEP = 1L << 32;
    private static final long PROGRESS_BOTH = 1L | PROGRESS_STEP;

    private long[] words;
    private int mask;
    private int capacity;
    private long oldest; // the first entry that is kept
    private long head; // the first one that is owed
    private long tail;
    private int originals;

    void reset() {
        words = null;
        capacity = 0;
        oldest = 0;
        head = 0;
        tail = 0;
        originals = 0;
    }

    /** First-time requests whose responses are not sent to their end. */
    int originals() {
        return originals;
    }

    /** True where nothing is owed. */
    boolean isEmpty() {
        return head == tail;
    }

    /** Takes a first-time READ on. The caller has seen that {@link #originals} leaves room. */
    void addRead(int room, int psn, int msn, long address, int rKey, long length, int pd) {
        add(room, address, Integer.toUnsignedLong(rKey) | length << 32, psn | (long) msn << MSN_SHIFT, pd);
    }

    /** Takes an executed atomic on. */
    void addAtomic(int room, int psn, int msn, long original) {
        add(room, original, 0, psn | (long) msn << MSN_SHIFT | ATOMIC, 0);
    }

    /**
     * A duplicate READ, or the tail of one, is answered again where its first request is kept and asks for the same
     * bytes.
     */
    boolean repeatRead(int psn, int msn, long address, int rKey, long length, int pathMtu) {
        for (long entry = tail - 1; entry >= oldest; entry--) {
            int base = base(entry);
            if ((words[base + POSITION] & ATOMIC) != 0) {
                continue;
            }
            int index = Psn.difference(psn, psn(base));
            long keptLength = words[base + KEY_LENGTH] >>> 32;
            if (index < 0 || index >= Packetizer.psnCount(Op.RDMA_READ, keptLength, pathMtu)) {
                continue;
            }
            long done = (long) index * pathMtu;
            boolean same = (int) words[base + KEY_LENGTH] == rKey
                    && words[base + ADDRESS] + done == address
                    && keptLength - done == length;
            if (same) {
                startOver(entry, index, msn);
            }
            return same;
        }
        return false;
    }

    /** A duplicate atomic is answered with the value that the first one found; memory is not touched again. */
    boolean repeatAtomic(int psn, int msn) {
        for (long entry = tail - 1; entry >= oldest; entry--) {
            int base = base(entry);
            if ((words[base + POSITION] & ATOMIC) != 0 && psn(base) == psn) {
                startOver(entry, 0, msn);
                return true;
            }
        }
        return false;
    }

    // The oldest response that is owed.

    boolean isAtomic() {
        return (words[base(head) + POSITION] & ATOMIC) != 0;
    }

    /** False where the request was repeated after its response had been sent to the end. */
    boolean isFirstTime() {
        return (words[base(head) + POSITION] & FIRST_TIME) != 0;
    }

    /** The request's own PSN: that of packet 0. */
    int psn() {
        return psn(base(head));
    }

    int msn() {
        return (int) (words[base(head) + POSITION] >>> MSN_SHIFT) & Psn.MASK;
    }

    /** Wire address of the READ's first byte; an atomic's original value. */
    long address() {
        return words[base(head) + ADDRESS];
    }

    int rKey() {
        return (int) words[base(head) + KEY_LENGTH];
    }

    /** The protection domain that the R_Key counts in. */
    int pd() {
        return (int) words[base(head) + DOMAIN];
    }

    long length() {
        return words[base(head) + KEY_LENGTH] >>> 32;
    }

    /** The packet of the READ that is to be sent next. */
    int next() {
        return (int) (words[base(head) + PROGRESS] >>> 32);
    }

    /** True where the next packet is the one that the response, perhaps a repeated tail, starts with. */
    boolean isAtStart() {
        long progress = words[base(head) + PROGRESS];
        return (int) progress == (int) (progress >>> 32);
    }

    /** A packet of it was sent, not the last one. */
    void advance() {
        words[base(head) + PROGRESS] += PROGRESS_STEP;
    }

    /** It is sent to its end, or given up. */
    void removeFirst() {
        int base = base(head);
        if ((words[base + POSITION] & FIRST_TIME) != 0) {
            originals--;
        }
        words[base + POSITION] &= ~(OWED | FIRST_TIME);
        skipPaid();
    }

    private void skipPaid() {
        while (head != tail && (words[base(head) + POSITION] & OWED) == 0) {
            head++;
        }
    }

    private void startOver(long entry, int index, int msn) {
        int base = base(entry);
        if ((words[base + POSITION] & OWED) == 0) {
            words[base + POSITION] = words[base + POSITION] & ~MSN_BITS | (long) msn << MSN_SHIFT | OWED;
        }
        words[base + PROGRESS] = index * PROGRESS_BOTH;
        head = Math.min(head, entry);
    }

    private void add(int room, long first, long keyLength, long position, int pd) {
        if (capacity != room) {
            resize(room);
        }
        if (tail - oldest == capacity) {
            // A repetition that is still owed goes with its record: the requester has shown that it needs it no more.
            oldest++;
            if (head < oldest) {
                head = oldest;
                skipPaid();
            }
        }
        int base = base(tail);
        words[base + ADDRESS] = first;
        words[base + KEY_LENGTH] = keyLength;
        words[base + POSITION] = position | OWED | FIRST_TIME;
        words[base + PROGRESS] = 0;
        words[base + DOMAIN] = pd;
        tail++;
        originals++;
    }

    /** A modified max_dest_rd_atomic. Nothing that is owed for the first time is among what is dropped. */
    private void resize(int room) {
        long[] old = words;
        int oldMask = mask;
        mask = (Integer.highestOneBit(Math.max(1, room - 1)) << 1) - 1;
        words = new long[(mask + 1) * STRIDE];
        capacity = room;
        oldest = Math.max(oldest, tail - room);
        for (long entry = oldest; entry != tail; entry++) {
            System.arraycopy(old, (int) (entry & oldMask) * STRIDE, words, base(entry), STRIDE);
        }
        if (head < oldest) {
            head = oldest;
            skipPaid();
        }
    }

    private int base(long entry) {
        return (int) (entry & mask) * STRIDE;
    }

    private int psn(int base) {
        return (int) words[base + POSITION] & Psn.MASK;
    }
}
