package org.rdma4j.link;

import org.rdma4j.wire.Gid;

/**
 * What a connection says about its path.
 *
 * @param remote the peer's GID
 * @param udpSourcePort entropy for the network, 0xC000 to 0xFFFF (annex A17); other links ignore it
 * @param trafficClass the IP header's DSCP and ECN byte, 0 to 255
 * @param hopLimit TTL or hop limit, 0 to 255; 0 leaves the choice to the link
 */
public record RouteAttributes(Gid remote, int udpSourcePort, int trafficClass, int hopLimit) {

    /** A route with the defaults: traffic class 0, the link's own hop limit. */
    public static RouteAttributes to(Gid remote, int udpSourcePort) {
        return new RouteAttributes(remote, udpSourcePort, 0, 0);
    }
}
