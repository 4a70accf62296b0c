package org.rdma4j.cm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmApr;
import org.rdma4j.wire.CmDrep;
import org.rdma4j.wire.CmDreq;
import org.rdma4j.wire.CmLap;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmMra;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmRtu;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;

/**
 * The communication manager of one port, without I/O: given datagrams, calls and the time, it sends datagrams, tells its
 * listeners what happened, and says when it wants to be woken (IBTA volume 1, 12.9). One thread at a time.
 */
final class Machine {

    private static final Logger LOG = System.getLogger(Machine.class.getName());

    /** What the peer calls its connection; numbers are unique at each port only. */
    private record RemoteId(Gid port, int id) {}

    /** A queue pair of a peer. */
    private record RemoteQp(Gid port, int qpn) {}

    private final MachineHost host;
    private final IntSupplier random;
    private final TimeTable times = new TimeTable();
    private final Map<Integer, Connection> connections = new HashMap<>();
    private final Map<RemoteId, Connection> byRemoteId = new HashMap<>();
    private final Map<RemoteQp, Connection> byRemoteQp = new HashMap<>();
    private final List<Connection> peerToPeer = new ArrayList<>();
    private final SidrTable resolutions;
    private final long[] decisions = new long[Rule.values().length];

    Machine(MachineHost host, IntSupplier random) {
        this.host = host;
        this.random = random;
        this.resolutions = new SidrTable(this, times);
    }

    // Calls.

    /** A connection that {@link Connection#connect} makes something of. */
    Connection create() {
        int id;
        do {
            id = random.getAsInt();
        } while (id == 0 || connections.containsKey(id));
        Connection connection = new Connection(this, times, id);
        connections.put(id, connection);
        return connection;
    }

    /** Both sides ask each other for the same service; one of the two requests will count (12.10). */
    void expectPeer(Connection connection) {
        peerToPeer.add(connection);
    }

    SidrTable resolutions() {
        return resolutions;
    }

    long nextDeadline() {
        return times.earliest();
    }

    /** Fires what is due. @return false where nothing was */
    boolean progress(long now) {
        return times.fire(now);
    }

    /** How many datagrams met a decision. */
    long decisions(Rule rule) {
        return decisions[rule.ordinal()];
    }

    /** All that it remembers: connections, resolutions, their names and deadlines. */
    int remembered() {
        return connections.size()
                + byRemoteId.size()
                + byRemoteQp.size()
                + peerToPeer.size()
                + resolutions.size()
                + times.size();
    }

    // Datagrams.

    /** A datagram has come. */
    Rule receive(CmMad mad, Gid remote, long now) {
        Rule decision = switch (mad.message()) {
            case CmReq req -> onReq(req, mad, remote, now);
            case CmMra mra -> dispatch(mad, mra.remoteCommId(), mra.localCommId(), remote, now);
            case CmRej rej -> onRej(mad, rej, remote, now);
            case CmRep rep -> dispatch(mad, rep.remoteCommId(), rep.localCommId(), remote, now);
            case CmRtu rtu -> dispatch(mad, rtu.remoteCommId(), rtu.localCommId(), remote, now);
            case CmDreq dreq -> dispatch(mad, dreq.remoteCommId(), dreq.localCommId(), remote, now);
            case CmDrep drep -> dispatch(mad, drep.remoteCommId(), drep.localCommId(), remote, now);
            case CmLap lap -> dispatch(mad, lap.remoteCommId(), lap.localCommId(), remote, now);
            case CmApr apr -> dispatch(mad, apr.remoteCommId(), apr.localCommId(), remote, now);
            case CmSidrReq req -> resolutions.onRequest(req, mad.transactionId(), remote, now);
            case CmSidrRep rep -> resolutions.onReply(rep, remote, now);
        };
        decisions[decision.ordinal()]++;
        return decision;
    }

    private Rule dispatch(CmMad mad, int ourId, int theirId, Gid remote, long now) {
        Connection connection = find(ourId, theirId, remote);
        if (connection != null) {
            return connection.onMessage(mad, now);
        }
        switch (mad.message()) {
            // It may have lost our DREP, or never have known that it is over.
            case CmDreq _ ->
                send(remote, new CmMad(mad.transactionId(), 0, new CmDrep(ourId, theirId, PrivateData.EMPTY)));
            case CmRep _ -> rejectUnknown(remote, ourId, theirId, CmAnswered.REP, mad.transactionId());
            case CmLap _ ->
                send(
                        remote,
                        new CmMad(
                                mad.transactionId(),
                                0,
                                new CmApr(
                                        ourId,
                                        theirId,
                                        0,
                                        CmApr.INVALID_COMM_ID,
                                        PrivateData.EMPTY,
                                        PrivateData.EMPTY)));
            case CmReq _, CmMra _, CmRej _, CmRtu _, CmDrep _, CmApr _, CmSidrReq _, CmSidrRep _ -> {}
        }
        return Rule.CM_UNKNOWN_ID;
    }

    private Connection find(int ourId, int theirId, Gid remote) {
        Connection connection = connections.get(ourId);
        if (connection == null || !remote.equals(connection.remote())) {
            return null;
        }
        boolean named = connection.state() != ConnectionState.REQ_SENT;
        return named && connection.remoteId() != theirId ? null : connection;
    }

