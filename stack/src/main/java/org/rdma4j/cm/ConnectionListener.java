package org.rdma4j.cm;

/** Hears of a connection, on the driving thread. It may call the connection back. */
interface ConnectionListener {

    /** For a connection that nobody cares for any more: it ends in good order. */
    ConnectionListener NOBODY = (connection, event, now) -> {
        if (event instanceof ConnectionEvent.DisconnectRequest) {
            connection.answerDisconnect(org.rdma4j.wire.PrivateData.EMPTY, now);
        } else if (event instanceof ConnectionEvent.Reply || event instanceof ConnectionEvent.PeerRequest) {
            connection.abandon(now);
        }
    };

    void on(Connection connection, ConnectionEvent event, long now);
}
