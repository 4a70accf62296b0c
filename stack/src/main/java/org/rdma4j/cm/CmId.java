package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Ece;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmRep;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrRep;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/**
 * An identifier of connection management ({@code struct rdma_cm_id}): a listener, or one end of a connection or of an
 * exchange of datagrams. Any thread may call it. A device answers its peers' requests from its first identifier on.
 *
 * <p>With an {@link EventChannel} each call returns at once and its outcome is an event. Without one each call waits for
 * its outcome and throws where that is an error, as an identifier does that {@code rdma_create_id} was given no channel
 * for.
 */
public final class CmId extends CmSettings implements AutoCloseable {

    /** What a listener with backlog 0 holds. */
    static final int DEFAULT_BACKLOG = 128;

    private static final InetSocketAddress NOWHERE = new InetSocketAddress(0);

    private final DeviceContext device;
    private final CmIdEvents events = new CmIdEvents(this);
    private final ConnectionManager manager;
    private final PortSpace space;
    final boolean sync;
    private final int startingPsn;
    private EventChannel channel;
    CmIdState state = CmIdState.IDLE; // this one and those without a modifier are the events' too
    private volatile InetSocketAddress local = NOWHERE;
    private volatile InetSocketAddress peer = NOWHERE;
    private boolean bound;
    private Object context;

    private QpType listensFor = QpType.RC;
    private volatile boolean listening;
    private int backlog;
    private int pending;
    private CmId listener;

    QueuePair qp;
    Connection connection;
    ConnectionParameters given = ConnectionParameters.defaults();
    CmRep reply;
    SidrRequest question;
    private SidrService asked;

    private CmId(DeviceContext device, EventChannel channel, PortSpace space, boolean sync) {
        this.device = device;
        this.channel = channel;
        this.space = space;
        this.sync = sync;
        this.manager = ConnectionManager.of(device);
        this.startingPsn = device.random() & 0xFF_FFFF;
        channel.drives(device);
    }

    /** An identifier whose events go to a channel ({@code rdma_create_id}). */
    public static CmId create(DeviceContext device, EventChannel channel, PortSpace space) {
        return new CmId(device, channel, space, false);
    }

    /** An identifier whose calls wait. */
    public static CmId createSync(DeviceContext device, PortSpace space) {
        return new CmId(device, new EventChannel(), space, true);
    }

    // What is known.

    public DeviceContext device() {
        return device;
    }

    public PortSpace portSpace() {
        return space;
    }

    /** The own address and port; port 0 before it has one. */
    public InetSocketAddress localAddress() {
        return local;
    }

    /** The other side's; port 0 before there is one. */
    public InetSocketAddress peerAddress() {
        return peer;
    }

    /** The queue pair that {@link #createQp} has made, or {@code null}. */
    public QueuePair qp() {
        return qp;
    }

    /** What the peer's queue pair offers beyond the standard ({@code rdma_get_remote_ece}), once it has said so. */
    public Ece remoteEce() {
        return connection == null ? Ece.NONE : connection.remoteEce();
    }

    public Object context() {
        return context;
    }

    public void context(Object value) {
        context = value;
    }

    boolean isListening() {
        return listening;
    }

    // Addresses.

    /**
     * Takes an address and a port ({@code rdma_bind_addr}); port 0 is any that is free.
     *
     * @throws CmException EADDRNOTAVAIL where the address is none of the device's, EADDRINUSE where the port is taken
     */
    public void bind(InetSocketAddress address) {
        under(() -> {
            require(state == CmIdState.IDLE, "bind");
            take(address);
            state = CmIdState.BOUND;
        });
    }

