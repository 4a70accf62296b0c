package org.rdma4j.cm;

import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.AhAttributes;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/** What the state machine tells an identifier: moves its state and its queue pair, and tells the application. */
final class CmIdEvents implements ConnectionListener {

    private final CmId id;

    CmIdEvents(CmId id) {
        this.id = id;
    }

    @Override
    public void on(Connection told, ConnectionEvent event, long now) {
        switch (event) {
            case ConnectionEvent.PeerRequest peerRequest -> onPeerRequest(peerRequest.req(), now);
            case ConnectionEvent.Reply answer -> onReply(answer.rep(), now);
            case ConnectionEvent.Established established -> {
                id.state = CmIdState.CONNECTED;
                id.forgetFirstPacket();
                id.post(CmEvent.connection(CmEventType.ESTABLISHED, id, null, established.privateData(), id.given));
            }
            case ConnectionEvent.Rejected rejected -> onRejected(rejected.rej());
            case ConnectionEvent.Unreachable unreachable -> {
                id.over();
                String what =
                        "no answer from " + IpText.of(told.remote().toAddress()) + " to " + unreachable.unanswered();
                id.post(CmEvent.unreachable(id, what));
            }
            case ConnectionEvent.DisconnectRequest request -> {
                id.over();
                told.answerDisconnect(PrivateData.EMPTY, now);
                disconnected(request.privateData());
            }
            case ConnectionEvent.Disconnected ended -> {
                if (id.state == CmIdState.DISCONNECTING) {
                    id.over();
                    disconnected(ended.privateData());
                }
            }
            case ConnectionEvent.TimeWaitExit _ -> {
                if (!id.sync) {
                    id.post(CmEvent.of(CmEventType.TIMEWAIT_EXIT, id));
                }
            }
        }
    }

    private void disconnected(PrivateData privateData) {
        id.post(CmEvent.connection(CmEventType.DISCONNECTED, id, null, privateData, null));
    }

    private void onPeerRequest(CmReq req, long now) {
        id.given = id.given
                .withPrivateData(PrivateData.EMPTY)
                .withResources(
                        Math.min(id.given.responderResources(), req.initiatorDepth()),
                        Math.min(id.given.initiatorDepth(), req.responderResources()));
        try {
            id.acceptConnection(id.given);
        } catch (CmException | VerbsException | LinkException e) {
            connectError(e.getMessage(), now);
        }
    }

    private void onReply(CmRep rep, long now) {
        id.reply = rep;
        ConnectionParameters answer = ConnectionParameters.defaults()
                .withResources(rep.initiatorDepth(), rep.responderResources())
                .withFlowControl(rep.flowControl())
                .withRetries(id.connection.req().retryCount(), rep.rnrRetry())
                .withQp(rep.localQpn(), rep.srq());
        if (id.qp == null) {
            id.state = CmIdState.RESPONDED;
            id.post(CmEvent.connection(CmEventType.CONNECT_RESPONSE, id, null, rep.privateData(), answer));
            return;
        }
        try {
            id.steps().take(id.qp);
        } catch (VerbsException | LinkException e) {
            connectError(e.getMessage(), now);
            return;
        }
        id.connection.ready(PrivateData.EMPTY, now);
        id.state = CmIdState.CONNECTED;
        id.post(CmEvent.connection(CmEventType.ESTABLISHED, id, null, rep.privateData(), answer));
    }

    /** Our queue pair does not go along. */
    private void connectError(String why, long now) {
        id.connection.reject(RejReason.NO_RESOURCES, PrivateData.EMPTY, PrivateData.EMPTY, now);
        id.over();
        id.post(CmEvent.failed(CmEventType.CONNECT_ERROR, id, CmEvent.EINVAL, PrivateData.EMPTY, why));
    }

    private void onRejected(CmRej rej) {
        boolean stood = id.state == CmIdState.CONNECTED;
        id.over();
        if (stood) {
            disconnected(rej.privateData());
        } else {
            id.post(CmEvent.rejected(id, rej.reason(), rej.privateData()));
        }
    }

    /** A resolution has ended. */
    void resolved(CmSidrRep rep) {
        id.question = null;
        if (rep == null) {
            id.over();
            id.post(CmEvent.unreachable(
                    id, "no answer from " + IpText.of(id.peerAddress().getAddress()) + " to SIDR_REQ"));
        } else if (rep.status() != SidrStatus.VALID.number()) {
            id.over();
            id.post(CmEvent.unresolved(id, rep.status(), rep.privateData()));
        } else {
            id.state = CmIdState.CONNECTED;
            AhAttributes way = AhAttributes.to(Gid.of(id.peerAddress().getAddress()));
            id.post(CmEvent.datagrams(
                    CmEventType.ESTABLISHED,
                    id,
                    rep.privateData(),
                    new DatagramParameters(way, rep.qpn(), rep.qKey())));
        }
    }
}
