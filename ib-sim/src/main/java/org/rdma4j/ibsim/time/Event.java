package org.rdma4j.ibsim.time;

/** Something that happens at a time. One object is planned at most once at a time, and again when it has happened. */
public abstract class Event {

    static final long IDLE = -1;

    long time;

    /** The place among those of its time; {@link #IDLE} where it is not planned. */
    long order = IDLE;

    /** Its neighbours where it is in the {@link Wheel}. */
    Event before;

    Event after;

    boolean inWheel;

    /** True from the planning to the moment in which it happens. */
    public final boolean isPlanned() {
        return order != IDLE;
    }

    /** The time that it is planned for, ps; without meaning where it is not planned. */
    public final long time() {
        return time;
    }

    /**
     * Does what it is about.
     *
     * @param now the time, ps
     */
    protected abstract void happen(long now);
}