    private void take(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw CmException.invalid("%s is not resolved", address);
        }
        if (!ip.isAnyLocalAddress() && CmPaths.gidIndex(device, Gid.of(ip)) < 0) {
            throw new CmException(
                    CmException.Errno.EADDRNOTAVAIL, IpText.of(ip) + " is no address of " + device.name());
        }
        int port = manager.ports().bind(this, space, ip, address.getPort());
        local = new InetSocketAddress(ip, port);
        bound = true;
    }

    /** Finds out how an address is reached ({@code rdma_resolve_addr}) from any of the device's own. */
    public void resolveAddress(InetSocketAddress destination) {
        resolveAddress(null, destination);
    }

    /**
     * Finds out how an address is reached ({@code rdma_resolve_addr}): ADDR_RESOLVED, or ADDR_ERROR with the reason.
     *
     * @param source the own address, or {@code null} for the one bound to or any that fits
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination) {
        CmEvent[] outcome = new CmEvent[1];
        under(() -> {
            require(state == CmIdState.IDLE || state == CmIdState.BOUND, "resolve an address");
            outcome[0] = resolve(source, destination);
            if (outcome[0].status() == 0) {
                state = CmIdState.ADDRESS_RESOLVED;
            }
        });
        post(outcome[0]);
        complete(CmEventType.ADDR_RESOLVED);
    }

    private CmEvent resolve(InetSocketAddress source, InetSocketAddress destination) {
        CmEvent failure = AddressResolution.failure(this, manager, destination);
        if (failure != null) {
            return failure;
        }
        if (source != null && state == CmIdState.IDLE) {
            take(source);
        }
        InetAddress from = local.getAddress();
        InetAddress to = destination.getAddress();
        Gid own = CmPaths.gidOfFamily(device, Gid.of(to).isIpv4());
        if (!bound) {
            take(new InetSocketAddress(own.toAddress(), 0));
        } else if (from.isAnyLocalAddress()) {
            local = new InetSocketAddress(own.toAddress(), local.getPort());
        } else if (Gid.of(from).isIpv4() != Gid.of(to).isIpv4()) {
            throw new CmException(
                    CmException.Errno.EAFNOSUPPORT, IpText.of(from) + " and " + IpText.of(to) + " are of two families");
        }
        peer = destination;
        return CmEvent.of(CmEventType.ADDR_RESOLVED, this);
    }

    /** Finds the path to the address ({@code rdma_resolve_route}); RoCE's follows from it. */
    public void resolveRoute() {
        under(() -> {
            require(state == CmIdState.ADDRESS_RESOLVED, "resolve the route of");
            state = CmIdState.ROUTE_RESOLVED;
        });
        post(CmEvent.of(CmEventType.ROUTE_RESOLVED, this));
        complete(CmEventType.ROUTE_RESOLVED);
    }

    // Queue pair.

    /**
     * Creates the identifier's queue pair ({@code rdma_create_qp}). From then on it is moved with the connection; one of
     * datagrams is ready at once.
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttributes attributes) {
        if (qp != null) {
            throw CmException.invalid("the identifier has its queue pair already");
        }
        QueuePair made = pd.createQp(attributes);
        if (attributes.type() == QpType.UD) {
            QpSteps.takeDatagrams(made, DatagramParameters.UDP_QKEY, pkeyIndex());
        } else {
            made.modify(QpSteps.init(pkeyIndex()));
        }
        under(() -> qp = made);
        return made;
    }

    /** Destroys the identifier's queue pair ({@code rdma_destroy_qp}). */
    public void destroyQp() {
        QueuePair old = qp;
        if (old != null) {
            under(() -> {
                manager.forget(old);
                qp = null;
            });
            old.close();
        }
    }

    /**
     * What takes a queue pair of the application's own to a state ({@code rdma_init_qp_attr}).
     *
     * @param to INIT; once the other side is known RTR and RTS
     */
    public QpAttributes qpAttributes(QpState to) {
        return switch (to) {
            case INIT -> QpSteps.init(pkeyIndex());
            case RTR -> steps().readyToReceive();
            case RTS -> steps().readyToSend();
            case RESET, SQD, SQE, ERR -> throw CmException.invalid("nothing is to be known for %s", to);
        };
    }

    QpSteps steps() {
        require(connection != null, "know the queue pair's attributes for");
        if (!connection.isActive()) {
            return QpSteps.passive(device, connection.req(), given, startingPsn);
        }
        require(reply != null, "know the queue pair's attributes for");
        return QpSteps.active(device, connection.req(), reply, startingPsn);
    }

    // Active side.

    /** Asks for a connection, or for the queue pair that datagrams go to, with the defaults ({@code rdma_connect}). */
    public void connect() {
        connect(ConnectionParameters.defaults());
    }

    /** Asks ({@code rdma_connect}): ESTABLISHED, CONNECT_RESPONSE, REJECTED or UNREACHABLE. */
    public void connect(ConnectionParameters wanted) {
        connect(wanted, false);
    }

    /**
     * Asks a peer that asks for the same at the same time; whichever of the two requests counts, both get one connection
     * (12.10). Neither listens.
     */
    public void connectPeer(ConnectionParameters wanted) {
        connect(wanted, true);
    }

    private void connect(ConnectionParameters wanted, boolean peerToPeer) {
        under(() -> {
            require(state == CmIdState.ROUTE_RESOLVED, "connect");
            if (space == PortSpace.UDP) {
                ask(wanted);
            } else {
                request(wanted, peerToPeer);
            }
            state = CmIdState.CONNECTING;
        });
        complete(space != PortSpace.UDP && qp == null ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED);
    }

    private void request(ConnectionParameters wanted, boolean peerToPeer) {
        wanted.check(IpCmHeader.REQ_ROOM);
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = qpNum(given);
        connection = manager.machine().create();
        CmReq req = CmRequests.req(this, given, connection.localId(), qpNum, startingPsn);
        device.holdQpNum(qpNum);
        if (peerToPeer) {
            manager.machine().expectPeer(connection);
        }
        connection.offer(localEce());
        Gid remote = req.primaryPath().remoteGid();
        connection.connect(req, remote, req.primaryPath().localGid(), peerToPeer, events, device.now());
    }

    private void ask(ConnectionParameters wanted) {
        wanted.check(IpCmHeader.SIDR_REQ_ROOM);
        question = manager.ask(this, wanted.privateData(), events::resolved);
    }

    private int qpNum(ConnectionParameters wanted) {
        int number = qp != null ? qp.qpNum() : wanted.qpNum();
        if (number == 0) {
            throw CmException.invalid("the identifier has no queue pair, and the parameters name none");
        }
        return number;
    }

    /** The queue pair of the application's own is ready: CONNECT_RESPONSE is answered ({@code rdma_establish}). */
    public void establish() {
        under(() -> {
            require(state == CmIdState.RESPONDED, "establish");
            connection.ready(PrivateData.EMPTY, device.now());
            state = CmIdState.CONNECTED;
        });
    }

    // Passive side.

    /**
     * Takes requests ({@code rdma_listen}): each one is a CONNECT_REQUEST with an identifier of its own.
     *
     * @param wanted requests that may wait for the application; 0 is {@value #DEFAULT_BACKLOG}. One more is rejected
     */
    public void listen(int wanted) {
        listen(wanted, QpType.RC);
    }

    /** Takes requests for queue pairs of a type, RC or UC; datagrams have a port space of their own. */
    public void listen(int wanted, QpType type) {
        CmException.requireRange("a backlog", wanted, Integer.MAX_VALUE);
        under(() -> {
            require(state == CmIdState.BOUND, "listen on");
            backlog = wanted == 0 ? DEFAULT_BACKLOG : wanted;
            listensFor = type;
            listening = true;
            state = CmIdState.LISTENING;
        });
    }

    /** A synchronous listener's next request ({@code rdma_get_request}): a synchronous identifier. */
    public CmId getRequest() {
        if (!sync || !listening) {
            throw CmException.invalid("requests are waited for by a synchronous listener");
        }
        return SyncWait.next(channel, CmEventType.CONNECT_REQUEST).id();
    }

    int transportType() {
        return listensFor == QpType.UC ? CmReq.UC : CmReq.RC;
    }

    boolean hasRoom() {
        return pending < backlog;
    }

    /** The identifier of a request to this listener. */
    CmId child(IpCmHeader header, int partition) {
        CmId child = new CmId(device, sync ? new EventChannel() : channel, space, sync);
        child.listener = this;
        child.pkeyIndex(partition);
        child.local = new InetSocketAddress(header.destination().toAddress(), local.getPort());
        child.peer = new InetSocketAddress(header.source().toAddress(), header.sourcePort());
        child.state = CmIdState.REQUESTED;
        child.context = context;
        pending++;
        return child;
    }

    /** A connection is asked for. */
    void requested(Connection request, CmReq req) {
        connection = request;
        request.listen(events);
        // What the one side takes, the other side has outstanding.
        given = ConnectionParameters.asked(req).clippedTo(device.queryDevice());
        listener.channel.post(CmEvent.connection(
                CmEventType.CONNECT_REQUEST, this, listener, req.privateData().from(IpCmHeader.LENGTH), given));
    }

    /** A queue pair for datagrams is asked for. */
    void asked(SidrService service) {
        asked = service;
        CmSidrReq req = service.req();
        listener.channel.post(CmEvent.connection(
                CmEventType.CONNECT_REQUEST, this, listener, req.privateData().from(IpCmHeader.LENGTH), null));
    }

    /** With what was asked for. */
    public void accept() {
        accept(given.withPrivateData(PrivateData.EMPTY).withQp(0, false));
    }

    /** Accepts a request ({@code rdma_accept}): of a connection ESTABLISHED follows, of datagrams nothing. */
    public void accept(ConnectionParameters wanted) {
        boolean[] datagrams = new boolean[1];
        under(() -> {
            require(state == CmIdState.REQUESTED, "accept");
            datagrams[0] = asked != null;
            if (datagrams[0]) {
                wanted.check(CmSidrRep.PRIVATE_DATA_LENGTH);
                asked.answer(qpNum(wanted), DatagramParameters.UDP_QKEY, wanted.privateData(), device.now());
                state = CmIdState.CONNECTED;
            } else {
                // What is as much as possible here is no more than the peer has offered.
                acceptConnection(wanted.withResources(
                        wanted.responderResources() == ConnectionParameters.MAXIMUM
                                ? given.responderResources()
                                : wanted.responderResources(),
                        wanted.initiatorDepth() == ConnectionParameters.MAXIMUM
                                ? given.initiatorDepth()
                                : wanted.initiatorDepth()));
            }
            answeredRequest();
        });
        if (!datagrams[0]) {
            complete(CmEventType.ESTABLISHED);
        }
    }

    void acceptConnection(ConnectionParameters wanted) {
        wanted.check(CmRep.PRIVATE_DATA_LENGTH);
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = qpNum(given);
        if (qp != null) {
            steps().take(qp);
            qp.tellFirstPacket(true);
            manager.awaitFirstPacket(qp, this);
        }
        device.holdQpNum(qpNum);
        connection.offer(localEce());
        connection.accept(CmRequests.rep(this, given, connection, qpNum, startingPsn), device.now());
        state = CmIdState.ACCEPTING;
    }

    /** Rejects a request, or a peer's response ({@code rdma_reject}); the peer reads reason 28 and the private data. */
    public void reject(PrivateData privateData) {
        reject(RejReason.CONSUMER_DEFINED, privateData);
    }

    /** Rejects what the peer's queue pair offers ({@code rdma_reject_ece}); the peer reads reason 35. */
    public void rejectEce(PrivateData privateData) {
        reject(RejReason.VENDOR_OPTION_NOT_SUPPORTED, privateData);
    }

    private void reject(RejReason reason, PrivateData privateData) {
        under(() -> {
            require(state == CmIdState.REQUESTED || state == CmIdState.RESPONDED, "reject");
            int room = asked != null ? CmSidrRep.PRIVATE_DATA_LENGTH : CmRej.PRIVATE_DATA_LENGTH;
            given.withPrivateData(privateData).check(room);
            if (asked != null) {
                asked.refuse(SidrStatus.REJECTED, privateData, device.now());
            } else {
                connection.reject(reason, PrivateData.EMPTY, privateData, device.now());
            }
            answeredRequest();
            state = CmIdState.DISCONNECTED;
        });
    }

    private void answeredRequest() {
        if (listener != null) {
            listener.pending--;
            listener = null;
        }
    }

    // Multicast.

    /** Joins a group of datagrams with the identifier's queue pair ({@code rdma_join_multicast}): MULTICAST_JOIN follows. */
    public void joinMulticast(InetSocketAddress group) {
        post(CmGroups.join(this, group));
        complete(CmEventType.MULTICAST_JOIN);
    }

    /** Leaves it ({@code rdma_leave_multicast}). */
    public void leaveMulticast(InetSocketAddress group) {
        CmGroups.leave(this, group);
    }

    // The end.

    /**
     * Ends the connection ({@code rdma_disconnect}): its queue pair goes to ERR, DISCONNECTED follows. Where the peer has
     * ended it, that is all done and nothing happens.
     */
    public void disconnect() {
        if (askToDisconnect()) {
            complete(CmEventType.DISCONNECTED);
        }
    }

    /**
     * The same, but a synchronous identifier waits no longer than that: a peer whose process has ended answers nothing, and
     * the questions to it go on for a minute.
     *
     * @return false where the peer has not answered in time; {@link #close} ends it then
     */
    public boolean disconnect(Duration limit) {
        return !askToDisconnect() || !sync || SyncWait.within(channel, CmEventType.DISCONNECTED, limit);
    }

    /** @return true where DISCONNECTED is still to come */
    private boolean askToDisconnect() {
        boolean[] waits = new boolean[1];
        under(() -> {
            if (state == CmIdState.DISCONNECTED || state == CmIdState.DISCONNECTING) {
                return;
            }
            require(state == CmIdState.CONNECTED || state == CmIdState.ACCEPTING, "disconnect");
            failQp();
            if (connection == null) {
                state = CmIdState.DISCONNECTED;
            } else if (state == CmIdState.ACCEPTING) {
                connection.reject(RejReason.CONSUMER_DEFINED, PrivateData.EMPTY, PrivateData.EMPTY, device.now());
                state = CmIdState.DISCONNECTED;
            } else {
                connection.disconnect(PrivateData.EMPTY, device.now());
                state = CmIdState.DISCONNECTING;
                waits[0] = true;
            }
        });
        return waits[0];
    }

    /** The queue pair of the application's own got a packet before its RTU ({@code rdma_notify} of COMM_EST). */
    public void notifyEstablished() {
        under(() -> communicationEstablished(device.now()));
    }

    void communicationEstablished(long now) {
        if (connection != null) {
            connection.communicationEstablished(now);
        }
    }

    /** Events go to another channel from now on, and those that wait too ({@code rdma_migrate_id}). */
    public void migrate(EventChannel other) {
        under(() -> {
            if (sync) {
                throw CmException.invalid("a synchronous identifier has no channel to leave");
            }
            EventChannel old = channel;
            channel = other;
            other.drives(device);
            old.takeEventsOf(this).forEach(other::post);
        });
    }

    /**
     * Ends whatever it is about and destroys it with its queue pair ({@code rdma_destroy_id}). A request that was not
     * answered is rejected, a connection that stands is ended.
     */
    @Override
    public void close() {
        under(() -> {
            if (state == CmIdState.CLOSED) {
                return;
            }
            answeredRequest();
            listening = false;
            state = CmIdState.CLOSED;
            if (connection != null) {
                connection.abandon(device.now());
            }
            if (question != null) {
                question.cancel();
            }
            if (asked != null && !asked.isAnswered()) {
                asked.refuse(SidrStatus.REJECTED, PrivateData.EMPTY, device.now());
            }
            if (bound) {
                manager.ports().release(this, space, local.getPort());
                bound = false;
            }
            for (CmEvent event : channel.takeEventsOf(this)) {
                if (event.listener() == this) {
                    event.id().close();
                }
            }
        });
        destroyQp();
    }

    void over() {
        answeredRequest();
        forgetFirstPacket();
        failQp();
        if (state != CmIdState.CLOSED) {
            state = CmIdState.DISCONNECTED;
        }
    }

    void forgetFirstPacket() {
        if (qp != null) {
            manager.forget(qp);
            qp.tellFirstPacket(false);
        }
    }

    /** What is outstanding on a connection that is over is flushed; datagrams have no connection. */
    void failQp() {
        boolean connected = qp != null && qp.initAttributes().type() != QpType.UD;
        if (connected && qp.state() != QpState.RESET && qp.state() != QpState.ERR) {
            qp.modify(new QpAttributes().state(QpState.ERR));
        }
    }

    // Helpers.

    void post(CmEvent event) {
        channel.post(event);
    }

    private void under(Runnable change) {
        device.control(change);
    }

    private void require(boolean allowed, String what) {
        if (!allowed) {
            throw CmException.invalid("cannot %s an identifier that is %s", what, state.words());
        }
    }

    /** A synchronous identifier waits for what it has asked for. */
    private void complete(CmEventType wanted) {
        if (sync) {
            SyncWait.next(channel, wanted);
        }
    }
}
