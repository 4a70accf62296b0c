package org.rdma4j.rocev2.nio;

import java.net.InetSocketAddress;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.rocev2.udp.UdpRoute;
import org.rdma4j.wire.Gid;

/** A route of the channel link: it knows the channel that its packets leave from. */
final class NioRoute extends UdpRoute {

    final NioSocket from;
    final InetSocketAddress to;

    NioRoute(
            RouteAttributes attributes,
            Gid local,
            int sourcePort,
            int destinationPort,
            NioSocket from,
            InetSocketAddress to) {
        super(attributes, local, sourcePort, destinationPort);
        this.from = from;
        this.to = to;
    }
}
