package org.rdma4j.tools.conform.craft;

import java.util.function.UnaryOperator;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** A request for a connection, right unless it is told to be wrong: every method changes one thing. */
public final class CraftedReq {

    /** A port's LID, and a hop limit, as Linux puts them. */
    private static final int HOP_LIMIT = 64;

    private static final int FLOW_LABEL = 0x12345;
    private static final long GUID = 0x0202_C9FF_FE00_0001L;
    private static final int SOURCE_PORT = 40_000;

    private final int commId;
    private final int qpn;
    private final int psn;
    private long serviceId;
    private long guid = GUID;
    private int responderResources = 4;
    private int initiatorDepth = 3;
    private int transport = CmReq.RC;
    private int responseTimeout = 20;
    private int ackTimeout = 17;
    private int retries = 7;
    private int rnrRetries = 7;
    private int pKey = 0xFFFF;
    private int mtu;
    private int cmRetries = 15;
    private CmPath path;
    private CmPath alternate = CmPath.NONE;
    private IpCmHeader header;
    private PrivateData said = PrivateData.EMPTY;

    /**
     * A connection by the IP service (annex A11).
     *
     * @param psn where the peer shall start
     * @param mtu bytes
     */
    public CraftedReq(int commId, int qpn, int psn, int mtu, int port, Gid local, Gid remote) {
        this.commId = commId;
        this.qpn = qpn;
        this.psn = psn;
        this.mtu = Integer.numberOfTrailingZeros(mtu) - 7;
        serviceId = PortSpace.TCP.serviceId(port);
        path = new CmPath(
                CmPath.PERMISSIVE_LID, CmPath.PERMISSIVE_LID, local, remote, FLOW_LABEL, 0, 0, HOP_LIMIT, 0, false, 0);
        header = IpCmHeader.of(local.toAddress(), SOURCE_PORT, remote.toAddress());
    }

    public int commId() {
        return commId;
    }

    public CraftedReq service(long value) {
        serviceId = value;
        return this;
    }

    public CraftedReq guid(long value) {
        guid = value;
        return this;
    }

    /** READs and atomics: those of the peer's that we take, and those of ours. */
    public CraftedReq resources(int asResponder, int asInitiator) {
        responderResources = asResponder;
        initiatorDepth = asInitiator;
        return this;
    }

    public CraftedReq transport(int value) {
        transport = value;
        return this;
    }

    /** Within 4.096 µs · 2^code we answer; else the peer shall say it again, so often. */
    public CraftedReq answersWithin(int code, int again) {
        responseTimeout = code;
        cmRetries = again;
        ackTimeout = Math.min(ackTimeout, code);
        return this;
    }

    /** What the peer's queue pair shall use. */
    public CraftedReq reliability(int timeout, int retryCount, int rnrRetryCount) {
        ackTimeout = timeout;
        retries = retryCount;
        rnrRetries = rnrRetryCount;
        return this;
    }

    public CraftedReq pKey(int value) {
        pKey = value;
        return this;
    }

    /** The path MTU's code, 1 to 5; others are reserved. */
    public CraftedReq mtuCode(int code) {
        mtu = code;
        return this;
    }

    /** The local ACK timeout of the path is put in behind. */
    public CraftedReq path(UnaryOperator<CmPath> change) {
        path = change.apply(path);
        return this;
    }

    public CraftedReq alternate(CmPath value) {
        alternate = value;
        return this;
    }

    public CraftedReq header(UnaryOperator<IpCmHeader> change) {
        header = change.apply(header);
        return this;
    }

    /** Words for the application, behind the IP service's header. */
    public CraftedReq says(PrivateData data) {
        said = data;
        return this;
    }

    public CmPath path() {
        return new CmPath(
                path.localLid(),
                path.remoteLid(),
                path.localGid(),
                path.remoteGid(),
                path.flowLabel(),
                path.rate(),
                path.trafficClass(),
                path.hopLimit(),
                path.serviceLevel(),
                path.subnetLocal(),
                ackTimeout);
    }

    public CmReq toReq() {
        return new CmReq(
                commId,
                0,
                serviceId,
                guid,
                0,
                qpn,
                responderResources,
                0,
                initiatorDepth,
                0,
                responseTimeout,
                transport,
                false,
                psn,
                responseTimeout,
                retries,
                pKey,
                mtu,
                false,
                rnrRetries,
                cmRetries,
                false,
                0,
                path(),
                alternate,
                header.before(said));
    }
}
