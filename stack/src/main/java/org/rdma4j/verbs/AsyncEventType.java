package org.rdma4j.verbs;

/** {@code ibv_event_type}, with its numbers. */
public enum AsyncEventType {
    CQ_ERR(0),
    QP_FATAL(1),
    QP_REQ_ERR(2),
    QP_ACCESS_ERR(3),
    COMM_EST(4),
    SQ_DRAINED(5);

    private static final AsyncEventType[] BY_NUMBER = values();

    private final int number;

    AsyncEventType(int number) {
        this.number = number;
    }

    static AsyncEventType of(int number) {
        return BY_NUMBER[number];
    }

    public int number() {
        return number;
    }
}
