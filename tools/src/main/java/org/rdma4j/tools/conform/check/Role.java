package org.rdma4j.tools.conform.check;

/** Which half of the peer is under test. */
public enum Role {
    /** The hand-played side sends requests. */
    RESPONDER,
    /** The hand-played side answers the peer's requests. */
    REQUESTER,
    /** The peer's connection manager is asked for a connection. */
    PASSIVE,
    /** The peer's connection manager asks for a connection. */
    ACTIVE
}
