package org.rdma4j.cm;

import java.util.Comparator;
import java.util.TreeSet;

/** Deadlines in their order. */
final class TimeTable {

    private final TreeSet<Timed> waiting =
            new TreeSet<>(Comparator.comparingLong(Timed::deadline).thenComparingLong(Timed::serial));
    private long serials;

    long nextSerial() {
        return serials++;
    }

    void add(Timed timed) {
        if (timed.deadline() != Timed.NEVER) {
            waiting.add(timed);
        }
    }

    void remove(Timed timed) {
        if (timed.deadline() != Timed.NEVER) {
            waiting.remove(timed);
        }
    }

    long earliest() {
        return waiting.isEmpty() ? Timed.NEVER : waiting.first().deadline();
    }

    int size() {
        return waiting.size();
    }

    /** Fires every deadline that has passed. @return false where there was none */
    boolean fire(long now) {
        boolean fired = false;
        while (earliest() <= now) {
            Timed timed = waiting.first();
            timed.cancelDeadline();
            timed.onDeadline(now);
            fired = true;
        }
        return fired;
    }
}
