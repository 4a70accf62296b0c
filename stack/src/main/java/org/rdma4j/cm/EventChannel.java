package org.rdma4j.cm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Progress;
import org.rdma4j.waiting.EventQueue;

/** Where events of identifiers wait for the application ({@code struct rdma_event_channel}). */
public final class EventChannel implements AutoCloseable {

    private static final Logger LOG = System.getLogger(EventChannel.class.getName());

    private final EventQueue<CmEvent> events = new EventQueue<>();
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
        if (device.progressMode() == Progress.CALLER && driven.add(device)) {
            events.drives(device::progress, device::awaitWork);
        }
    }

    void post(CmEvent event) {
        events.add(event);
        try {
            ready.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "what was to be run for an event failed on " + event, e);
        }
    }

    /** Takes what waits here for an identifier that goes to another channel, or away. */
    List<CmEvent> takeEventsOf(CmId id) {
        return events.takeIf(event -> event.listener() == null ? event.id() == id : event.listener() == id);
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
        return events.take(timeout);
    }

    /** Forgets what waits ({@code rdma_destroy_event_channel}); the identifiers are to be closed before. */
    @Override
    public void close() {
        events.clear();
    }
}
