package org.rdma4j.verbs;

/** {@code ibv_qp_state}, with its numbers. */
public enum QpState {
    RESET,
    INIT,
    RTR,
    RTS,
    SQD,
    SQE,
    ERR;

    public int number() {
        return ordinal();
    }
}
