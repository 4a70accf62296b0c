package org.rdma4j.ibsim.time;

/**
 * The clock of a simulation, and what is still to come: events by time, those of one time in the order in which they were
 * planned. Times are picoseconds since the start; a long holds 106 days of them. No lock: one thread runs a simulation.
 */
public final class EventQueue {

    /** Picoseconds a nanosecond: the transport's clock counts in those. */
    public static final long NANOSECOND = 1000;

    private final Wheel near = new Wheel();
    private final EventHeap far = new EventHeap();
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
        return first() == null;
    }

    /** When the next event happens, ps; {@link Long#MAX_VALUE} where none is planned. */
    public long next() {
        Event first = first();
        return first == null ? Long.MAX_VALUE : first.time;
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
        if (Wheel.reaches(event.time, now)) {
            near.add(event);
        } else {
            far.add(event);
        }
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
        if (event.inWheel) {
            near.remove(event);
        } else {
            far.cancelled();
        }
    }

    /** Has the next event happen. @return false where none is planned */
    public boolean step() {
        Event first = first();
        if (first == null) {
            return false;
        }
        happen(first);
        return true;
    }

    /** Has everything happen up to a time, that one included; it is that time then. */
    public void runUntil(long time) {
        for (Event first = first(); first != null && first.time <= time; first = first()) {
            happen(first);
        }
        now = Math.max(now, time);
    }

    private Event first() {
        Event soon = near.first(now);
        Event late = far.first();
        if (soon == null || late == null) {
            return soon == null ? late : soon;
        }
        boolean lateFirst = late.time < soon.time || late.time == soon.time && late.order < soon.order;
        return lateFirst ? late : soon;
    }

    private void happen(Event first) {
        now = first.time;
        if (first.inWheel) {
            near.remove(first);
        } else {
            far.removeFirst();
        }
        first.order = Event.IDLE;
        happened++;
        first.happen(now);
    }
}
