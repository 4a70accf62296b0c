package org.rdma4j.ibsim.host;

import java.util.SplittableRandom;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.Management;
import org.rdma4j.ibsim.fabric.PacketConsumer;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.MadHeader;

/**
 * A host of a fabric: the transport and its verbs on a channel adapter's port, in virtual time. Its device works when a
 * packet comes, when a timer is due, when the port has room for more, and a moment after its program has posted something
 * and said so by {@link #work}.
 */
public final class Host implements AutoCloseable {

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

    private final ChannelAdapter adapter;
    private final Port port;
    private final EventQueue events;
    private final IbLink link;
    private final DeviceContext device;
    private final PacketConsumer management;
    private final Event turn = new Turn();
    private final Event timer = new Timer();
    private HostProgram program = NONE;

    /** @param seed of the device's queue pair numbers and keys */
    public Host(ChannelAdapter adapter, int portNumber, long seed) {
        this.adapter = adapter;
        port = adapter.port(portNumber);
        events = adapter.fabric().events();
        link = new IbLink(port);
        management = adapter.consumer();
        device = DeviceContext.on(
                link,
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(() -> events.now() / EventQueue.NANOSECOND)
                        .withRandom(new SplittableRandom(seed)::nextInt));
        adapter.setConsumer(this::received);
        port.onRoom(this::room);
    }

    public DeviceContext device() {
        return device;
    }

    /** What the host's program does after each turn of its device. */
    public void setProgram(HostProgram next) {
        program = next;
    }

    /** Something was posted. */
    public void work() {
        planTurn(events.now() + LATENCY);
    }

    private void received(FabricPacket packet, Port at, long now) {
        int bth = Management.bthOffset(packet);
        int qpn = bth < 0 ? -1 : Bth.destQp(packet.bytes(), bth);
        if (qpn == Management.SMI_QPN || qpn == MadHeader.GSI_QPN && !Management.isConnectionManagement(packet)) {
            management.received(packet, at, now);
            return;
        }
        link.arrive(packet);
        device.progress();
        link.arrive(null);
        lookAhead(now);
    }

    /** The port has room for more from then on. */
    private void room(long time) {
        planTurn(time);
    }

    private void planTurn(long time) {
        if (!turn.isPlanned() || turn.time() > time) {
            events.move(turn, time);
        }
    }

    /** Plans what the device or the program will have to do. */
    private void lookAhead(long now) {
        long next = deadline();
        if (program.isDue() || next <= now) {
            planTurn(now + LATENCY);
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

    @Override
    public void close() {
        events.cancel(turn);
        events.cancel(timer);
        port.onRoom(time -> {});
        device.close();
        adapter.setConsumer(management);
    }
}
