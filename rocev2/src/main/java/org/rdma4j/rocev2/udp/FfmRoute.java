package org.rdma4j.rocev2.udp;

import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.Gid;

/** A route of the system call link: it knows the socket that its packets leave from. */
final class FfmRoute extends UdpRoute {

    final int fd;

    FfmRoute(RouteAttributes attributes, Gid local, int sourcePort, int destinationPort, int fd) {
        super(attributes, local, sourcePort, destinationPort);
        this.fd = fd;
    }
}
