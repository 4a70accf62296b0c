package org.rdma4j.ibsim.time;

import java.util.Arrays;

/**
 * The clock of a simulation, and what is still to come: a binary heap of events by time, those of one time in the order in
 * which they were planned. Times are picoseconds since the start; a long holds 106 days of them. No lock: one thread runs
 * a simulation.
 */
public final class EventQueue {

    /** Picoseconds a nanosecond: the transport's clock counts in those. */
    public static final long NANOSECOND = 1000;

    private Event[] heap = new Event[1024];
    private int size;
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
        return size == 0;
    }

    /** When the next event happens, ps; {@link Long#MAX_VALUE} where none is planned. */
    public long next() {
        return size == 0 ? Long.MAX_VALUE : heap[0].time;
    }

    /**
     * Plans an event that is not planned yet.
     *
     * @param time ps; what lies in the past happens now
     * @throws IllegalStateException where it is planned already
     */
    public void plan(Event event, long time) {
        if (event.index != Event.IDLE) {
            throw new IllegalStateException("the event is planned for " + event.time + " ps already");
        }
        event.time = Math.max(time, now);
        event.order = orders++;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        rise(event, size++);
    }

    /** Plans an event for a time, whether it was planned or not. */
    public void move(Event event, long time) {
        if (event.index != Event.IDLE) {
            if (event.time == Math.max(time, now)) {
                return;
            }
            cancel(event);
        }
        plan(event, time);
    }

    /** Does nothing where it is not planned. */
    public void cancel(Event event) {
        int hole = event.index;
        if (hole == Event.IDLE) {
            return;
        }
        event.index = Event.IDLE;
        Event last = heap[--size];
        heap[size] = null;
        if (last == event) {
            return;
        }
        if (hole > 0 && before(last, heap[(hole - 1) / 2])) {
            rise(last, hole);
        } else {
            sink(last, hole);
        }
    }

    /** Has the next event happen. @return false where none is planned */
    public boolean step() {
        if (size == 0) {
            return false;
        }
        Event first = heap[0];
        first.index = Event.IDLE;
        Event last = heap[--size];
        heap[size] = null;
        if (size > 0) {
            sink(last, 0);
        }
        now = first.time;
        happened++;
        first.happen(now);
        return true;
    }

    /** Has everything happen up to a time, that one included; it is that time then. */
    public void runUntil(long time) {
        while (size > 0 && heap[0].time <= time) {
            step();
        }
        now = Math.max(now, time);
    }

    private void rise(Event event, int from) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / 2;
            if (!before(event, heap[parent])) {
                break;
            }
            place(heap[parent], at);
            at = parent;
        }
        place(event, at);
    }

    private void sink(Event event, int from) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], event)) {
                break;
            }
            place(heap[child], at);
            at = child;
        }
        place(event, at);
    }

    private void place(Event event, int at) {
        heap[at] = event;
        event.index = at;
    }

    private static boolean before(Event one, Event other) {
        return one.time < other.time || one.time == other.time && one.order < other.order;
    }
}
