package org.rdma4j.cm;

import org.rdma4j.verbs.DeviceAttributes;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.PrivateData;

/**
 * What a connection is asked for and accepted with ({@code struct rdma_conn_param}); every {@code with…} gives a changed
 * copy. In an event they are seen from the own side.
 *
 * @param privateData for the other application
 * @param responderResources READs and atomics of the peer that may be outstanding here; {@link #MAXIMUM}: what the
 *     device can
 * @param initiatorDepth READs and atomics of our own that may be outstanding; {@link #MAXIMUM}: what the device can
 * @param flowControl end-to-end flow control
 * @param retryCount 0 to 7; of the active side
 * @param rnrRetry 0 to 7, 7 is for ever
 * @param srq the queue pair receives from a shared receive queue; set by itself where the identifier has the queue pair
 * @param qpNum the queue pair, where the identifier has none
 */
public record ConnectionParameters(
        PrivateData privateData,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetry,
        boolean srq,
        int qpNum) {

    /** As much as the device can ({@code RDMA_MAX_RESP_RES}, {@code RDMA_MAX_INIT_DEPTH}). */
    public static final int MAXIMUM = 0xFF;

    /** As where {@code rdma_connect} is given none: all that the device can, 7 retries of each kind. */
    public static ConnectionParameters defaults() {
        return new ConnectionParameters(PrivateData.EMPTY, MAXIMUM, MAXIMUM, false, 7, 7, false, 0);
    }

    public ConnectionParameters withPrivateData(PrivateData value) {
        return new ConnectionParameters(
                value, responderResources, initiatorDepth, flowControl, retryCount, rnrRetry, srq, qpNum);
    }

    public ConnectionParameters withResources(int responder, int initiator) {
        return new ConnectionParameters(
                privateData, responder, initiator, flowControl, retryCount, rnrRetry, srq, qpNum);
    }

    public ConnectionParameters withFlowControl(boolean value) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, value, retryCount, rnrRetry, srq, qpNum);
    }

    public ConnectionParameters withRetries(int retries, int rnrRetries) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, flowControl, retries, rnrRetries, srq, qpNum);
    }

    public ConnectionParameters withQp(int number, boolean shared) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetry, shared, number);
    }

    /** What a request asks for, from the own side: what the one side takes the other has outstanding. */
    static ConnectionParameters asked(CmReq req) {
        return new ConnectionParameters(
                PrivateData.EMPTY,
                /* responderResources= */ req.initiatorDepth(),
                /* initiatorDepth= */ req.responderResources(),
                req.flowControl(),
                req.retryCount(),
                req.rnrRetry(),
                req.srq(),
                req.localQpn());
    }

    /** What a reply answers, from the own side. */
    static ConnectionParameters answered(CmRep rep, int retryCount) {
        return new ConnectionParameters(
                PrivateData.EMPTY,
                /* responderResources= */ rep.initiatorDepth(),
                /* initiatorDepth= */ rep.responderResources(),
                rep.flowControl(),
                retryCount,
                rep.rnrRetry(),
                rep.srq(),
                rep.localQpn());
    }

    /** With no more than the other side offers. */
    ConnectionParameters within(ConnectionParameters offered) {
        return withResources(
                Math.min(responderResources, offered.responderResources),
                Math.min(initiatorDepth, offered.initiatorDepth));
    }

    /** What is to be as much as possible here is no more than the peer has offered. */
    ConnectionParameters withMaximaOf(ConnectionParameters offered) {
        return withResources(
                responderResources == MAXIMUM ? offered.responderResources : responderResources,
                initiatorDepth == MAXIMUM ? offered.initiatorDepth : initiatorDepth);
    }

    /** What it asks for cut to what a device can. */
    ConnectionParameters clippedTo(DeviceAttributes limits) {
        return withResources(
                Math.min(responderResources, limits.maxQpRdAtomic()),
                Math.min(initiatorDepth, limits.maxQpInitRdAtomic()));
    }

    void check(int privateDataRoom) {
        checkRoom(privateData, privateDataRoom);
        CmException.requireRange("responder resources", responderResources, MAXIMUM);
        CmException.requireRange("the initiator depth", initiatorDepth, MAXIMUM);
        CmException.requireRange("the retry count", retryCount, 7);
        CmException.requireRange("the RNR retry count", rnrRetry, 7);
        CmException.requireRange("a QPN", qpNum, 0xFF_FFFF);
    }

    static void checkRoom(PrivateData privateData, int room) {
        if (privateData.length() > room) {
            throw CmException.invalid(
                    "%d bytes of private data, the message has room for %d", privateData.length(), room);
        }
    }
}
