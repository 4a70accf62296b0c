package org.rdma4j.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.Ece;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

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
    private final PortSpace space;
    final boolean sync;
    private final Endpoint endpoint;
    private EventChannel channel;
    CmIdState state = CmIdState.IDLE; // this one and those without a modifier are the events' too
    private volatile InetSocketAddress local = NOWHERE;
    private volatile InetSocketAddress peer = NOWHERE;
    private Object context;
    private QueuePair qp;

    private volatile boolean listening;
    private int backlog;
    private int pending;
    private CmId listener;
    private ConnectionParameters asked = ConnectionParameters.defaults();

    private CmId(
            DeviceContext device,
            EventChannel channel,
            PortSpace space,
            boolean sync,
            Function<EndpointOwner, ? extends Endpoint> make) {
        this.device = device;
        this.channel = channel;
        this.space = space;
        this.sync = sync;
        channel.drives(device);
        this.endpoint = make.apply(new CmIdEvents(this));
    }

    private static CmId create(DeviceContext device, EventChannel channel, PortSpace space, boolean sync) {
        return new CmId(device, channel, space, sync, owner -> Endpoints.of(owner, space));
    }

    /** An identifier whose events go to a channel ({@code rdma_create_id}). */
    public static CmId create(DeviceContext device, EventChannel channel, PortSpace space) {
        return create(device, channel, space, false);
    }

    /** An identifier whose calls wait. */
    public static CmId createSync(DeviceContext device, PortSpace space) {
        return create(device, new EventChannel(), space, true);
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
        return endpoint.remoteEce();
    }

    public Object context() {
        return context;
    }

    public void context(Object value) {
        context = value;
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
        if (address.isUnresolved()) {
            throw CmException.invalid("%s is not resolved", address);
        }
        local = endpoint.bind(address);
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
        InetAddress own;
        try {
            own = route(destination);
        } catch (CmException e) {
            return CmEvent.failed(CmEventType.ADDR_ERROR, this, e.errno().status(), PrivateData.EMPTY, e.getMessage());
        }
        if (source != null && state == CmIdState.IDLE) {
            take(source);
        }
        InetAddress from = local.getAddress();
        InetAddress to = destination.getAddress();
        if (local.getPort() == 0) {
            take(new InetSocketAddress(own, 0));
        } else if (from.isAnyLocalAddress()) {
            local = new InetSocketAddress(own, local.getPort());
        } else if (from.getClass() != to.getClass()) {
            throw new CmException(
                    CmException.Errno.EAFNOSUPPORT, IpText.of(from) + " and " + IpText.of(to) + " are of two families");
        }
        peer = destination;
        return CmEvent.of(CmEventType.ADDR_RESOLVED, this);
    }

    private InetAddress route(InetSocketAddress destination) {
        if (destination.isUnresolved() || destination.getAddress().isAnyLocalAddress()) {
            throw CmException.invalid("%s is nothing to connect to", destination);
        }
        return endpoint.route(destination.getAddress());
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
            made.modify(qpAttributes(QpState.INIT));
        }
        under(() -> qp = made);
        return made;
    }

    /** Destroys the identifier's queue pair ({@code rdma_destroy_qp}). */
    public void destroyQp() {
        QueuePair old = qp;
        if (old != null) {
            under(() -> {
                endpoint.forget(old);
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
        return endpoint.qpAttributes(to);
    }

    // Active side.

    /** Asks for a connection, or for the queue pair that datagrams go to, with the defaults ({@code rdma_connect}). */
    public void connect() {
        connect(ConnectionParameters.defaults());
    }

    /** Asks ({@code rdma_connect}): ESTABLISHED, CONNECT_RESPONSE, REJECTED or UNREACHABLE. */
    public void connect(ConnectionParameters wanted) {
        ask(() -> endpoint.connect(wanted));
    }

    /**
     * Asks a peer that asks for the same at the same time; whichever of the two requests counts, both get one connection
     * (12.10). Neither listens.
     */
    public void connectPeer(ConnectionParameters wanted) {
        ask(() -> endpoint.connectPeer(wanted));
    }

    private void ask(Supplier<CmEventType> question) {
        CmEventType[] answer = new CmEventType[1];
        under(() -> {
            require(state == CmIdState.ROUTE_RESOLVED, "connect");
            answer[0] = question.get();
            state = CmIdState.CONNECTING;
        });
        complete(answer[0]);
    }

    /** The queue pair of the application's own is ready: CONNECT_RESPONSE is answered ({@code rdma_establish}). */
    public void establish() {
        under(() -> {
            require(state == CmIdState.RESPONDED, "establish");
            endpoint.establish();
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
            endpoint.listen(backlog, type);
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

    boolean hasRoom() {
        return pending < backlog;
    }

    /** The identifier of a request to this listener. @return its endpoint */
    <E extends Endpoint> E child(InetSocketAddress to, InetSocketAddress from, Function<EndpointOwner, E> make) {
        AtomicReference<E> made = new AtomicReference<>();
        CmId child = new CmId(device, sync ? new EventChannel() : channel, space, sync, owner -> {
            made.set(make.apply(owner));
            return made.get();
        });
        child.listener = this;
        child.local = to;
        child.peer = from;
        child.state = CmIdState.REQUESTED;
        child.context = context;
        pending++;
        return made.get();
    }

    /** The listener's application hears of the request. */
    void requested(PrivateData privateData, ConnectionParameters wanted) {
        if (wanted != null) {
            asked = wanted;
        }
        listener.channel.post(CmEvent.connection(CmEventType.CONNECT_REQUEST, this, listener, privateData, wanted));
    }

    /** With what was asked for. */
    public void accept() {
        accept(asked.withPrivateData(PrivateData.EMPTY).withQp(0, false));
    }

    /** Accepts a request ({@code rdma_accept}): of a connection ESTABLISHED follows, of datagrams nothing. */
    public void accept(ConnectionParameters wanted) {
        boolean[] waits = new boolean[1];
        under(() -> {
            require(state == CmIdState.REQUESTED, "accept");
            waits[0] = endpoint.accept(wanted.withMaximaOf(asked));
            state = waits[0] ? CmIdState.ACCEPTING : CmIdState.CONNECTED;
            answeredRequest();
        });
        if (waits[0]) {
            complete(CmEventType.ESTABLISHED);
        }
    }

    /** Rejects a request, or a peer's response ({@code rdma_reject}); the peer reads reason 28 and the private data. */
    public void reject(PrivateData privateData) {
        reject(() -> endpoint.reject(privateData));
    }

    /** Rejects what the peer's queue pair offers ({@code rdma_reject_ece}); the peer reads reason 35. */
    public void rejectEce(PrivateData privateData) {
        reject(() -> endpoint.rejectEce(privateData));
    }

    private void reject(Runnable refusal) {
        under(() -> {
            require(state == CmIdState.REQUESTED || state == CmIdState.RESPONDED, "reject");
            refusal.run();
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
            waits[0] = endpoint.disconnect();
            state = waits[0] ? CmIdState.DISCONNECTING : CmIdState.DISCONNECTED;
        });
        return waits[0];
    }

    /**
     * Offers the peer another way for a connection that stands and that this side has asked for (12.8): once both have loaded
     * it their queue pairs are prepared to go there when the first one fails (17.2.8). librdmacm has no such call.
     *
     * @return done then; failed where the peer does not take it, or does not answer
     */
    public CompletableFuture<Void> loadAlternatePath(AlternateRoute route) {
        AtomicReference<CompletableFuture<Void>> answer = new AtomicReference<>();
        under(() -> {
            require(state == CmIdState.CONNECTED, "load an alternate path of");
            answer.set(endpoint.loadAlternatePath(route));
        });
        return answer.get();
    }

    /** The queue pair of the application's own got a packet before its RTU ({@code rdma_notify} of COMM_EST). */
    public void notifyEstablished() {
        under(() -> endpoint.communicationEstablished(device.now()));
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
            endpoint.close();
            for (CmEvent event : channel.takeEventsOf(this)) {
                if (event.listener() == this) {
                    event.id().close();
                }
            }
        });
        destroyQp();
    }

    /** Nothing more comes of it. */
    void over() {
        answeredRequest();
        if (state != CmIdState.CLOSED) {
            state = CmIdState.DISCONNECTED;
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
