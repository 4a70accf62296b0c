package org.rdma4j.tools.pingpong;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.WorkCompletion;

/** A game's one completion queue, polled or slept on, and driven by whoever waits. */
final class Completions implements AutoCloseable {

    /** As long as the peer may take to send its last message again, with room for a few losses. */
    private static final long LINGER_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** The patience of a service that says itself when to give up. */
    static final Duration FOR_EVER = Duration.ofDays(365);

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final DeviceContext device;
    private final CompletionChannel events;
    private final CompletionQueue cq;
    private final PollingPace pace;
    private final Duration patience;

    /**
     * @param sleeping whether to sleep on events instead of polling
     * @param patience how long a completion may be awaited
     */
    Completions(DeviceContext device, int entries, boolean sleeping, Duration patience) {
        this.patience = patience;
        this.device = device;
        events = sleeping ? device.createCompletionChannel() : null;
        cq = device.createCq(entries, events);
        pace = new PollingPace(device);
    }

    CompletionQueue queue() {
        return cq;
    }

    /** The game begins. */
    void arm() {
        if (events != null) {
            cq.requestNotify(false);
        }
    }

    /**
     * Waits for the next completion.
     *
     * @throws ToolException where none comes
     */
    void await(WorkCompletion completion) {
        long start = System.nanoTime();
        while (!cq.poll(completion)) {
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        "nothing has come for " + patience.toSeconds()
                                + " seconds: a message was lost, which this service does not send again, or the ends"
                                + " do not have the same -s and -m");
            }
            if (events == null) {
                pace.nothing();
                continue;
            }
            try {
                if (events.getEvent(patience) != null) {
                    cq.ackEvents(1);
                    cq.requestNotify(false);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ToolException(ExitStatus.FAILED, "interrupted", e);
            }
        }
        pace.found();
    }

    /** Stays for a while to answer again if the peer missed the last acknowledgement. */
    void linger() {
        long start = System.nanoTime();
        long lastSeen = start;
        long now = start;
        while (now - lastSeen < LINGER_QUIET_NANOS && now - start < LINGER_NANOS) {
            device.awaitWork(LINGER_QUIET_NANOS / 10);
            boolean worked = device.progress();
            now = System.nanoTime();
            if (worked) {
                lastSeen = now;
            }
        }
    }

    @Override
    public void close() {
        acknowledgeEvents();
        cq.close();
    }

    /** A completion that was polled before its event was looked at left that event behind. */
    private void acknowledgeEvents() {
        try {
            while (events != null && events.getEvent(Duration.ZERO) != null) {
                cq.ackEvents(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
