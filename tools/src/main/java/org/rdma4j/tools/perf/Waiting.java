package org.rdma4j.tools.perf;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.PollingPace;
import org.rdma4j.tools.ToolException;
import org.rdma4j.tools.exchange.Conversation;
import org.rdma4j.verbs.CompletionQueue;

/** What an end does that finds no completion: spins, sleeps on events, and notices a peer that is gone. */
final class Waiting {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Duration EVENT_LIMIT = Duration.ofMillis(50);

    /** The peer may be done before this end: its last acknowledgements are still under way. */
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Where nothing is sent again, what has not come within this time does not come. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Endpoint endpoint;
    private final Conversation channel;
    private final PollingPace pace;
    private final boolean reliable;
    private long lastFind = System.nanoTime();
    private boolean armed;
    private long lastLook = System.nanoTime();
    private long goneSince;

    /** @param reliable whether what is lost is sent again */
    Waiting(Endpoint endpoint, Conversation channel, boolean reliable) {
        this.reliable = reliable;
        this.endpoint = endpoint;
        this.channel = channel;
        this.pace = new PollingPace(endpoint.device());
    }

    /** There was something to do. */
    void found() {
        pace.found();
        armed = false;
        goneSince = 0;
        lastFind = System.nanoTime();
    }

    /**
     * There was nothing; look again after this.
     *
     * @throws ToolException where the peer has hung up and nothing more came
     */
    void nothing() {
        if (endpoint.events == null) {
            pace.nothing();
        } else if (!armed) {
            endpoint.sendCq.requestNotify(false);
            endpoint.receiveCq.requestNotify(false);
            armed = true; // what came before gives no event: the caller looks once more
        } else {
            awaitEvent();
        }
        long now = System.nanoTime();
        if (now - lastLook > LOOK_NANOS) {
            lastLook = now;
            requirePeer(now);
            requireProgress(now);
        }
    }

    private void awaitEvent() {
        try {
            CompletionQueue cq = endpoint.events.getEvent(EVENT_LIMIT);
            if (cq != null) {
                cq.ackEvents(1);
                armed = false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException(ExitStatus.FAILED, "interrupted", e);
        }
    }

    private void requireProgress(long now) {
        if (!reliable && now - lastFind > LOST_NANOS) {
            throw new ToolException(
                    ExitStatus.FAILED,
                    "nothing has come for " + TimeUnit.NANOSECONDS.toSeconds(LOST_NANOS)
                            + " seconds: messages were lost, which this service does not send again, or the ends do"
                            + " not have the same options");
        }
    }

    private void requirePeer(long now) {
        if (!channel.isOver()) {
            goneSince = 0;
        } else if (goneSince == 0) {
            goneSince = now;
        } else if (now - goneSince > GONE_NANOS) {
            throw new ToolException(ExitStatus.FAILED, "the peer " + channel.name() + " hung up during the test");
        }
    }
}
