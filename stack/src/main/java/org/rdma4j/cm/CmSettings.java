package org.rdma4j.cm;

import org.rdma4j.verbs.Ece;

/** What may be set of an identifier before it is used ({@code rdma_set_option}). */
public abstract sealed class CmSettings permits CmId {

    private volatile int tos;
    private volatile boolean reuseAddress;
    private volatile int pkeyIndex;
    private volatile int ackTimeout = CmPaths.ACK_TIMEOUT;
    private volatile AlternateRoute alternateRoute;
    private volatile Ece localEce = Ece.NONE;

    private volatile boolean speaksFirst = true;

    CmSettings() {}

    /**
     * What the application's own queue pair offers its peer ({@code rdma_set_local_ece}): told with the next REQ or REP. A
     * queue pair of rdma4j offers nothing.
     */
    public final void localEce(Ece value) {
        localEce = value;
    }

    final Ece localEce() {
        return localEce;
    }

    /** The traffic class of the connection's packets, DSCP and ECN, 0 to 255 ({@code RDMA_OPTION_ID_TOS}). */
    public final void tos(int value) {
        CmException.requireRange("a type of service", value, 255);
        tos = value;
    }

    public final int tos() {
        return tos;
    }

    /** Others that want the same may have the same address and port ({@code RDMA_OPTION_ID_REUSEADDR}). */
    public final void reuseAddress(boolean value) {
        reuseAddress = value;
    }

    public final boolean reuseAddress() {
        return reuseAddress;
    }

    /**
     * The partition that the connection is asked for in, an index of the device's P_Key table; of a request to a listener it
     * follows from that.
     */
    public final void pkeyIndex(int value) {
        CmException.requireRange("a P_Key index", value, 0x7FFF);
        pkeyIndex = value;
    }

    final int pkeyIndex() {
        return pkeyIndex;
    }

    /**
     * Another way, offered to the peer with the request for the connection: where both sides take it, they are prepared to go
     * there when the first one fails (17.2.8).
     */
    public final void alternateRoute(AlternateRoute value) {
        alternateRoute = value;
    }

    final AlternateRoute alternateRoute() {
        return alternateRoute;
    }

    /** The queue pairs' local ACK timeout, 4.096 µs · 2^n, 0 to 31 ({@code RDMA_OPTION_ID_ACK_TIMEOUT}). */
    public final void ackTimeout(int value) {
        CmException.requireRange("an ACK timeout", value, 31);
        ackTimeout = value;
    }

    public final int ackTimeout() {
        return ackTimeout;
    }

    /**
     * Whether the application of the side that is asked may send before that of the side that asks. InfiniBand does not
     * care. iWARP's rule is that the asking side is first (RFC 5044, 7.1.2), so there such a side waits a little, 100 ms,
     * for a first message before it sends its own, and with {@code false} for as long as it takes.
     */
    public final void speaksFirst(boolean value) {
        speaksFirst = value;
    }

    public final boolean speaksFirst() {
        return speaksFirst;
    }
}
