package org.rdma4j.ibsim.host;

import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.Gid;

/**
 * A path record's part of a route.
 *
 * @param lid where packets go, 16 bits
 * @param serviceLevel 4 bits
 */
record IbRoute(RouteAttributes attributes, int lid, int serviceLevel) implements Route {

    @Override
    public Gid remote() {
        return attributes.remote();
    }
}
