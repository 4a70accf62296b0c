package org.rdma4j.cm;

import java.util.concurrent.CompletableFuture;
import org.rdma4j.link.LinkException;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Ece;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/** An end of a connection that InfiniBand's CM makes: moves its queue pair as the {@link Connection} goes. */
final class ConnectionEndpoint extends GsiEndpoint implements ConnectionListener {

    private final DeviceContext device;
    private final int startingPsn;
    private QpType listensFor = QpType.RC;
    private Connection connection;
    private ConnectionParameters given = ConnectionParameters.defaults();
    private CmRep reply;
    private final AlternatePaths alternates;

    ConnectionEndpoint(ConnectionManager manager, EndpointOwner owner) {
        super(manager, owner);
        this.device = owner.device();
        this.alternates = new AlternatePaths(owner);
        this.startingPsn = device.random() & 0xFF_FFFF;
    }

    @Override
    boolean reachesGroups() {
        return false;
    }

    // The active side.

    @Override
    public CmEventType connect(ConnectionParameters wanted) {
        return request(wanted, false);
    }

    @Override
    public CmEventType connectPeer(ConnectionParameters wanted) {
        return request(wanted, true);
    }

    private CmEventType request(ConnectionParameters wanted, boolean peerToPeer) {
        wanted.check(IpCmHeader.REQ_ROOM);
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = given.qpNumOf(owner.qp());
        connection = manager.machine().create();
        CmReq req = CmRequests.req(owner, given, connection.localId(), qpNum, startingPsn);
        device.holdQpNum(qpNum);
        if (peerToPeer) {
            manager.machine().expectPeer(connection);
        }
        connection.offer(owner.settings().localEce());
        connection.connect(req, req.primaryPath().remoteGid(), peerToPeer, this, device.now());
        return owner.qp() == null ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED;
    }

    @Override
    public void establish() {
        connection.ready(PrivateData.EMPTY, device.now());
    }

    // The passive side.

    @Override
    public void listen(int backlog, QpType type) {
        super.listen(backlog, type);
        listensFor = type;
    }

    int transportType() {
        return listensFor == QpType.UC ? CmReq.UC : CmReq.RC;
    }

    /** A connection is asked for. */
    void requested(Connection request, CmReq req) {
        connection = request;
        request.listen(this);
        given = ConnectionParameters.asked(req).clippedTo(device.queryDevice());
        owner.settings().pkeyIndex(device.matchingPkeyIndex(req.pKey()));
        owner.requested(req.privateData().from(IpCmHeader.LENGTH), given);
    }

    @Override
    public boolean accept(ConnectionParameters wanted) {
        wanted.check(CmRep.PRIVATE_DATA_LENGTH);
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = given.qpNumOf(owner.qp());
        if (owner.qp() != null) {
            steps().take(owner.qp());
            owner.qp().tellFirstPacket(true);
            manager.awaitFirstPacket(owner.qp(), this);
        }
        device.holdQpNum(qpNum);
        connection.offer(owner.settings().localEce());
        int failover = alternates.takeOffered(connection.req());
        connection.accept(CmRequests.rep(owner, given, connection, qpNum, startingPsn, failover), device.now());
        return true;
    }

    @Override
    public void reject(PrivateData privateData) {
        ConnectionParameters.checkRoom(privateData, CmRej.PRIVATE_DATA_LENGTH);
        reject(RejReason.CONSUMER_DEFINED, privateData, device.now());
    }

    @Override
    public void rejectEce(PrivateData privateData) {
        ConnectionParameters.checkRoom(privateData, CmRej.PRIVATE_DATA_LENGTH);
        reject(RejReason.VENDOR_OPTION_NOT_SUPPORTED, privateData, device.now());
    }

    private void reject(RejReason reason, PrivateData privateData, long now) {
        connection.reject(reason, PrivateData.EMPTY, privateData, now);
    }

    // Either side.

    @Override
    public Ece remoteEce() {
        return connection == null ? Ece.NONE : connection.remoteEce();
    }

    @Override
    public CompletableFuture<Void> loadAlternatePath(AlternateRoute route) {
        CmPath path = CmPaths.alternate(
                route, owner.settings().tos(), owner.settings().ackTimeout());
        return alternates.offer(connection, path);
    }

