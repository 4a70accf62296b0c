package org.rdma4j.iwarp.mpa;

/** Where connection setup stands. */
public enum MpaState {
    /** A responder waits for the request. */
    AWAITS_REQUEST,
    /** A responder's application is to say yes or no. */
    AWAITS_DECISION,
    /** An initiator waits for the reply. */
    AWAITS_REPLY,
    /** A responder has said yes and may not send: the initiator's first FPDU has not come (RFC 5044, 7.1.2). */
    AWAITS_FIRST_FPDU,
    /** Full operation in both directions. */
    ESTABLISHED,
    /** It did not come about; what is to be sent still is, and then the connection is closed. */
    REFUSED
}
