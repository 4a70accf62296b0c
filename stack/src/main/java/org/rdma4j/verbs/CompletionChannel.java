package org.rdma4j.verbs;

import java.time.Duration;
import org.rdma4j.waiting.EventQueue;

/** Where an application waits for completions ({@code struct ibv_comp_channel}): events of the CQs that were armed. */
public final class CompletionChannel implements AutoCloseable {

    private final EventQueue<CompletionQueue> events = new EventQueue<>();

    CompletionChannel(DeviceContext device) {
        if (device.isCallerDriven()) {
            events.drives(device::progress, device::awaitWork);
        }
    }

    void signal(CompletionQueue cq) {
        events.add(cq);
    }

    /**
     * Waits for an event ({@code ibv_get_cq_event}). Each one must be given back by {@link CompletionQueue#ackEvents}.
     *
     * @return the queue that was armed and got a completion, or {@code null} where the time is over
     */
    public CompletionQueue getEvent(Duration timeout) throws InterruptedException {
        return events.take(timeout);
    }

    @Override
    public void close() {
        events.clear();
    }
}
