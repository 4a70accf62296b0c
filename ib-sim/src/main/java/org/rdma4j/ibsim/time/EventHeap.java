package org.rdma4j.ibsim.time;

import java.util.Arrays;

/**
 * The events that are far off: a heap by time and order. Each entry has four below it, whose times lie side by side, so that
 * going down costs few looks at memory. An event that is cancelled leaves its entry where it is: it is passed over when its
 * time comes, or swept out when such entries are more than the others.
 */
final class EventHeap {

    private static final int BRANCHES = 4;

    /** Longs of an entry's key: time and order. */
    private static final int KEY = 2;

    /** Fewer cancelled entries than that are left to their time. */
    private static final int FEW = 64;

    private long[] keys = new long[KEY * 1024];
    private Event[] events = new Event[1024];
    private int size;
    private int cancelled;

    boolean isEmpty() {
        return size == cancelled;
    }

    /** The first one; {@code null} where there is none. */
    Event first() {
        while (size > 0 && events[0].order != keys[1]) {
            cancelled--;
            removeFirst();
        }
        return size == 0 ? null : events[0];
    }

    /** Puts in an event whose order is greater than that of all that are there. */
    void add(Event event) {
        if (size == events.length) {
            events = Arrays.copyOf(events, 2 * size);
            keys = Arrays.copyOf(keys, 2 * KEY * size);
        }
        rise(size++, event);
    }

    /** One that is here does not count any more; its order has changed. */
    void cancelled() {
        cancelled++;
        if (cancelled > FEW && 2 * cancelled > size) {
            sweep();
        }
    }

    void removeFirst() {
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
            if (events[at].order == keys[KEY * at + 1]) {
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

    private void rise(int from, Event event) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / BRANCHES;
            if (keys[KEY * parent] <= event.time) {
                break;
            }
            place(at, keys[KEY * parent], keys[KEY * parent + 1], events[parent]);
            at = parent;
        }
        place(at, event.time, event.order, event);
    }

    private void sink(int from, long time, long order, Event event) {
        int at = from;
        for (int first = BRANCHES * at + 1; first < size; first = BRANCHES * at + 1) {
            int least = first;
            int end = Math.min(first + BRANCHES, size);
            for (int child = first + 1; child < end; child++) {
                if (isBefore(child, keys[KEY * least], keys[KEY * least + 1])) {
                    least = child;
                }
            }
            if (!isBefore(least, time, order)) {
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

    private boolean isBefore(int at, long time, long order) {
        long own = keys[KEY * at];
        return own < time || own == time && keys[KEY * at + 1] < order;
    }
}
