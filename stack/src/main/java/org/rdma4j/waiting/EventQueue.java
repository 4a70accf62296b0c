package org.rdma4j.waiting;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Events that wait for an application, and applications that wait for events. Any thread may call it. */
public final class EventQueue<T> {

    /** How long whoever drives several devices may sleep on one of them. */
    private static final long DRIVER_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A device that does nothing by itself: whoever waits for it drives it. */
    private record Driven(BooleanSupplier progress, LongConsumer awaitWork) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<T> events = new ArrayDeque<>();
    private final List<Driven> driven = new CopyOnWriteArrayList<>();

    /**
     * Whoever waits here drives a device.
     *
     * @param progress does what can be done now; false where nothing was there to do
     * @param awaitWork waits until something may have arrived, at most so many nanoseconds
     */
    public void drives(BooleanSupplier progress, LongConsumer awaitWork) {
        driven.add(new Driven(progress, awaitWork));
    }

    public void add(T event) {
        lock.lock();
        try {
            events.add(event);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an event. @return {@code null} where the time is over */
    public T take(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            T event = driven.isEmpty() ? take(left) : takeDriving(left);
            if (event != null || left <= 0) {
                return event;
            }
        }
    }

    private T take(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (events.isEmpty() && left > 0) {
                left = arrived.awaitNanos(left);
            }
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    private T takeDriving(long nanos) throws InterruptedException {
        boolean worked = false;
        for (Driven device : driven) {
            worked |= device.progress().getAsBoolean();
        }
        T event = take(0);
        if (event == null && nanos > 0 && !worked) {
            for (Driven device : driven) {
                device.awaitWork().accept(Math.min(nanos, DRIVER_WAIT_NANOS));
            }
        }
        return event;
    }

    /** Takes all that wait here and are meant. */
    public List<T> takeIf(Predicate<T> meant) {
        List<T> taken = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<T> all = events.iterator(); all.hasNext(); ) {
                T event = all.next();
                if (meant.test(event)) {
                    all.remove();
                    taken.add(event);
                }
            }
        } finally {
            lock.unlock();
        }
        return taken;
    }

    public void clear() {
        lock.lock();
        try {
            events.clear();
        } finally {
            lock.unlock();
        }
    }
}
