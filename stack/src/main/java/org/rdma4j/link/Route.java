package org.rdma4j.link;

import org.rdma4j.wire.Gid;

/**
 * The way to one peer, made once by {@link Link#route} and used for every packet of a connection. A link's own
 * implementation holds what it prepared: a socket address, the masked headers that the ICRC covers.
 */
public interface Route {

    /** The peer. */
    Gid remote();

    /** What the route was made from. */
    RouteAttributes attributes();
}
