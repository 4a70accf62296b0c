package org.rdma4j.cm;

/** What may be asked of an identifier. */
enum CmIdState {
    IDLE("new"),
    BOUND("bound"),
    ADDRESS_RESOLVED("with its address resolved"),
    ROUTE_RESOLVED("with its route resolved"),
    LISTENING("listening"),
    /** A request that the application has not answered. */
    REQUESTED("requested"),
    CONNECTING("connecting"),
    /** The peer accepts, the application has not established. */
    RESPONDED("accepted by the peer"),
    ACCEPTING("accepting"),
    CONNECTED("connected"),
    DISCONNECTING("disconnecting"),
    DISCONNECTED("disconnected"),
    CLOSED("closed");

    private final String words;

    CmIdState(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
