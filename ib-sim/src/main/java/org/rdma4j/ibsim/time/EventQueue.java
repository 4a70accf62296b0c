package org.rdma4j.ibsim.time;

import java.util.Arrays;

/**
 * The clock of a simulation, and what is still to come: a heap of events by time, those of one time in the order in which
 * they were planned. Times are picoseconds since the start; a long holds 106 days of them. No lock: one thread runs a
 * simulation.
 *
 * <p>Each entry has four below it, whose times lie side by side, so that going down costs few looks at memory. An event that
 * is cancelled leaves its entry where it is: it is passed over when its time comes, or swept out when such entries are more
 * than the others.
 */
public final class EventQueue {

    /** Picoseconds a nanosecond: the transport's clock counts in those. */
    public static final long NANOSECOND = 1000;

    private static final int BRANCHES = 4;

    /** Longs of an entry's key: time and order. */
    private static final int KEY = 2;

    /** Fewer cancelled entries than that are left to their time. */
    private static final int FEW = 64;

    private long[] keys = new long[KEY * 1024];
    private Event[] events = new Event[1024];
    private int size;
    private int cancelled;
    private long orders;
    private long now;
    private long happened;

    /** The time, ps. */
    public long now() {
        return now;
    }

    /** Events that have happened. */
    public long happened() {
        return happened;
    }

    public boolean isEmpty() {
        return size == cancelled;
    }

    /** When the next event happens, ps; {@link Long#MAX_VALUE} where none is planned. */
    public long next() {
        while (size > 0 && !isAlive(0)) {
            cancelled--;
            removeFirst();
        }
        return size == 0 ? Long.MAX_VALUE : keys[0];
    }

    /**
     * Plans an event that is not planned yet.
     *
     * @param time ps; what lies in the past happens now
     * @throws IllegalStateException where it is planned already
     */
    public void plan(Event event, long time) {
        if (event.order != Event.IDLE) {
            throw new IllegalStateException("the event is planned for " + event.time + " ps already");
        }
        event.time = Math.max(time, now);
        event.order = orders++;
        if (size == events.length) {
            events = Arrays.copyOf(events, 2 * size);
            keys = Arrays.copyOf(keys, 2 * KEY * size);
        }
        rise(size++, event.time, event.order, event);
    }

    /** Plans an event for a time, whether it was planned or not. */
    public void move(Event event, long time) {
        if (event.order != Event.IDLE) {
            if (event.time == Math.max(time, now)) {
                return;
            }
            cancel(event);
        }
        plan(event, time);
    }

    /** Does nothing where it is not planned. */
    public void cancel(Event event) {
        if (event.order == Event.IDLE) {
            return;
        }
        event.order = Event.IDLE;
        cancelled++;
        if (cancelled > FEW && 2 * cancelled > size) {
            sweep();
        }
    }

    /** Has the next event happen. @return false where none is planned */
    public boolean step() {
        return next() != Long.MAX_VALUE && happenFirst();
    }

    /** Has everything happen up to a time, that one included; it is that time then. */
    public void runUntil(long time) {
        while (size > 0 && keys[0] <= time) {
            if (isAlive(0)) {
                happenFirst();
            } else {
                cancelled--;
                removeFirst();
            }
        }
        now = Math.max(now, time);
    }

    private boolean happenFirst() {
        Event first = events[0];
        now = keys[0];
        removeFirst();
        first.order = Event.IDLE;
        happened++;
        first.happen(now);
        return true;
    }

    private boolean isAlive(int at) {
        return events[at].order == keys[KEY * at + 1];
    }

    private void removeFirst() {
        int last = --size;
        Event event = events[last];
        events[last] = null;
        if (last > 0) {
            sink(0, keys[KEY * last], keys[KEY * last + 1], event);
        }
    }

    /** Takes out what was cancelled. */
    private void sweep() {
        int alive = 0;
        for (int at = 0; at < size; at++) {
            if (isAlive(at)) {
                place(alive++, keys[KEY * at], keys[KEY * at + 1], events[at]);
            }
        }
        Arrays.fill(events, alive, size, null);
        size = alive;
        cancelled = 0;
        for (int at = (size - 2) / BRANCHES; at >= 0 && size > 1; at--) {
            sink(at, keys[KEY * at], keys[KEY * at + 1], events[at]);
        }
    }

    private void rise(int from, long time, long order, Event event) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / BRANCHES;
            // What is planned now comes behind all of its time that was planned before: its order is the greatest.
            if (keys[KEY * parent] <= time) {
                break;
            }
            place(at, keys[KEY * parent], keys[KEY * parent + 1], events[parent]);
            at = parent;
        }
        place(at, time, order, event);
    }

    private void sink(int from, long time, long order, Event event) {
        int at = from;
        for (int first = BRANCHES * at + 1; first < size; first = BRANCHES * at + 1) {
            int least = first;
            int end = Math.min(first + BRANCHES, size);
            for (int child = first + 1; child < end; child++) {
                if (before(child, keys[KEY * least], keys[KEY * least + 1])) {
                    least = child;
                }
            }
            if (!before(least, time, order)) {
                break;
            }
            place(at, keys[KEY * least], keys[KEY * least + 1], events[least]);
            at = least;
        }
        place(at, time, order, event);
    }

    private void place(int at, long time, long order, Event event) {
        keys[KEY * at] = time;
        keys[KEY * at + 1] = order;
        events[at] = event;
    }

    private boolean before(int at, long time, long order) {
        long own = keys[KEY * at];
        return own < time || own == time && keys[KEY * at + 1] < order;
    }
}
