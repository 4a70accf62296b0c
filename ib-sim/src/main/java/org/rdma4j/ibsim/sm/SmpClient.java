package org.rdma4j.ibsim.sm;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.rdma4j.ibsim.mad.Mad;
import org.rdma4j.ibsim.mad.Smp;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * Asks nodes by directed routes: a few at a time, since VL15 has no flow control, and again what is not answered in time.
 */
final class SmpClient {

    private static final int WINDOW = 16;
    private static final int ATTEMPTS = 4;

    /** 100 ms. */
    private static final long TIMEOUT = 100_000_000_000L;

    private final EventQueue events;
    private final Consumer<Mad> out;
    private final ArrayDeque<Request> queued = new ArrayDeque<>();
    private final ArrayDeque<Request> inOrder = new ArrayDeque<>(); // of their deadlines, answered ones among them
    private final Map<Long, Request> outstanding = new HashMap<>();
    private final Event timer = new Timer();
    private Runnable whenIdle;
    private long transactions;

    /** What is done with an answer. */
    @FunctionalInterface
    interface Reply {

        /** @param mad {@code null} where none has come */
        void came(Mad mad);
    }

    private static final class Request {
        private final Mad mad;
        private final Reply reply;
        private long transaction;
        private int attempts;
        private long deadline;

        Request(Mad mad, Reply reply) {
            this.mad = mad;
            this.reply = reply;
        }
    }

    SmpClient(EventQueue events, Consumer<Mad> out) {
        this.events = events;
        this.out = out;
    }

    /** Asks, as soon as others have been answered. */
    void ask(Mad mad, Reply reply) {
        queued.add(new Request(mad, reply));
        pump();
    }

    void get(byte[] path, int attribute, int modifier, Reply reply) {
        ask(Smp.directed(Mad.GET, attribute, modifier, path, 0), reply);
    }

    /** Runs something once, when nothing is asked any more. */
    void whenIdle(Runnable next) {
        whenIdle = next;
        checkIdle();
    }

    /** Forgets all, and asks nothing more. */
    void clear() {
        queued.clear();
        inOrder.clear();
        outstanding.clear();
        whenIdle = null;
        events.cancel(timer);
    }

    private void pump() {
        while (outstanding.size() < WINDOW && !queued.isEmpty()) {
            send(queued.poll());
        }
    }

    private void send(Request request) {
        request.attempts++;
        request.transaction = ++transactions;
        request.deadline = events.now() + TIMEOUT;
        request.mad.setTransactionId(request.transaction);
        outstanding.put(request.transaction, request);
        inOrder.add(request);
        if (!timer.isPlanned()) {
            events.plan(timer, request.deadline);
        }
        Mad mad = Mad.copyOf(request.mad.bytes(), 0); // it changes on its way
        out.accept(mad);
    }

    /** An answer. @return false where nobody waits for it */
    boolean received(Mad mad) {
        Request request = outstanding.remove(mad.transactionId() & Mad.OWN_TRANSACTION);
        if (request == null) {
            return false;
        }
        request.reply.came(mad);
        pump();
        checkIdle();
        return true;
    }

    private void checkIdle() {
        if (outstanding.isEmpty() && queued.isEmpty() && whenIdle != null) {
            Runnable next = whenIdle;
            whenIdle = null;
            next.run();
        }
    }

    private final class Timer extends Event {
        @Override
        protected void happen(long now) {
            while (!inOrder.isEmpty()) {
                Request first = inOrder.peek();
                boolean waits = outstanding.get(first.transaction) == first;
                if (waits && first.deadline > now) {
                    events.move(this, first.deadline);
                    break;
                }
                inOrder.poll();
                if (waits) {
                    outstanding.remove(first.transaction);
                    late(first);
                }
            }
            pump();
            checkIdle();
        }
    }

    private void late(Request request) {
        if (request.attempts < ATTEMPTS) {
            queued.addFirst(request);
        } else {
            request.reply.came(null);
        }
    }
}
