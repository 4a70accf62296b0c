package org.rdma4j.ibsim.ethernet;

import java.util.SplittableRandom;
import org.rdma4j.ibsim.host.VirtualHost;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.rocev2.ethernet.EthernetLink;
import org.rdma4j.rocev2.ethernet.PortConfig;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Progress;
import org.rdma4j.wire.Ecn;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.UdpHeader;

/** A host of a RoCE fabric: the transport on RoCE v2 over whole Ethernet frames, as over a real card, in virtual time. */
public final class RoceHost extends VirtualHost {

    private static final int MTU = 4200;
    private static final int GATEWAY_PREFIX = 31;

    private final EthernetAdapter adapter;
    private final AdapterIo io;

    private RoceHost(EthernetAdapter adapter, AdapterIo io, DeviceContext device) {
        super(adapter.fabric().events(), device);
        this.adapter = adapter;
        this.io = io;
        adapter.setConsumer(this::received);
    }

    /** @param seed of the device's queue pair numbers and keys */
    public static RoceHost on(EthernetAdapter adapter, long seed) {
        RoceFabric fabric = adapter.fabric();
        EventQueue events = fabric.events();
        AdapterIo io = new AdapterIo(adapter);
        PortConfig config = new PortConfig(
                Encapsulation.ROCE_V2_IPV4,
                adapter.port(1).mac(),
                Gid.ofIpv4(fabric.address(adapter)),
                MTU,
                -1,
                0,
                GATEWAY_PREFIX,
                Gid.ofIpv4(fabric.gateway(adapter)),
                false, // switches know their hosts; an owner would be looked after by a thread, in real time
                UdpHeader.ROCE_V2_PORT);
        DeviceContext device = DeviceContext.on(
                new EthernetLink("roce:" + adapter.name(), config, io, null),
                DeviceOptions.defaults()
                        .withProgress(Progress.CALLER)
                        .withClock(() -> events.now() / EventQueue.NANOSECOND)
                        .withRandom(new SplittableRandom(seed)::nextInt)
                        .withCongestionControl(fabric.settings().dcqcn()));
        return new RoceHost(adapter, io, device);
    }

    public EthernetAdapter adapter() {
        return adapter;
    }

    @Override
    public String name() {
        return adapter.name();
    }

    /** RoCE data's DSCP, and that marks are understood where switches make them. */
    @Override
    public int trafficClass() {
        return RoceSettings.DATA_DSCP << 2 | (adapter.fabric().settings().ecn() ? Ecn.CAPABLE : Ecn.NOT_CAPABLE);
    }

    /** Packets with payload that it sent, resent ones among them. */
    public long dataPackets() {
        return io.dataPackets();
    }

    private void received(EthernetFrame frame, long now) {
        io.arrive(frame);
        device().progress();
        io.arrive(null);
        lookAhead(now);
    }

    @Override
    protected void closed() {
        adapter.setConsumer((frame, now) -> {});
    }
}
