package org.rdma4j.cm;

/** {@code enum rdma_cm_event_type}, with its numbers. */
public enum CmEventType {
    ADDR_RESOLVED(0),
    ADDR_ERROR(1),
    ROUTE_RESOLVED(2),
    ROUTE_ERROR(3),
    /** Someone asks a listener for a connection; the event's identifier is a new one for it. */
    CONNECT_REQUEST(4),
    /** The peer accepts, and the queue pair is the application's own: make it ready, then {@link CmId#establish}. */
    CONNECT_RESPONSE(5),
    CONNECT_ERROR(6),
    /** No answer, or no such service of datagrams. */
    UNREACHABLE(7),
    REJECTED(8),
    ESTABLISHED(9),
    DISCONNECTED(10),
    MULTICAST_JOIN(12),
    MULTICAST_ERROR(13),
    /** The identifier's queue pair may be used again. */
    TIMEWAIT_EXIT(15);

    private final int number;

    CmEventType(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** As {@code rdma_event_str} names it. */
    @Override
    public String toString() {
        return "RDMA_CM_EVENT_" + name();
    }
}
