package org.rdma4j.ibsim.time;

/**
 * The events of the next few microseconds, which most are: a ring of slots, each of them some nanoseconds, and in each its
 * events in their order. Nearly all go to the end of their slot, so that planning one and taking the first take the same few
 * steps however many there are.
 */
final class Wheel {

    /** 4.096 ns a slot, 8.4 µs in all. */
    private static final int SHIFT = 12;

    private static final int SLOTS = 2048;
    private static final int MASK = SLOTS - 1;
    private static final int WORDS = SLOTS / Long.SIZE;

    private final Event[] first = new Event[SLOTS];
    private final Event[] last = new Event[SLOTS];
    private final long[] occupied = new long[WORDS];

    /** True for a time that has a slot, at the time that it is. */
    static boolean reaches(long time, long now) {
        return (time >>> SHIFT) - (now >>> SHIFT) < SLOTS;
    }

    /** Puts in an event behind those of its time. */
    void add(Event event) {
        int slot = (int) (event.time >>> SHIFT) & MASK;
        Event earlier = last[slot];
        while (earlier != null && earlier.time > event.time) {
            earlier = earlier.before;
        }
        Event later = earlier == null ? first[slot] : earlier.after;
        event.before = earlier;
        event.after = later;
        event.inWheel = true;
        if (earlier == null) {
            first[slot] = event;
        } else {
            earlier.after = event;
        }
        if (later == null) {
            last[slot] = event;
        } else {
            later.before = event;
        }
        occupied[slot >>> 6] |= 1L << slot;
    }

    /** The first one; {@code null} where there is none. @param now no event is before it */
    Event first(long now) {
        int slot = (int) (now >>> SHIFT) & MASK;
        int word = slot >>> 6;
        long bits = occupied[word] & -1L << slot;
        for (int step = 0; bits == 0; step++) {
            if (step == WORDS) {
                return null;
            }
            word = word + 1 & WORDS - 1;
            bits = occupied[word];
        }
        return first[(word << 6) + Long.numberOfTrailingZeros(bits)];
    }

    void remove(Event event) {
        int slot = (int) (event.time >>> SHIFT) & MASK;
        Event earlier = event.before;
        Event later = event.after;
        if (earlier == null) {
            first[slot] = later;
        } else {
            earlier.after = later;
        }
        if (later == null) {
            last[slot] = earlier;
        } else {
            later.before = earlier;
        }
        if (first[slot] == null) {
            occupied[slot >>> 6] &= ~(1L << slot);
        }
        event.before = null;
        event.after = null;
        event.inWheel = false;
    }
}