    private Rule onRej(CmMad mad, CmRej rej, Gid remote, long now) {
        Connection connection = find(rej.remoteCommId(), rej.localCommId(), remote);
        if (connection == null && rej.reason() == RejReason.TIMEOUT.number()) {
            // Whoever gives up before it got an answer does not know our ID (12.6.7.2).
            connection = byRemoteId.get(new RemoteId(remote, rej.localCommId()));
        }
        return connection == null ? Rule.CM_UNKNOWN_ID : connection.onMessage(mad, now);
    }

    private Rule onReq(CmReq req, CmMad mad, Gid remote, long now) {
        long tid = mad.transactionId();
        Connection known = byRemoteId.get(new RemoteId(remote, req.localCommId()));
        if (known != null) {
            if (known.req().localQpn() == req.localQpn() && known.req().serviceId() == req.serviceId()) {
                return known.onDuplicateReq(now);
            }
            return refuse(Refusal.of(RejReason.DUPLICATE_LOCAL_COMM_ID), req, tid, remote);
        }
        Connection peer = peer(req, remote);
        if (peer != null) {
            if (peer.state() != ConnectionState.REQ_SENT || isActivePeer(peer, req)) {
                return Rule.CM_DUPLICATE;
            }
            peer.yieldTo(req, mad, remote, now);
            remember(peer);
            return Rule.ACCEPTED;
        }
        Connection stale = byRemoteQp.get(new RemoteQp(remote, req.localQpn()));
        if (stale != null) {
            Rule rule = refuse(Refusal.of(RejReason.STALE_CONNECTION), req, tid, remote);
            stale.stale(now);
            return rule;
        }
        Connection connection = create();
        connection.requested(req, mad, remote);
        Refusal refusal;
        try {
            refusal = host.onRequest(connection, req);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener failed on a request from " + remote, e);
            refusal = Refusal.of(RejReason.NO_RESOURCES);
        }
        if (refusal != null) {
            connections.remove(connection.localId());
            return refuse(refusal, req, tid, remote);
        }
        remember(connection);
        return Rule.ACCEPTED;
    }

    private Connection peer(CmReq req, Gid remote) {
        for (Connection connection : peerToPeer) {
            // One that stands is meant by a late copy of its own request only.
            boolean meant = connection.state() == ConnectionState.REQ_SENT || connection.remoteQpn() == req.localQpn();
            if (meant
                    && connection.req().serviceId() == req.serviceId()
                    && connection.remote().equals(remote)) {
                return connection;
            }
        }
        return null;
    }

    /** The larger CA GUID stays active; of two queue pairs of one CA the larger number (12.10.4). */
    private boolean isActivePeer(Connection ours, CmReq theirs) {
        int order = Long.compareUnsigned(host.caGuid(), theirs.localCaGuid());
        return order > 0 || (order == 0 && ours.req().localQpn() > theirs.localQpn());
    }

    private Rule refuse(Refusal refusal, CmReq req, long tid, Gid remote) {
        CmRej rej = CmRej.of(0, req.localCommId(), CmAnswered.REQ, refusal.reason(), refusal.info(), PrivateData.EMPTY);
        send(remote, new CmMad(tid, 0, rej));
        return Rule.CM_REFUSED;
    }

    // For connections and resolutions.

    void send(Gid remote, CmMad mad) {
        host.send(remote, mad);
    }

    void rejectUnknown(Gid remote, int ourId, int theirId, CmAnswered answered, long tid) {
        CmRej rej = CmRej.of(ourId, theirId, answered, RejReason.INVALID_COMM_ID, PrivateData.EMPTY, PrivateData.EMPTY);
        send(remote, new CmMad(tid, 0, rej));
    }

    /** Tells a listener; what it throws is its own trouble, not that of the others on this port. */
    void tell(ConnectionListener listener, Connection connection, ConnectionEvent event, long now) {
        try {
            listener.on(connection, event, now);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener failed on " + event + " of " + connection, e);
        }
    }

    MachineHost host() {
        return host;
    }

    long caGuid() {
        return host.caGuid();
    }

    int freshInt() {
        return random.getAsInt();
    }

    long freshTransactionId() {
        return (long) random.getAsInt() << 32 | random.getAsInt() & 0xFFFF_FFFFL;
    }

    private void remember(Connection connection) {
        byRemoteId.put(new RemoteId(connection.remote(), connection.remoteId()), connection);
        if (connection.state() != ConnectionState.TIMEWAIT) {
            byRemoteQp.put(new RemoteQp(connection.remote(), connection.remoteQpn()), connection);
        }
    }

    /** Notes the peer's queue pair. @return false where another connection with it has not ended */
    boolean holdQpn(Connection connection) {
        RemoteQp qp = new RemoteQp(connection.remote(), connection.remoteQpn());
        Connection other = byRemoteQp.putIfAbsent(qp, connection);
        return other == null || other == connection;
    }

    void forgetQpn(Connection connection) {
        byRemoteQp.remove(new RemoteQp(connection.remote(), connection.remoteQpn()), connection);
    }

    void forget(Connection connection) {
        connections.remove(connection.localId(), connection);
        peerToPeer.remove(connection);
        if (connection.remote() != null) {
            byRemoteId.remove(new RemoteId(connection.remote(), connection.remoteId()), connection);
            forgetQpn(connection);
        }
        host.onForgotten(connection);
    }

    /** A CA GUID as additional information. */
    static PrivateData guidInfo(long guid) {
        return PrivateData.of(ByteBuffer.allocate(Long.BYTES).putLong(guid).array());
    }
}
