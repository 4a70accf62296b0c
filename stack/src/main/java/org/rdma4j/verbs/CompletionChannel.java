package org.rdma4j.verbs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where an application waits for completions ({@code struct ibv_comp_channel}): events of the CQs that were armed. */
public final class CompletionChannel implements AutoCloseable {

    private static final long CALLER_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final DeviceContext device;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<CompletionQueue> events = new ArrayDeque<>();

    CompletionChannel(DeviceContext device) {
        this.device = device;
    }

    void signal(CompletionQueue cq) {
        lock.lock();
        try {
            events.add(cq);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for an event ({@code ibv_get_cq_event}). Each one must be given back by {@link CompletionQueue#ackEvents}.
     *
     * @return the queue that was armed and got a completion, or {@code null} where the time is over
     */
    public CompletionQueue getEvent(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            CompletionQueue cq = device.isCallerDriven() ? takeDriving(left) : take(left);
            if (cq != null || left <= 0) {
                return cq;
            }
        }
    }

    private CompletionQueue take(long nanos) throws InterruptedException {
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

    private CompletionQueue takeDriving(long nanos) throws InterruptedException {
        device.progress();
        CompletionQueue cq = take(0);
        if (cq == null && nanos > 0) {
            device.awaitWork(Math.min(nanos, CALLER_WAIT_NANOS));
        }
        return cq;
    }

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
