package org.rdma4j.cm;

import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmPath;

/** Hears of a connection, on the driving thread. It may call the connection back. */
interface ConnectionListener {

    /** For a connection that nobody cares for any more: it ends by itself. */
    ConnectionListener NOBODY = (connection, event, now) -> {};

    void on(Connection connection, ConnectionEvent event, long now);

    /** The peer offers another path. @return the status of the APR: {@link CmApr#LOADED}, or why not */
    default int onAlternatePath(CmPath path) {
        return CmApr.UNSUPPORTED;
    }
}
