package org.rdma4j.cm;

/** States of a connection's establishment and end (IBTA volume 1, 12.9.7), in their order. */
enum ConnectionState {
    /** Nothing was sent yet. */
    IDLE,
    /** Active: REQ is out. An MRA only moves the time at which it is sent again. */
    REQ_SENT,
    /** Passive: the application thinks about a REQ. */
    REQ_RCVD,
    /** Passive: REP is out. */
    REP_SENT,
    /** Active: the application thinks about a REP. */
    REP_RCVD,
    ESTABLISHED,
    /** DREQ is out. */
    DREQ_SENT,
    /** The peer wants to end it, the application has not answered. */
    DREQ_RCVD,
    /** Over, but late packets may still come: queue pair and communication ID are not used again (12.9.8.4). */
    TIMEWAIT,
    /** Forgotten. */
    CLOSED
}
