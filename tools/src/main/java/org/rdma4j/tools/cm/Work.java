package org.rdma4j.tools.cm;

import java.time.Duration;
import org.rdma4j.tools.CompletionFailure;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;
import org.rdma4j.verbs.CompletionChannel;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;

/** A completion queue that is slept on. */
final class Work implements AutoCloseable {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final DeviceContext device;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final WorkCompletion completion = new WorkCompletion();

    Work(DeviceContext device, int entries) {
        this.device = device;
        channel = device.createCompletionChannel();
        queue = device.createCq(entries, channel);
    }

    CompletionQueue queue() {
        return queue;
    }

    /** Waits for a completion. @return {@code null} where it was flushed: the connection is over */
    WorkCompletion next() {
        while (!queue.poll(completion)) {
            queue.requestNotify(false);
            if (queue.poll(completion)) {
                break;
            }
            acknowledge(LOOK);
        }
        return completion.status() == WcStatus.WR_FLUSH_ERR ? null : completion;
    }

    /** Waits for a completion. @throws ToolException where it is none of success */
    WorkCompletion success(String what, String peer) {
        WorkCompletion next = next();
        if (next == null) {
            throw new ToolException(ExitStatus.FAILED, what + ": " + peer + " has disconnected");
        }
        if (!next.isSuccess()) {
            throw CompletionFailure.of(what, next, peer, device);
        }
        return next;
    }

    /** @return false where no event came */
    private boolean acknowledge(Duration limit) {
        try {
            if (channel.getEvent(limit) == null) {
                return false;
            }
            queue.ackEvents(1);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException(ExitStatus.FAILED, "interrupted", e);
        }
    }

    @Override
    public void close() {
        // A completion that was found without its event leaves that behind.
        boolean more;
        do {
            more = acknowledge(Duration.ZERO);
        } while (more);
        queue.close();
        channel.close();
    }
}
