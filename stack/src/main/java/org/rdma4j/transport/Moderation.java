package org.rdma4j.transport;

/**
 * Puts a completion queue's event off until so many completions have come that it is due for, or the first of them has
 * waited so long ({@code ibv_modify_cq}). For the driving thread, or whoever holds the device's control lock.
 */
public final class Moderation {

    private final int count;
    private final long periodNanos;
    private final Runnable event;
    private int waiting;
    private long deadline = Long.MAX_VALUE;

    /**
     * @param count completions that bring the event at once
     * @param periodNanos after the first of them the event comes in any case; 0 for no limit
     * @param event raises the event if the queue is still armed
     */
    public Moderation(int count, long periodNanos, Runnable event) {
        this.count = count;
        this.periodNanos = periodNanos;
        this.event = event;
    }

    /** A completion came that an armed queue tells of. @return true where the event is due with it */
    public boolean add(long now) {
        if (++waiting >= count) {
            clear();
            return true;
        }
        if (waiting == 1 && periodNanos > 0) {
            deadline = now + periodNanos;
        }
        return false;
    }

    /** True where completions have come that no event has told of. */
    public boolean isWaiting() {
        return waiting > 0;
    }

    /** Raises the event where its time has come. @return false where it has not */
    boolean progress(long now) {
        if (deadline > now) {
            return false;
        }
        clear();
        event.run();
        return true;
    }

    long deadline() {
        return deadline;
    }

    private void clear() {
        waiting = 0;
        deadline = Long.MAX_VALUE;
    }
}
