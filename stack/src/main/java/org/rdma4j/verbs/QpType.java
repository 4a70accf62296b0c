package org.rdma4j.verbs;

import org.rdma4j.transport.QpKind;

/** {@code ibv_qp_type}, with its numbers. */
public enum QpType {
    /** The queue pair of general services, QPN 1: management datagrams. A device has one. */
    GSI(1, QpKind.GSI),
    RC(2, QpKind.RC),
    UC(3, QpKind.UC),
    UD(4, QpKind.UD),
    XRC_SEND(9, QpKind.XRC_INITIATOR),
    XRC_RECV(10, QpKind.XRC_TARGET);

    private final int number;
    private final QpKind kind;

    QpType(int number, QpKind kind) {
        this.number = number;
        this.kind = kind;
    }

    public int number() {
        return number;
    }

    QpKind kind() {
        return kind;
    }
}
