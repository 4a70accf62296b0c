package org.rdma4j.transport;

import org.rdma4j.wire.Psn;

/**
 * What a responder owes in data: responses to READs and atomics, in the order of their requests, and the record of the
 * last {@code max_dest_rd_atomic} of them, from which duplicates are answered (9.7.1, 9.7.2). Two rings of longs,
 * allocated with the first READ or atomic.
 */
final class ResponseQueue {

    private static final int ADDRESS = 0; // wire address of the first byte; an atomic's original value
    private static final int KEY_LENGTH = 1; // R_Key 0-31, length 32-63
    private static final int POSITION = 2; // first PSN 0-23, MSN 24-47, is atomic 48, is a repetition 49
    private static final int STRIDE = 3;

    private static final long ATOMIC = 1L << 48;
    private static final long REPEATED = 1L << 49;
    private static final int MSN_SHIFT = 24;

    /** Repetitions that may wait besides the originals; more are dropped, which a requester survives. */
    private static final int MAX_REPEATED = 4;

    private long[] kept; // the record
    private int keptCapacity;
    private long keptTail;

    private long[] owed; // what is still to be sent
    private int owedHead;
    private int owedCount;
    private int originals;

    void reset() {
        kept = null;
        keptTail = 0;
        owed = null;
        owedHead = 0;
        owedCount = 0;
        originals = 0;
    }

    /** Responses to first-time requests that are not sent to their end. */
    int originals() {
        return originals;
    }

    boolean isEmpty() {
        return owedCount == 0;
    }

    /** Takes a first-time READ on. */
    void addRead(int capacity, int psn, int msn, long address, int rKey, long length) {
        long keyLength = Integer.toUnsignedLong(rKey) | length << 32;
        long position = psn | (long) msn << MSN_SHIFT;
        keep(capacity, address, keyLength, position);
        originals++;
        owe(address, keyLength, position);
    }

    /** Takes an executed atomic on. */
    void addAtomic(int capacity, int psn, int msn, long original) {
        long position = psn | (long) msn << MSN_SHIFT | ATOMIC;
        keep(capacity, original, 0, position);
        originals++;
        owe(original, 0, position);
    }

    /**
     * A duplicate READ, or the tail of one, is answered again where its first request is kept and asks for the same
     * bytes.
     */
    boolean repeatRead(int psn, int msn, long address, int rKey, long length, int pathMtu) {
        for (long at = keptTail - 1; at >= 0 && at >= keptTail - keptCapacity; at--) {
            int base = (int) (at % keptCapacity) * STRIDE;
            if ((kept[base + POSITION] & ATOMIC) != 0) {
                continue;
            }
            int index = Psn.difference(psn, psn(kept[base + POSITION]));
            long keptLength = kept[base + KEY_LENGTH] >>> 32;
            if (index < 0 || index >= RcPacketizer.psnCount(Op.RDMA_READ, keptLength, pathMtu)) {
                continue;
            }
            long done = (long) index * pathMtu;
            boolean same = (int) kept[base + KEY_LENGTH] == rKey
                    && kept[base + ADDRESS] + done == address
                    && keptLength - done == length;
            return same && oweAgain(address, Integer.toUnsignedLong(rKey) | length << 32, psn, msn, 0);
        }
        return false;
    }

    /** A duplicate atomic is answered with the value that the first one found; memory is not touched again. */
    boolean repeatAtomic(int psn, int msn) {
        for (long at = keptTail - 1; at >= 0 && at >= keptTail - keptCapacity; at--) {
            int base = (int) (at % keptCapacity) * STRIDE;
            if ((kept[base + POSITION] & ATOMIC) != 0 && psn(kept[base + POSITION]) == psn) {
                return oweAgain(kept[base + ADDRESS], 0, psn, msn, ATOMIC);
            }
        }
        return false;
    }

    // The oldest response that is owed.

    boolean isAtomic() {
        return (owed[owedHead + POSITION] & ATOMIC) != 0;
    }

    boolean isRepeated() {
        return (owed[owedHead + POSITION] & REPEATED) != 0;
    }

    int psn() {
        return psn(owed[owedHead + POSITION]);
    }

    int msn() {
        return (int) (owed[owedHead + POSITION] >>> MSN_SHIFT) & Psn.MASK;
    }

    long address() {
        return owed[owedHead + ADDRESS];
    }

    int rKey() {
        return (int) owed[owedHead + KEY_LENGTH];
    }

    long length() {
        return owed[owedHead + KEY_LENGTH] >>> 32;
    }

    void removeFirst() {
        if (!isRepeated()) {
            originals--;
        }
        owedHead = (owedHead + STRIDE) % owed.length;
        owedCount--;
    }

    private void keep(int capacity, long first, long keyLength, long position) {
        if (kept == null || keptCapacity != capacity) {
            kept = new long[capacity * STRIDE];
            keptCapacity = capacity;
            keptTail = 0;
            resizeOwed(capacity + MAX_REPEATED);
        }
        write(kept, (int) (keptTail % capacity) * STRIDE, first, keyLength, position);
        keptTail++;
    }

    private void resizeOwed(int capacity) {
        long[] resized = new long[Math.max(capacity, owedCount + 1) * STRIDE];
        for (int entry = 0; entry < owedCount; entry++) {
            System.arraycopy(owed, (owedHead + entry * STRIDE) % owed.length, resized, entry * STRIDE, STRIDE);
        }
        owed = resized;
        owedHead = 0;
    }

    private boolean oweAgain(long first, long keyLength, int psn, int msn, long kind) {
        if (owedCount - originals >= MAX_REPEATED) {
            return false;
        }
        owe(first, keyLength, psn | (long) msn << MSN_SHIFT | kind | REPEATED);
        return true;
    }

    private void owe(long first, long keyLength, long position) {
        write(owed, (owedHead + owedCount * STRIDE) % owed.length, first, keyLength, position);
        owedCount++;
    }

    private static void write(long[] ring, int base, long first, long keyLength, long position) {
        ring[base + ADDRESS] = first;
        ring[base + KEY_LENGTH] = keyLength;
        ring[base + POSITION] = position;
    }

    private static int psn(long position) {
        return (int) position & Psn.MASK;
    }
}
