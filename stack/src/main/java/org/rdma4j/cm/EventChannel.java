package org.rdma4j.cm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;

/** Where events of identifiers wait for the application ({@code struct rdma_event_channel}). */
public final class EventChannel implements AutoCloseable {

    private static final Logger LOG = System.getLogger(EventChannel.class.getName());

    private static final long CALLER_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    private final Set<DeviceContext> driven = new CopyOnWriteArraySet<>();
    private volatile Runnable ready = () -> {};

    /**
     * Has something run whenever an event comes, on the thread that drives the device: where librdmacm's users poll a file
     * descriptor, this wakes them. It must not wait; what it throws is logged.
     */
    public void onReady(Runnable action) {
        ready = action;
    }

    /** A device in {@link Progress#CALLER} mode is driven by whoever waits here. */
    void drives(DeviceContext device) {
        if (device.progressMode() == Progress.CALLER) {
            driven.add(device);
        }
    }

    void post(CmEvent event) {
        lock.lock();
        try {
            events.add(event);
            arrived.signal();
        } finally {
            lock.unlock();
        }
        try {
            ready.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "what was to be run for an event failed on " + event, e);
        }
    }

    /** Takes what waits here for an identifier that goes to another channel, or away. */
    List<CmEvent> takeEventsOf(CmId id) {
        List<CmEvent> taken = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<CmEvent> all = events.iterator(); all.hasNext(); ) {
                CmEvent event = all.next();
                boolean its = event.listener() == null ? event.id() == id : event.listener() == id;
                if (its) {
                    all.remove();
                    taken.add(event);
                }
            }
        } finally {
            lock.unlock();
        }
        return taken;
    }

    /** Waits for an event without end ({@code rdma_get_cm_event}). */
    public CmEvent getEvent() throws InterruptedException {
        while (true) {
            CmEvent event = getEvent(Duration.ofMinutes(1));
            if (event != null) {
                return event;
            }
        }
    }

    /** Waits for an event. @return {@code null} where the time is over */
    public CmEvent getEvent(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            CmEvent event = driven.isEmpty() ? take(left) : takeDriving(left);
            if (event != null || left <= 0) {
                return event;
            }
        }
    }

    private CmEvent take(long nanos) throws InterruptedException {
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

    private CmEvent takeDriving(long nanos) throws InterruptedException {
        boolean worked = false;
        for (DeviceContext device : driven) {
            worked |= device.progress();
        }
        CmEvent event = take(0);
        if (event == null && nanos > 0 && !worked) {
            for (DeviceContext device : driven) {
                device.awaitWork(Math.min(nanos, CALLER_WAIT_NANOS));
            }
        }
        return event;
    }

    /** Forgets what waits ({@code rdma_destroy_event_channel}); the identifiers are to be closed before. */
    @Override
    public void close() {
        lock.lock();
        try {
            events.clear();
        } finally {
            lock.unlock();
        }
    }
}
