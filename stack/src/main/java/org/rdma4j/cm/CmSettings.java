package org.rdma4j.cm;

/** What may be set of an identifier before it is used ({@code rdma_set_option}). */
public abstract sealed class CmSettings permits CmId {

    private volatile int tos;
    private volatile boolean reuseAddress;
    private volatile int ackTimeout = CmPaths.ACK_TIMEOUT;

    CmSettings() {}

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

    /** The queue pairs' local ACK timeout, 4.096 µs · 2^n, 0 to 31 ({@code RDMA_OPTION_ID_ACK_TIMEOUT}). */
    public final void ackTimeout(int value) {
        CmException.requireRange("an ACK timeout", value, 31);
        ackTimeout = value;
    }

    public final int ackTimeout() {
        return ackTimeout;
    }
}