    @Override
    public int onAlternatePath(CmPath path) {
        return alternates.take(connection.req(), path);
    }

    @Override
    public QpAttributes qpAttributes(QpState to) {
        return switch (to) {
            case RTR -> steps().readyToReceive();
            case RTS -> steps().readyToSend();
            case RESET, INIT, SQD, SQE, ERR -> super.qpAttributes(to);
        };
    }

    private QpSteps steps() {
        if (connection == null || (connection.isActive() && reply == null)) {
            throw CmException.invalid("the queue pair's attributes are not known before the other side's");
        }
        return connection.isActive()
                ? QpSteps.active(device, connection.req(), reply, startingPsn)
                : QpSteps.passive(device, connection.req(), given, startingPsn);
    }

    @Override
    public void communicationEstablished(long now) {
        if (connection != null) {
            connection.communicationEstablished(now);
        }
    }

    @Override
    public boolean disconnect() {
        Endpoint.fail(owner.qp());
        if (connection.state() == ConnectionState.REP_SENT) {
            reject(RejReason.CONSUMER_DEFINED, PrivateData.EMPTY, device.now());
            return false;
        }
        connection.disconnect(PrivateData.EMPTY, device.now());
        return true;
    }

    @Override
    public void forget(QueuePair qp) {
        manager.forget(qp);
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.abandon(device.now());
        }
        super.close();
    }

    // What the state machine tells.

    @Override
    public void on(Connection told, ConnectionEvent event, long now) {
        switch (event) {
            case ConnectionEvent.PeerRequest(CmReq req) -> onPeerRequest(req, now);
            case ConnectionEvent.Reply(CmRep rep) -> onReply(rep, now);
            case ConnectionEvent.Established(PrivateData privateData) -> {
                forgetFirstPacket();
                owner.established(privateData, given);
            }
            case ConnectionEvent.Rejected(CmRej rej) -> {
                over();
                owner.rejected(rej.reason(), rej.privateData(), RejReason.words(rej.reason()));
            }
            case ConnectionEvent.Unreachable unreachable -> {
                over();
                String from = IpText.of(told.remote().toAddress());
                owner.unreachable(
                        CmException.Errno.ETIMEDOUT.status(),
                        PrivateData.EMPTY,
                        "no answer from " + from + " to " + unreachable.unanswered());
            }
            case ConnectionEvent.DisconnectRequest(PrivateData privateData) -> {
                over();
                told.answerDisconnect(PrivateData.EMPTY, now);
                owner.disconnected(0, privateData, "");
            }
            case ConnectionEvent.Disconnected(boolean _, PrivateData privateData) -> {
                over();
                owner.disconnected(0, privateData, "");
            }
            case ConnectionEvent.TimeWaitExit _ -> owner.timeWaitExit();
        }
    }

    private void onPeerRequest(CmReq req, long now) {
        given = given.withPrivateData(PrivateData.EMPTY).within(ConnectionParameters.asked(req));
        try {
            accept(given);
            owner.accepting();
        } catch (CmException | VerbsException | LinkException e) {
            connectError(e.getMessage(), now);
        }
    }

    private void onReply(CmRep rep, long now) {
        reply = rep;
        ConnectionParameters answer =
                ConnectionParameters.answered(rep, connection.req().retryCount());
        if (owner.qp() == null) {
            owner.responded(rep.privateData(), answer);
            return;
        }
        try {
            steps().take(owner.qp());
            alternates.loadAccepted(connection.req(), rep.failoverAccepted());
        } catch (VerbsException | LinkException e) {
            connectError(e.getMessage(), now);
            return;
        }
        connection.ready(PrivateData.EMPTY, now);
        owner.established(rep.privateData(), answer);
    }

    private void connectError(String why, long now) {
        reject(RejReason.NO_RESOURCES, PrivateData.EMPTY, now);
        over();
        owner.connectError(why);
    }

    private void over() {
        forgetFirstPacket();
        Endpoint.fail(owner.qp());
    }

    private void forgetFirstPacket() {
        if (owner.qp() != null) {
            manager.forget(owner.qp());
            owner.qp().tellFirstPacket(false);
        }
    }
}
