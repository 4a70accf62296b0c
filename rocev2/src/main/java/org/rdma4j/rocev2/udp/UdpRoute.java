package org.rdma4j.rocev2.udp;

import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.Gid;

/** The way to one peer over UDP: everything of the IP and UDP headers that does not change from packet to packet. */
public class UdpRoute implements Route {

    private final RouteAttributes attributes;

    final Gid local;
    final Gid remote;
    final boolean ipv4;

    /** The port that packets leave from: the one asked for, or the link's own where that could not be had. */
    final int sourcePort;

    final int destinationPort;

    protected UdpRoute(RouteAttributes attributes, Gid local, int sourcePort, int destinationPort) {
        this.attributes = attributes;
        this.local = local;
        this.remote = attributes.remote();
        this.ipv4 = local.isIpv4();
        this.sourcePort = sourcePort;
        this.destinationPort = destinationPort;
    }

    @Override
    public final Gid remote() {
        return remote;
    }

    @Override
    public final RouteAttributes attributes() {
        return attributes;
    }

    /** True where the packets of both routes carry the same network headers, so that one call can send them. */
    @SuppressWarnings("ReferenceEquality") // the quick way to the answer, in a train of one connection
    final boolean sameFlow(UdpRoute other) {
        return this == other
                || sourcePort == other.sourcePort
                        && remote.low() == other.remote.low()
                        && remote.high() == other.remote.high()
                        && attributes.trafficClass() == other.attributes.trafficClass()
                        && attributes.hopLimit() == other.attributes.hopLimit();
    }
}
