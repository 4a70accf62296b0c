package org.rdma4j.ibsim.host;

import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.verbs.DeviceContext;

/**
 * The transport and its verbs in virtual time, and a program that uses them. The device works when a packet comes, when a
 * timer is due, and a moment after its program has posted something and said so by {@link #work}.
 */
public abstract class VirtualHost implements AutoCloseable {

    /** From an arrival, or a post, to what the adapter does about it, ps. */
    private static final long LATENCY = 200_000;

    private final EventQueue events;
    private final DeviceContext device;
    private final Event turn = new Turn();
    private Runnable program = () -> {};

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

    /** What the host's program does after each turn of its device: polls its queues and posts more. */
    public final void setProgram(Runnable next) {
        program = next;
    }

    /** Something was posted. */
    public final void work() {
        planTurn(events.now() + LATENCY);
    }

    /** The link has something for the device. */
    protected final void arrived(long now) {
        device.progress();
        planTurn(now + LATENCY);
    }

    private void planTurn(long time) {
        if (!turn.isPlanned() || turn.time() > time) {
            events.move(turn, time);
        }
    }

    private final class Turn extends Event {
        @Override
        protected void happen(long now) {
            device.progress();
            program.run();
            long next = device.nextDeadline();
            if (next != Long.MAX_VALUE) {
                planTurn(Math.max(now + LATENCY, next * EventQueue.NANOSECOND));
            }
        }
    }

    /** The device is closed: nothing more comes. */
    protected abstract void closed();

    @Override
    public final void close() {
        events.cancel(turn);
        device.close();
        closed();
    }
}
