package org.rdma4j.verbs;

/** {@code ibv_event_type}, with its numbers, and what each one means in a sentence. */
public enum AsyncEventType {
    /** A completion was lost, for its queue was full. */
    CQ_ERR("a completion was lost: the completion queue was full"),
    QP_FATAL("a queue pair failed: a completion of it was lost"),
    QP_REQ_ERR("the peer's request was not a legal one"),
    QP_ACCESS_ERR("the peer's request violated this side's memory rights"),
    COMM_EST("the first packet has come to a queue pair in RTR"),
    SQ_DRAINED("everything that was started before SQD is finished"),
    PATH_MIG("the connection has moved to its alternate path"),
    PATH_MIG_ERR("the connection could not move to its alternate path"),
    DEVICE_FATAL("the device failed"),
    PORT_ACTIVE("the port is up"),
    PORT_ERR("the port is down"),
    LID_CHANGE("the port's LID has changed"),
    PKEY_CHANGE("the port's P_Key table has changed"),
    SM_CHANGE("the subnet has another manager"),
    /** Never raised here: a queue that is memory of this process does not break. */
    SRQ_ERR("a shared receive queue failed"),
    SRQ_LIMIT_REACHED("fewer receives wait in a shared receive queue than its limit"),
    QP_LAST_WQE_REACHED("a queue pair in ERR takes no more of its shared receive queue"),
    CLIENT_REREGISTER("the subnet manager asks for registrations anew"),
    GID_CHANGE("the port's GID table has changed"),
    WQ_FATAL("a work queue failed"),
    DEVICE_SPEED_CHANGE("the port's speed has changed");

    private static final AsyncEventType[] BY_NUMBER = values();

    private final String text;

    AsyncEventType(String text) {
        this.text = text;
    }

    static AsyncEventType of(int number) {
        return BY_NUMBER[number];
    }

    public int number() {
        return ordinal();
    }

    /** As {@code ibv_event_type_str} does, in more words. */
    public String text() {
        return text;
    }
}
