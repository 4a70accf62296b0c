package org.rdma4j.iwarp.stream;

import java.net.InetSocketAddress;

/** A place where connections are taken. */
public interface StreamListener extends AutoCloseable {

    /** Its address, with the port that it got. */
    InetSocketAddress local();

    @Override
    void close();
}
