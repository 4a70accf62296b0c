package org.rdma4j.link.loop;

import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.wire.Gid;

/** A route is what it was made from: there is nothing to prepare. */
record LoopRoute(Gid local, RouteAttributes attributes) implements Route {

    @Override
    public Gid remote() {
        return attributes.remote();
    }
}
