package org.rdma4j.cm;

import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;

/** The messages that an identifier's connection starts with. */
final class CmRequests {

    /** A software device acknowledges within 4.096 µs · 2^15, 134 ms. */
    private static final int TARGET_ACK_DELAY = 15;

    private CmRequests() {}

    static CmReq req(EndpointOwner id, ConnectionParameters given, int commId, int qpNum, int startingPsn) {
        DeviceContext device = id.device();
        QueuePair qp = id.qp();
        CmPath path = CmPaths.primary(
                Gid.of(id.localAddress().getAddress()),
                Gid.of(id.peerAddress().getAddress()),
                id.localAddress().getPort(),
                id.peerAddress().getPort(),
                id.settings().tos(),
                id.settings().ackTimeout());
        IpCmHeader header = IpCmHeader.of(
                id.localAddress().getAddress(),
                id.localAddress().getPort(),
                id.peerAddress().getAddress());
        boolean uc = qp != null && qp.initAttributes().type() == QpType.UC;
        return new CmReq(
                commId,
                id.settings().localEce().vendorId(),
                id.portSpace().serviceId(id.peerAddress().getPort()),
                device.nodeGuid(),
                0,
                qpNum,
                given.responderResources(),
                0,
                given.initiatorDepth(),
                0,
                CmPaths.RESPONSE_TIMEOUT,
                uc ? CmReq.UC : CmReq.RC,
                given.flowControl(),
                startingPsn,
                CmPaths.RESPONSE_TIMEOUT,
                given.retryCount(),
                device.queryPkey(id.settings().pkeyIndex()),
                CmPaths.mtuCode(device.maxPathMtu()),
                false,
                given.rnrRetry(),
                CmPaths.MAX_CM_RETRIES,
                srq(qp, given),
                0,
                path,
                alternate(id.settings()),
                header.before(given.privateData()));
    }

    private static CmPath alternate(CmSettings settings) {
        return settings.alternateRoute() == null
                ? CmPath.NONE
                : CmPaths.alternate(settings.alternateRoute(), settings.tos(), settings.ackTimeout());
    }

    /** @param failover what becomes of the alternate path that the request offers, 2 bits */
    static CmRep rep(
            EndpointOwner id,
            ConnectionParameters given,
            Connection connection,
            int qpNum,
            int startingPsn,
            int failover) {
        return new CmRep(
                connection.localId(),
                connection.remoteId(),
                0,
                qpNum,
                0,
                startingPsn,
                id.settings().localEce().vendorId(),
                given.responderResources(),
                given.initiatorDepth(),
                TARGET_ACK_DELAY,
                failover,
                given.flowControl(),
                given.rnrRetry(),
                srq(id.qp(), given),
                id.device().nodeGuid(),
                given.privateData());
    }

    private static boolean srq(QueuePair qp, ConnectionParameters given) {
        return qp == null ? given.srq() : qp.initAttributes().srq() != null;
    }
}
