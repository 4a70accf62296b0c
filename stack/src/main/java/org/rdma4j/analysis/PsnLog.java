package org.rdma4j.analysis;

import java.util.Arrays;
import org.rdma4j.wire.Psn;

/**
 * What is remembered of the latest PSNs of a stream: when and in which frame each was there last, how often it was sent.
 * The ring grows with the packets that are under way, up to a few thousand.
 */
final class PsnLog {

    /** Powers of two, so that PSNs map onto the ring across their own wrap. */
    private static final int SMALLEST = 64;

    private static final int LARGEST = 4096;

    private static final int SEEN = 1;

    /** It must have been sent once more than it was seen. */
    private static final int ASSUMED = 2;

    private long[] times = new long[SMALLEST];
    private long[] frames = new long[SMALLEST];
    private char[] marks = new char[SMALLEST];
    private byte[] sends = new byte[SMALLEST];
    private byte[] flags = new byte[SMALLEST];
    private int size = SMALLEST;
    private int next;

    /** @param first the first PSN of the stream, not yet seen */
    PsnLog(int first) {
        next = first;
    }

    /** The PSN behind the highest one seen. */
    int next() {
        return next;
    }

    /** How far a PSN is ahead of all that was seen: 0 for the next one, negative where it comes late or again. */
    int ahead(int psn) {
        return Psn.difference(psn, next);
    }

    private boolean isRemembered(int psn) {
        int ahead = ahead(psn);
        return ahead < 0 && ahead >= -size;
    }

    private int index(int psn) {
        return psn & size - 1;
    }

    /** True where this PSN was seen before, as far as is remembered. */
    boolean wasSeen(int psn) {
        return isRemembered(psn) ? (flags[index(psn)] & SEEN) != 0 : ahead(psn) < 0;
    }

    /** True where it must have been sent, and did not come by. */
    boolean isAssumed(int psn) {
        return isRemembered(psn) && (flags[index(psn)] & ASSUMED) != 0;
    }

    /** How often it was sent, as far as is known. */
    int sends(int psn) {
        return isRemembered(psn) ? sends[index(psn)] : ahead(psn) < 0 ? 1 : 0;
    }

    /** The frame in which it was there last, or which showed that it is missing; 0 where that is forgotten. */
    long frame(int psn) {
        return isRemembered(psn) ? frames[index(psn)] : 0;
    }

    /** When that was; {@link Long#MIN_VALUE} where it is forgotten. */
    long time(int psn) {
        return isRemembered(psn) ? times[index(psn)] : Long.MIN_VALUE;
    }

    /** The IPv4 identification that it had. */
    int mark(int psn) {
        return isRemembered(psn) ? marks[index(psn)] : 0;
    }

    /**
     * A packet came by.
     *
     * @param again true where that is another transmission, false for the first one and for one that was overtaken
     * @param oldest the oldest PSN that is still worth remembering
     */
    void see(int psn, boolean again, long frame, long time, int mark, int oldest) {
        int ahead = ahead(psn);
        if (ahead >= 0) {
            reserve(Psn.difference(psn, oldest) + 1);
            advance(psn, ahead);
        }
        if (ahead(psn) < -size) {
            return;
        }
        int index = index(psn);
        sends[index] = (byte) Math.min(Byte.MAX_VALUE, ahead >= 0 ? 1 : sends[index] + (again ? 1 : 0));
        flags[index] = SEEN;
        frames[index] = frame;
        times[index] = time;
        marks[index] = (char) mark;
    }

    /** A transmission of this PSN did not come by, as a later frame shows. */
    void lose(int psn, long frame, long time) {
        if (!isRemembered(psn)) {
            return;
        }
        int index = index(psn);
        sends[index] = (byte) Math.min(Byte.MAX_VALUE, sends[index] + 1);
        flags[index] |= ASSUMED;
        if ((flags[index] & SEEN) == 0) {
            frames[index] = frame;
            times[index] = time;
        }
    }

    /** Moves the end behind a PSN; those in between are forgotten from their last time round. */
    private void advance(int psn, int ahead) {
        if (ahead >= size) {
            Arrays.fill(flags, (byte) 0);
            Arrays.fill(sends, (byte) 0);
        } else {
            for (int skipped = 0; skipped < ahead; skipped++) {
                int index = index(next + skipped);
                flags[index] = 0;
                sends[index] = 0;
            }
        }
        next = Psn.next(psn);
    }

    private void reserve(int wanted) {
        if (wanted <= size || size == LARGEST) {
            return;
        }
        int larger = Math.min(LARGEST, Integer.highestOneBit(wanted - 1) << 1);
        PsnLog grown = new PsnLog(next);
        grown.size = larger;
        grown.times = new long[larger];
        grown.frames = new long[larger];
        grown.marks = new char[larger];
        grown.sends = new byte[larger];
        grown.flags = new byte[larger];
        for (int back = 1; back <= size; back++) {
            int psn = Psn.add(next, -back);
            int from = index(psn);
            int to = grown.index(psn);
            grown.times[to] = times[from];
            grown.frames[to] = frames[from];
            grown.marks[to] = marks[from];
            grown.sends[to] = sends[from];
            grown.flags[to] = flags[from];
        }
        times = grown.times;
        frames = grown.frames;
        marks = grown.marks;
        sends = grown.sends;
        flags = grown.flags;
        size = larger;
    }
}
