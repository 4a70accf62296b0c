package org.rdma4j.ibsim.host;

import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.verbs.DeviceContext;

/**
 * The transport and its verbs in virtual time, and a program that uses them. The device works when a packet comes, when a
 * timer is due, when its port has room for more, and a moment after its program has posted something and said so by
 * {@link #work}.
 */
public abstract class VirtualHost implements AutoCloseable {

    /** From an arrival, or a post, to what the adapter does about it, ps. */
    private static final long LATENCY = 200_000;

    private static final HostProgram NONE = new HostProgram() {
        @Override
        public boolean isDue() {
            return false;
        }

        @Override
        public void run() {}
    };

    private final EventQueue events;
    private final DeviceContext device;
    private final Event turn = new Turn();
    private final Event timer = new Timer();
    private HostProgram program = NONE;

    protected VirtualHost(EventQueue events, DeviceContext device) {
        this.events = events;
        this.device = device;
    }

    public final DeviceContext device() {
        return device;
    }

    /** The node's name. */
    public abstract String name();

    /** The traffic class of its connections: DSCP and ECN. */
    public int trafficClass() {
        return 0;
    }

    /** What the host's program does after each turn of its device. */
    public final void setProgram(HostProgram next) {
        program = next;
    }

    /** Something was posted. */
    public final void work() {
        turnAt(events.now() + LATENCY);
    }

    /** The device is to look at its link and its queues then, at the latest. */
    protected final void turnAt(long time) {
        if (!turn.isPlanned() || turn.time() > time) {
            events.move(turn, time);
        }
    }

    /** Plans what the device or the program will have to do. */
    protected final void lookAhead(long now) {
        long next = deadline();
        if (program.isDue() || next <= now) {
            turnAt(now + LATENCY);
        } else if (next != Long.MAX_VALUE && (!timer.isPlanned() || timer.time() > next)) {
            events.move(timer, next);
        }
    }

    private long deadline() {
        long nanos = device.nextDeadline();
        return nanos == Long.MAX_VALUE ? Long.MAX_VALUE : nanos * EventQueue.NANOSECOND;
    }

    private final class Turn extends Event {
        @Override
        protected void happen(long now) {
            if (program.isDue()) {
                program.run();
            }
            device.progress();
            lookAhead(now);
        }
    }

    /** A timer of the device; one that was put off meanwhile is waited for again. */
    private final class Timer extends Event {
        @Override
        protected void happen(long now) {
            if (deadline() <= now) {
                device.progress();
            }
            lookAhead(now);
        }
    }

    /** The device is closed: nothing more comes. */
    protected abstract void closed();

    @Override
    public final void close() {
        events.cancel(turn);
        events.cancel(timer);
        device.close();
        closed();
    }
}
