package org.rdma4j.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.rdma4j.link.Port;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;

/**
 * The protocol engine of one device: all its queue pairs on one port, of whichever family. Here is what families share:
 * doorbells, turns, timers, keys and counters; how a queue pair's bytes get to its peer is the family's own. An engine
 * does no I/O but through its port, reads no clock, starts no thread: {@link #progress} is given the time and does what
 * can be done.
 *
 * <p>Everything belongs to the driving thread, or to one that holds the device's control lock, but for
 * {@link Qp#ringDoorbell()} and the posting sides of the queues.
 */
public abstract class Engine {

    /** How many turns there are before the network is looked at again, and how many of them may be used up. */
    private static final int TURNS = 16;

    private static final int FULL_TURNS = 4;

    private static final VarHandle DOORBELLS;
    private static final VarHandle RUNG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            DOORBELLS = lookup.findVarHandle(Engine.class, "doorbells", Qp.class);
            RUNG = lookup.findVarHandle(Qp.class, "rung", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int turnBytes;
    private final KeyTable keys;
    private final AsyncEventListener listener;
    private final Timers timers = new Timers();
    private final ErrorCounters errors = new ErrorCounters();
    private Moderation[] moderations = new Moderation[0];
    private final long[] decisions = new long[Rule.values().length];

    private Qp firstActive;
    private Qp lastActive;
    private volatile Qp doorbells;
    private int round;
    private long now;

    /**
     * @param random where keys come from; a secure source outside of tests
     * @param listener hears of asynchronous events
     * @param turnBytes what a queue pair may send before it is another's turn
     */
    protected Engine(IntSupplier random, AsyncEventListener listener, int turnBytes) {
        this.keys = new KeyTable(random);
        this.listener = listener;
        this.turnBytes = turnBytes;
    }

    /** What the device stands at the network with; the engine's own to drive, its owner's to close. */
    public abstract Port port();

    /** What this family has of the verbs. */
    public abstract Abilities abilities();

    /**
     * Creates a queue pair in RESET.
     *
     * @param kind one that {@link Abilities#kinds} has
     * @param domain the XRC domain's number, with the receiving end of an XRC connection
     * @return {@code null} where the device has its only one of that kind already
     */
    public abstract Qp createQp(QpKind kind, QpParts parts, int domain);

    /** Sends what was made and takes what has arrived. @return false where nothing had arrived */
    protected abstract boolean carry(long time);

    /** The time at which {@link #carry} has something to do of its own accord; {@link Long#MAX_VALUE}: never. */
    protected abstract long nextEvent();

    /** Tells a tracer what happens from now on; {@code null} ends it. */
    public final void trace(Tracer next) {
        Tracer old = keys.tracer();
        keys.tracer(next);
        if (old == null && next != null) {
            Tracing.attached();
        } else if (old != null && next == null) {
            Tracing.detached();
        }
    }

    /** Who hears what happens; {@code null} where nobody does, or where no device of the process is traced. */
    public final Tracer tracer() {
        return Tracing.isOn() ? keys.tracer() : null;
    }

    public final KeyTable keys() {
        return keys;
    }

    public final ErrorCounters errors() {
        return errors;
    }

    /** The time of this look at the network, or of the last one. */
    public final long now() {
        return now;
    }

    /** Puts one moderation in the place of another, each of them perhaps {@code null}. */
    public final void exchange(Moderation old, Moderation fresh) {
        List<Moderation> all = new ArrayList<>(List.of(moderations));
        all.remove(old);
        if (fresh != null) {
            all.add(fresh);
        }
        moderations = all.toArray(Moderation[]::new);
    }

    /** How many packets got each decision, by {@link Rule#ordinal()}. */
    public final long decisions(Rule rule) {
        return decisions[rule.ordinal()];
    }

    /**
     * Removes a queue pair; nothing of it is sent and no completion of it comes after. Where it still has a turn coming,
     * or its doorbell was rung, that does nothing: it is in RESET.
     */
    public final void destroy(Qp qp, long time) {
        qp.enter(State.RESET, time);
        qp.removed();
        timers.remove(qp);
    }

    /**
     * Does what can be done at {@code time}: sends what was posted and what is owed, takes what has arrived, fires
     * timers.
     *
     * @return false where nothing was there to do
     */
    public final boolean progress(long time) {
        now = time;
        round++;
        boolean worked = takeDoorbells();
        if (timers.earliest() <= time) {
            timers.fire(time);
            worked = true;
        }
        worked |= sendTurns(time);
        worked |= carry(time);
        for (Moderation moderation : moderations) {
            worked |= moderation.progress(time);
        }
        return worked;
    }

    /** The time at which {@link #progress} has something to do if nothing arrives and nothing is posted. */
    public final long nextDeadline() {
        if (hasWork()) {
            return now;
        }
        long earliest = Math.min(timers.earliest(), nextEvent());
        for (Moderation moderation : moderations) {
            earliest = Math.min(earliest, moderation.deadline());
        }
        return earliest;
    }

    /** True where {@link #progress} has work that waits for no one. */
    public final boolean hasWork() {
        return doorbells != null || firstActive != null && port().hasRoom();
    }

    // For queue pairs.

    final Timers timers() {
        return timers;
    }

    /** Counts the looks at the network. */
    final int round() {
        return round;
    }

    /** True where others than the queue pair whose turn it is wait for theirs. */
    final boolean othersWait() {
        return firstActive != null;
    }

    protected final void event(Qp qp, AsyncEventListener.Event event) {
        listener.onEvent(qp, event);
    }

    /** Gives a queue pair a turn. */
    protected final void activate(Qp qp) {
        if (qp.isActive) {
            return;
        }
        qp.isActive = true;
        qp.nextActive = null;
        if (firstActive == null) {
            firstActive = qp;
        } else {
            lastActive.nextActive = qp;
        }
        lastActive = qp;
    }

    /** Any thread: something was posted. */
    final void ring(Qp qp) {
        // The post must be visible before the look at the bell, or both sides may miss each other: the driving thread
        // silences the bell and then looks for posts.
        VarHandle.fullFence();
        if ((int) RUNG.getAcquire(qp) != 0 || !RUNG.compareAndSet(qp, 0, 1)) {
            return;
        }
        Qp head;
        do {
            head = doorbells;
            qp.nextDoorbell = head;
        } while (!DOORBELLS.compareAndSet(this, head, qp));
    }

    private boolean takeDoorbells() {
        if (doorbells == null) {
            return false;
        }
        Qp qp = (Qp) DOORBELLS.getAndSet(this, (Qp) null);
        while (qp != null) {
            Qp next = qp.nextDoorbell;
            qp.nextDoorbell = null;
            // From here on a post rings again; what it posted before is seen by the turn that comes.
            RUNG.setRelease(qp, 0);
            activate(qp);
            qp = next;
        }
        VarHandle.fullFence(); // the bells are silent before any turn looks for posts
        return true;
    }

    private boolean sendTurns(long time) {
        Qp waiting = null;
        int full = 0;
        boolean worked = false;
        for (int turn = 0; turn < TURNS && full < FULL_TURNS && firstActive != null && port().hasRoom(); turn++) {
            Qp qp = takeActive();
            switch (qp.transmit(time, turnBytes)) {
                case DONE -> worked = true;
                case WAITS -> {
                    // Not at once again, or the turns that are left would all be its own.
                    worked = true;
                    qp.isActive = true;
                    qp.nextActive = waiting;
                    waiting = qp;
                }
                case MORE -> {
                    worked = true;
                    full++;
                    activate(qp);
                }
            }
        }
        while (waiting != null) {
            Qp qp = waiting;
            waiting = qp.nextActive;
            qp.isActive = false;
            activate(qp);
        }
        return worked;
    }

    private Qp takeActive() {
        Qp qp = firstActive;
        firstActive = qp.nextActive;
        if (firstActive == null) {
            lastActive = null;
        }
        qp.isActive = false;
        qp.nextActive = null;
        return qp;
    }

    /** Counts a decision. */
    protected final void decided(Rule decision) {
        decisions[decision.ordinal()]++;
    }
}
