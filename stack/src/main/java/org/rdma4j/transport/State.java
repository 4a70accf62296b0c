package org.rdma4j.transport;

/** States of a queue pair, in their order (10.3.1), with libibverbs' numbers. */
public enum State {
    /** Created; nothing is accepted or sent. */
    RESET,
    /** Receives may be posted; packets are dropped. */
    INIT,
    /** Ready to receive: the responder works. */
    RTR,
    /** Ready to send: requester and responder work. */
    RTS,
    /** Send queue drained: what was started is finished, nothing new starts; the responder works. */
    SQD,
    /** Send queue error (UC, UD): sends are flushed, the responder works. */
    SQE,
    /** Error: everything is flushed. */
    ERR;

    /** True where requests of the peer are executed. */
    public boolean receives() {
        return this == RTR || this == RTS || this == SQD || this == SQE;
    }

    /** True where packets of our own requests may be on the way. */
    public boolean requests() {
        return this == RTS || this == SQD;
    }
}
