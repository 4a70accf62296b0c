package org.rdma4j.tools.conform.mutant.iwarp;

import org.rdma4j.iwarp.wire.MpaFrame;

/** What request and reply of a connection have said. */
final class StreamSettings {

    private MpaFrame request;
    private MpaFrame reply;

    /** @param first who asked for the connection says it */
    void said(boolean first, MpaFrame frame) {
        if (first) {
            request = frame;
        } else {
            reply = frame;
        }
    }

    boolean usesCrc() {
        return request != null && request.crc() || reply != null && reply.crc();
    }

    /** @param first in the direction of the one who asked for the connection */
    boolean usesMarkers(boolean first) {
        MpaFrame receiver = first ? reply : request;
        return receiver != null && receiver.markers();
    }

    /** A reply has been seen. */
    boolean isAnswered() {
        return reply != null;
    }
}
