package org.rdma4j.ibsim.mad;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * The traps of a node (IBTA volume 1, 14.3.13): each is sent again at a slow pace until the manager represses it, but not for
 * ever. Of one number there is one at a time, the newest.
 */
final class Traps {

    private static final long PERIOD = 1_000_000_000_000L;
    private static final int REPEATS = 10;

    private final EventQueue events;
    private final Consumer<Mad> send;
    private final Map<Integer, Repeat> repeats = new TreeMap<>();
    private long transaction;

    /** @param send takes it to the manager */
    Traps(EventQueue events, Consumer<Mad> send) {
        this.events = events;
        this.send = send;
    }

    /** Sends one, in place of any of its number that is still being repeated: at the pace of that one. */
    void send(Mad notice) {
        Repeat repeat = repeats.computeIfAbsent(notice.int16(Notice.NUMBER), number -> new Repeat());
        notice.setTransactionId(++transaction);
        repeat.notice = notice;
        repeat.left = REPEATS;
        if (notice.int16(Notice.NUMBER) == Notice.LINK_STATE
                || !repeat.isPlanned() && events.now() >= repeat.notBefore) {
            events.move(repeat, events.now());
        } else if (!repeat.isPlanned()) {
            events.plan(repeat, repeat.notBefore);
        }
    }

    void repress(Mad mad) {
        Repeat repeat = repeats.get(mad.int16(Notice.NUMBER));
        if (repeat != null) {
            events.cancel(repeat);
        }
    }

    private final class Repeat extends Event {
        private Mad notice;
        private int left;
        private long notBefore;

        @Override
        protected void happen(long now) {
            notBefore = now + PERIOD;
            send.accept(Mad.copyOf(notice.bytes(), 0));
            if (--left > 0) {
                events.plan(this, now + PERIOD);
            }
        }
    }
}
