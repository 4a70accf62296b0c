package org.rdma4j.cm;

/** Something with a deadline. */
abstract class Timed {

    static final long NEVER = Long.MAX_VALUE;

    private final TimeTable table;
    private final long serial;
    private long deadline = NEVER;

    Timed(TimeTable table) {
        this.table = table;
        this.serial = table.nextSerial();
    }

    final long deadline() {
        return deadline;
    }

    final long serial() {
        return serial;
    }

    /** Sets the time of the next {@link #onDeadline}; {@link #NEVER} for none. */
    final void setDeadline(long time) {
        table.remove(this);
        deadline = time;
        table.add(this);
    }

    final void cancelDeadline() {
        setDeadline(NEVER);
    }

    abstract void onDeadline(long now);
}
