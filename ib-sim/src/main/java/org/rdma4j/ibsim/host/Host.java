package org.rdma4j.ibsim.host;

import java.util.SplittableRandom;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.Management;
import org.rdma4j.ibsim.fabric.PacketConsumer;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.MadHeader;

/** A host of an InfiniBand fabric: the transport on a channel adapter's port. */
public final class Host extends VirtualHost {

    private final ChannelAdapter adapter;
    private final Port port;
    private final IbLink link;
    private final PacketConsumer management;

    /** @param seed of the device's queue pair numbers and keys */
    public Host(ChannelAdapter adapter, int portNumber, long seed) {
        this(adapter, adapter.port(portNumber), new IbLink(adapter.port(portNumber)), seed);
    }

    private Host(ChannelAdapter adapter, Port port, IbLink link, long seed) {
        super(adapter.fabric().events(), open(adapter.fabric().events(), link, seed));
        this.adapter = adapter;
        this.port = port;
        this.link = link;
        management = adapter.consumer();
        adapter.setConsumer(this::received);
        port.onRoom(this::turnAt);
    }

    private static DeviceContext open(EventQueue events, IbLink link, long seed) {
        return DeviceContext.on(
                link,
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(() -> events.now() / EventQueue.NANOSECOND)
                        .withRandom(new SplittableRandom(seed)::nextInt));
    }

    @Override
    public String name() {
        return adapter.name();
    }

    private void received(FabricPacket packet, Port at, long now) {
        int bth = Management.bthOffset(packet);
        int qpn = bth < 0 ? -1 : Bth.destQp(packet.bytes(), bth);
        if (qpn == Management.SMI_QPN || qpn == MadHeader.GSI_QPN && !Management.isConnectionManagement(packet)) {
            management.received(packet, at, now);
            return;
        }
        link.arrive(packet);
        device().progress();
        link.arrive(null);
        lookAhead(now);
    }

    @Override
    protected void closed() {
        port.onRoom(time -> {});
        adapter.setConsumer(management);
    }
}
