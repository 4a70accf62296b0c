package org.rdma4j.tools.replay;

import java.util.Locale;
import org.rdma4j.analysis.Flow;

/** Which side of a connection is acted. */
enum Role {
    CLIENT,
    SERVER;

    CapturedConnection.End own(CapturedConnection connection) {
        return this == CLIENT ? connection.client() : connection.server();
    }

    CapturedConnection.End peer(CapturedConnection connection) {
        return this == CLIENT ? connection.server() : connection.client();
    }

    Flow ownFlow(CapturedConnection connection) {
        return this == CLIENT ? connection.clientFlow() : connection.serverFlow();
    }

    Flow peerFlow(CapturedConnection connection) {
        return this == CLIENT ? connection.serverFlow() : connection.clientFlow();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
