package org.rdma4j.trace;

import java.util.BitSet;
import org.rdma4j.wire.Psn;

/** Which PSNs of a stream were seen: those of the last few thousand, one bit each. */
final class PsnWindow {

    /** A power of two, so that PSNs map onto it across their own wrap. */
    private static final int SIZE = 4096;

    private final BitSet seen = new BitSet(SIZE);
    private int next;

    /** @param first the first PSN of the stream, not yet seen */
    PsnWindow(int first) {
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

    /** True where this PSN was seen before, as far as is remembered. */
    boolean wasSeen(int psn) {
        int ahead = ahead(psn);
        return ahead < -SIZE || ahead < 0 && seen.get(psn % SIZE);
    }

    void see(int psn) {
        int ahead = ahead(psn);
        if (ahead >= SIZE) {
            seen.clear();
        } else {
            for (int skipped = 0; skipped < ahead; skipped++) {
                seen.clear(Psn.add(next, skipped) % SIZE);
            }
        }
        if (ahead >= -SIZE) {
            seen.set(psn % SIZE);
        }
        if (ahead >= 0) {
            next = Psn.next(psn);
        }
    }
}
