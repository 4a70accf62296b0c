package org.rdma4j.wire;

/**
 * Packet sequence numbers: 24 bits that wrap. Of two PSNs the one is ahead of the other where the way forward is
 * shorter than half the circle (IBTA volume 1, 9.7.1).
 */
public final class Psn {

    /** The bits of a PSN. */
    public static final int MASK = 0xFF_FFFF;

    /** Half the circle: no more than these may be outstanding, or a new packet would look like a duplicate. */
    public static final int HALF = 1 << 23;

    private Psn() {}

    /** The PSN {@code n} packets on; {@code n} may be negative. */
    public static int add(int psn, int n) {
        return (psn + n) & MASK;
    }

    /** The PSN after this one. */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /** How many packets on from {@code b} the PSN {@code a} is, where that is known to be the way: 0 to 2^24-1. */
    public static int distance(int a, int b) {
        return (a - b) & MASK;
    }

    /** How far {@code a} is ahead of {@code b}: -2^23 to 2^23-1, negative where it lies behind. */
    public static int difference(int a, int b) {
        return ((a - b) << 8) >> 8;
    }
}
