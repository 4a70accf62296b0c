package org.rdma4j.iwarp;

import java.net.InetSocketAddress;

/** Takes connections until it is closed. */
public interface IwarpListener extends AutoCloseable {

    /** Its address, with the port that it got. */
    InetSocketAddress local();

    /** Takes no more. Connections that it has taken and not been asked about yet are closed; others stay. */
    @Override
    void close();
}
