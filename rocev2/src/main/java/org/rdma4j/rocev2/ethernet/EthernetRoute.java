package org.rdma4j.rocev2.ethernet;

import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;

/** The way to one peer over Ethernet: the neighbor that it leads to first, and all headers of its packets. */
final class EthernetRoute implements Route {

    /** Where the user leaves it open: what Linux sends. */
    private static final int HOP_LIMIT = 64;

    final Neighbor neighbor;
    final FrameBuilder builder;
    final boolean isGroup;

    /** 0 for RoCE v1, which has no ports. */
    final int sourcePort;

    final int destinationPort;

    private final RouteAttributes attributes;

    EthernetRoute(PortConfig config, RouteAttributes attributes, Neighbor neighbor) {
        this.attributes = attributes;
        this.neighbor = neighbor;
        isGroup = Gid.isMulticast(neighbor.high, neighbor.low);
        boolean udp = config.encapsulation().hasUdp();
        destinationPort = udp ? config.udpPort() : 0;
        sourcePort = udp && attributes.udpSourcePort() != 0 ? attributes.udpSourcePort() : destinationPort;
        builder = new FrameBuilder(config.encapsulation())
                .gids(config.gid(), attributes.remote())
                .udpPorts(sourcePort, destinationPort)
                .trafficClass(attributes.trafficClass())
                .hopLimit(attributes.hopLimit() != 0 ? attributes.hopLimit() : HOP_LIMIT);
        if (config.vlanId() >= 0) {
            builder.vlan(config.priority(), config.vlanId());
        }
    }

    @Override
    public Gid remote() {
        return attributes.remote();
    }

    @Override
    public RouteAttributes attributes() {
        return attributes;
    }
}
