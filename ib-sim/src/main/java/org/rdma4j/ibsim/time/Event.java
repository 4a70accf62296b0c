package org.rdma4j.ibsim.time;

/** Something that happens at a time. One object is planned at most once at a time, and again when it has happened. */
public abstract class Event {

    static final long IDLE = -1;

    long time;

    /** Which of the queue's entries is this event's; {@link #IDLE} where none is. */
    long order = IDLE;

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
