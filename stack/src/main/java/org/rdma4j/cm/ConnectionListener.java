package org.rdma4j.cm;

/** Hears of a connection, on the driving thread. It may call the connection back. */
interface ConnectionListener {

    /** For a connection that nobody cares for any more: it ends by itself. */
    ConnectionListener NOBODY = (connection, event, now) -> {};

    void on(Connection connection, ConnectionEvent event, long now);
}
