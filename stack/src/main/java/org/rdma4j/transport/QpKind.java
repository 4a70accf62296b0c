package org.rdma4j.transport;

/** Kinds of queue pairs, over all families. */
public enum QpKind {
    RC,
    UC,
    UD,

    /** General services: QPN 1 of InfiniBand. */
    GSI,

    /** The sending end of an XRC connection. */
    XRC_INITIATOR,

    /** The receiving end. */
    XRC_TARGET
}
