package org.rdma4j.iwarp.rdmap;

import java.util.PriorityQueue;

/** What is to happen at a time, or as soon as the device is driven again: of connections that are being set up or ended. */
final class Deadlines {

    private record Entry(long time, long order, Runnable action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long order;

    /** The action finds out for itself whether it is still wanted. */
    void at(long time, Runnable action) {
        entries.add(new Entry(time, order++, action));
    }

    /** {@link Long#MAX_VALUE}: there is none. */
    long earliest() {
        return entries.isEmpty() ? Long.MAX_VALUE : entries.peek().time;
    }

    /** Does what is due. @return false where that was nothing */
    boolean fire(long now) {
        boolean worked = false;
        while (!entries.isEmpty() && entries.peek().time <= now) {
            entries.poll().action.run();
            worked = true;
        }
        return worked;
    }
}
