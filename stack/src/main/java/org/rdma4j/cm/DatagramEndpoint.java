package org.rdma4j.cm;

import java.net.InetSocketAddress;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.SidrStatus;

/** An end of an exchange of datagrams: there is no connection, only a queue pair to ask for (IBTA volume 1, 12.11). */
final class DatagramEndpoint extends GsiEndpoint {

    private SidrRequest question;
    private SidrService asked;

    DatagramEndpoint(ConnectionManager manager, EndpointOwner owner) {
        super(manager, owner);
    }

    @Override
    boolean reachesGroups() {
        return true;
    }

    // The active side.

    @Override
    public CmEventType connect(ConnectionParameters wanted) {
        wanted.check(IpCmHeader.SIDR_REQ_ROOM);
        InetSocketAddress local = owner.localAddress();
        InetSocketAddress peer = owner.peerAddress();
        IpCmHeader header = IpCmHeader.of(local.getAddress(), local.getPort(), peer.getAddress());
        question = manager.machine()
                .resolutions()
                .ask(
                        Gid.of(peer.getAddress()),
                        owner.device().queryPkey(owner.settings().pkeyIndex()),
                        owner.portSpace().serviceId(peer.getPort()),
                        header.before(wanted.privateData()),
                        CmPaths.MAX_CM_RETRIES,
                        CmTime.response(
                                CmPaths.RESPONSE_TIMEOUT, owner.settings().ackTimeout()),
                        this::resolved,
                        owner.device().now());
        return CmEventType.ESTABLISHED;
    }

    @Override
    public CmEventType connectPeer(ConnectionParameters wanted) {
        return connect(wanted);
    }

    /** The resolution has ended. @param rep {@code null} where none came */
    private void resolved(CmSidrRep rep) {
        question = null;
        if (rep == null) {
            String from = IpText.of(owner.peerAddress().getAddress());
            owner.unreachable(
                    CmException.Errno.ETIMEDOUT.status(), PrivateData.EMPTY, "no answer from " + from + " to SIDR_REQ");
        } else if (rep.status() != SidrStatus.VALID.number()) {
            owner.unreachable(rep.status(), rep.privateData(), SidrStatus.words(rep.status()));
        } else {
            AhAttributes way = AhAttributes.to(Gid.of(owner.peerAddress().getAddress()));
            owner.found(rep.privateData(), new DatagramParameters(way, rep.qpn(), rep.qKey()));
        }
    }

    // The passive side.

    /** A queue pair is asked for. */
    void requested(SidrService service) {
        asked = service;
        CmSidrReq req = service.req();
        owner.settings().pkeyIndex(owner.device().matchingPkeyIndex(req.pKey()));
        owner.requested(req.privateData().from(IpCmHeader.LENGTH), null);
    }

    @Override
    public boolean accept(ConnectionParameters wanted) {
        wanted.check(CmSidrRep.PRIVATE_DATA_LENGTH);
        asked.answer(
                wanted.qpNumOf(owner.qp()),
                DatagramParameters.UDP_QKEY,
                wanted.privateData(),
                owner.device().now());
        return false;
    }

    @Override
    public void reject(PrivateData privateData) {
        ConnectionParameters.checkRoom(privateData, CmSidrRep.PRIVATE_DATA_LENGTH);
        asked.refuse(SidrStatus.REJECTED, privateData, owner.device().now());
    }

    // The end.

    @Override
    public boolean disconnect() {
        return false;
    }

    @Override
    public void close() {
        if (question != null) {
            question.cancel();
        }
        if (asked != null && !asked.isAnswered()) {
            asked.refuse(SidrStatus.REJECTED, PrivateData.EMPTY, owner.device().now());
        }
        super.close();
    }
}
