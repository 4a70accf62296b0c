package org.rdma4j.verbs;

/** {@code ibv_qp_type}, with its numbers. */
public enum QpType {
    /** The queue pair of general services, QPN 1: management datagrams. A device has one. */
    GSI(1),
    RC(2),
    UC(3),
    UD(4),
    XRC_SEND(9),
    XRC_RECV(10);

    private final int number;

    QpType(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
