package org.rdma4j.ibsim.fabric;

import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * Flow control packets on their way to a port, in their order. Their coming is an event only where somebody waits for credit;
 * otherwise whoever looks at the port's credit next takes in what has come by then.
 */
final class CreditInbox {

    private final PortSender port;
    private final EventQueue events;
    private final Event coming = new Coming();
    private CreditUpdate first;
    private CreditUpdate lastAwaited; // and not taken
    private CreditUpdate last;
    private CreditUpdate unused;

    CreditInbox(PortSender port, EventQueue events) {
        this.port = port;
        this.events = events;
    }

    /** One to be filled in and {@link #add added}. */
    CreditUpdate fresh(long arrival) {
        CreditUpdate update = unused;
        if (update == null) {
            update = new CreditUpdate();
        } else {
            unused = update.next;
        }
        update.begin(arrival);
        return update;
    }

    void add(CreditUpdate update, boolean awaited) {
        if (first == null) {
            first = update;
        } else {
            last.next = update;
        }
        last = update;
        if (awaited) {
            lastAwaited = update;
            await();
        }
    }

    /** Somebody waits for what comes next. */
    void await() {
        if (first != null && !coming.isPlanned()) {
            events.plan(coming, first.time());
        }
    }

    /** What is on its way goes with the link. */
    void clear() {
        events.cancel(coming);
        while (first != null) {
            drop();
        }
    }

    /** Takes in what has come. */
    void take(long now) {
        while (first != null && first.time() <= now) {
            CreditUpdate update = first;
            for (int rest = update.lanes(); rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                port.credited(lane, update.totalBlocksSent(lane), update.creditLimit(lane));
            }
            drop();
        }
    }

    private void drop() {
        CreditUpdate update = first;
        first = update.next;
        if (update == lastAwaited) {
            lastAwaited = null;
        }
        update.next = unused;
        unused = update;
    }

    private final class Coming extends Event {
        @Override
        protected void happen(long now) {
            take(now);
            port.oweWhatChanged(now);
            port.trySend(now);
            if (lastAwaited != null) {
                await(); // others have come before it
            }
        }
    }
}
