package org.rdma4j.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.rdma4j.transport.CompletionRing;
import org.rdma4j.transport.Moderation;

/**
 * A completion queue ({@code struct ibv_cq}). One thread polls it at a time. In {@link Progress#CALLER} mode polling an
 * empty queue drives the device.
 */
public final class CompletionQueue implements AutoCloseable {

    private static final int DISARMED = 0;
    private static final int ARMED_SOLICITED = 1;
    private static final int ARMED = 2;

    private static final int MOST_MODERATION = DeviceAttributes.SOFTWARE.maxCqModeration();

    private static final VarHandle NOTIFY;

    static {
        try {
            NOTIFY = MethodHandles.lookup().findVarHandle(CompletionQueue.class, "notify", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DeviceContext device;
    private final CompletionChannel channel;
    private final CompletionRing ring;
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger unacknowledged = new AtomicInteger();
    private volatile int notify;
    private volatile Moderation moderation; // null: none
    private volatile boolean closed;

    CompletionQueue(DeviceContext device, CqInitAttributes wanted) {
        this.device = device;
        this.channel = wanted.channel();
        this.ring =
                new CompletionRing(wanted.entries(), new Events(), wanted.timestamps() ? device.engine()::now : null);
    }

    private final class Events implements CompletionRing.Listener {
        @Override
        public void completed(boolean solicited) {
            if (channel == null) {
                return;
            }
            // The entry must be visible before the look at the flag: the application arms, and then polls once more.
            VarHandle.fullFence();
            int armed = (int) NOTIFY.getAcquire(CompletionQueue.this);
            boolean due = armed == ARMED || (armed == ARMED_SOLICITED && solicited);
            Moderation moderated = moderation;
            if (due && (moderated == null || moderated.add(device.engine().now()))) {
                notifyArmed();
            }
        }

        @Override
        public void overrun() {
            device.raise(AsyncEvent.of(AsyncEventType.CQ_ERR, CompletionQueue.this));
        }
    }

    /** Gives the event to whoever has armed the queue, if anyone has still. */
    private void notifyArmed() {
        if ((int) NOTIFY.getAndSet(this, DISARMED) != DISARMED) {
            unacknowledged.incrementAndGet();
            channel.signal(this);
        }
    }

    /**
     * Puts events off ({@code ibv_modify_cq}): one comes with the {@code count}-th completion after the queue was armed, or
     * so long after the first of them.
     *
     * @param count 0 or 1: with the first one, as at the start
     * @param period microseconds; 0: however long that takes
     * @throws VerbsException EINVAL outside of 0 to 65535, which is what libibverbs has room for
     */
    public void moderate(int count, int period) {
        requireOpen();
        checkModeration("cq_count", count);
        checkModeration("cq_period", period);
        Moderation fresh =
                count <= 1 ? null : new Moderation(count, TimeUnit.MICROSECONDS.toNanos(period), this::notifyArmed);
        device.control(() -> {
            Moderation old = moderation;
            device.engine().exchange(old, fresh);
            moderation = fresh;
            if (old != null && old.isWaiting()) {
                notifyArmed(); // what the old one had put off
            }
        });
    }

    private static void checkModeration(String name, int value) {
        if (value < 0 || value > MOST_MODERATION) {
            throw VerbsException.invalid("%s is 0 to %d, not %d", name, MOST_MODERATION, value);
        }
    }

    CompletionRing ring() {
        return ring;
    }

    DeviceContext device() {
        return device;
    }

    /** Entries that may wait; one more is an overrun: CQ_ERR, and the queue pair fails. */
    public int capacity() {
        return ring.capacity();
    }

    /** True where no completion waits to be taken; it does not drive the device. */
    public boolean isEmpty() {
        return !ring.peek();
    }

    /** Takes one completion. @return false where none is there */
    public boolean poll(WorkCompletion completion) {
        if (!ring.peek()) {
            if (!device.isCallerDriven()) {
                return false;
            }
            device.progress();
            if (!ring.peek()) {
                return false;
            }
        }
        completion.take(ring);
        return true;
    }

    /** Takes as many completions as are there and fit ({@code ibv_poll_cq}). @return how many */
    public int poll(WorkCompletion[] completions) {
        int count = 0;
        while (count < completions.length && poll(completions[count])) {
            count++;
            if (!ring.peek()) {
                break;
            }
        }
        return count;
    }

    /**
     * Asks for one event with the next completion ({@code ibv_req_notify_cq}). Poll again after it: a completion that
     * came before gives no event.
     *
     * @param solicitedOnly only for a solicited completion or an error
     */
    public void requestNotify(boolean solicitedOnly) {
        if (channel == null) {
            throw VerbsException.invalid("this completion queue was created without a channel");
        }
        NOTIFY.setVolatile(this, solicitedOnly && (int) NOTIFY.getVolatile(this) != ARMED ? ARMED_SOLICITED : ARMED);
        VarHandle.fullFence();
    }

    /**
     * Gives events back ({@code ibv_ack_cq_events}).
     *
     * @throws VerbsException EINVAL for more than were taken
     */
    public void ackEvents(int count) {
        int before = unacknowledged.getAndUpdate(events -> count >= 0 && count <= events ? events - count : events);
        if (count < 0 || count > before) {
            throw VerbsException.invalid("%d events acknowledged, %d are not acknowledged yet", count, before);
        }
    }

    /**
     * Changes the capacity ({@code ibv_resize_cq}).
     *
     * @throws VerbsException EINVAL where more completions wait than would fit, or the number is out of range
     */
    public void resize(int entries) {
        checkEntries(entries);
        device.control(() -> {
            if (!ring.resize(entries)) {
                throw VerbsException.invalid(
                        "%d completions wait, a queue of %d cannot hold them", ring.size(), entries);
            }
        });
    }

    static void checkEntries(int entries) {
        int most = DeviceAttributes.SOFTWARE.maxCqe();
        if (entries < 1 || entries > most) {
            throw VerbsException.invalid("a completion queue has 1 to %d entries, not %d", most, entries);
        }
    }

    void requireOpen() {
        if (closed) {
            throw VerbsException.invalid("the completion queue was destroyed");
        }
    }

    void adopt() {
        users.incrementAndGet();
    }

    void release() {
        users.decrementAndGet();
    }

    /**
     * Destroys it ({@code ibv_destroy_cq}).
     *
     * @throws VerbsException EBUSY while queue pairs use it or events are not acknowledged
     */
    @Override
    public void close() {
        if (users.get() > 0) {
            throw VerbsException.busy("the completion queue is still used by %d send and receive queues", users.get());
        }
        if (unacknowledged.get() > 0) {
            throw VerbsException.busy("%d events of the completion queue are not acknowledged", unacknowledged.get());
        }
        closed = true;
        if (moderation != null) {
            device.control(() -> device.engine().exchange(moderation, null));
        }
    }
}
