package org.rdma4j.iwarp.cm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.cm.Endpoint;
import org.rdma4j.cm.EndpointOwner;
import org.rdma4j.cm.PortTable;
import org.rdma4j.iwarp.ConnectParameters;
import org.rdma4j.iwarp.ConnectionEnd;
import org.rdma4j.iwarp.ConnectionEvents;
import org.rdma4j.iwarp.IwarpConnection;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.IwarpListener;
import org.rdma4j.iwarp.mpa.MpaHandshake;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.iwarp.mpa.MpaSettings;
import org.rdma4j.iwarp.stream.StreamException;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.IpText;
import org.rdma4j.wire.PrivateData;

/**
 * An identifier's end of an iWARP connection: the RDMA port is a TCP port, private data goes in MPA's request and reply
 * as it is, responder resources are the IRD and the initiator depth is the ORD (RFC 6581).
 */
final class IwarpEndpoint implements Endpoint, PortTable.Holder, ConnectionEvents {

    private final EndpointOwner owner;
    private final LocalPorts ports;
    private final IwarpListening origin; // null where nobody has asked for it
    private final DeviceContext device;
    private final IwarpConnections iwarp;
    private HeldPort held; // null once it is used
    private InetSocketAddress bound;
    private IwarpListener listener;
    private IwarpConnection connection;
    private boolean asks;
    private boolean answered;
    private boolean closed;
    private ConnectionParameters given = ConnectionParameters.defaults();

    /** @param origin whom a request for it has come to, or {@code null} */
    IwarpEndpoint(EndpointOwner owner, LocalPorts ports, IwarpListening origin) {
        this.owner = owner;
        this.ports = ports;
        this.origin = origin;
        this.device = owner.device();
        this.iwarp = device.family(IwarpConnections.class)
                .orElseThrow(() -> CmException.invalid("%s is no iWARP device", device.name()));
    }

    // Addresses.

    private InetAddress own() {
        return device.queryGid(0).toAddress();
    }

    @Override
    public InetSocketAddress bind(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (!ip.isAnyLocalAddress() && !ip.equals(own())) {
            throw new CmException(
                    CmException.Errno.EADDRNOTAVAIL, IpText.of(ip) + " is no address of " + device.name());
        }
        HeldPort port = HeldPort.take(new InetSocketAddress(own(), address.getPort()));
        try {
            ports.add(this, ip, port.address().getPort());
        } catch (CmException e) {
            port.release();
            throw e;
        }
        held = port;
        bound = port.address();
        return new InetSocketAddress(ip, bound.getPort());
    }

    private void useHeldPort() {
        if (held != null) {
            held.release();
            held = null;
        }
    }

    @Override
    public InetAddress route(InetAddress destination) {
        if (destination.isMulticastAddress()) {
            throw CmException.invalid("%s is nothing to connect to", IpText.of(destination));
        }
        if (destination.getClass() != own().getClass()) {
            throw new CmException(
                    CmException.Errno.EHOSTUNREACH,
                    device.name() + " has no address of the family of " + IpText.of(destination));
        }
        SocketRoute.require(own(), destination);
        return own();
    }

    @Override
    public EndpointOwner owner() {
        return owner;
    }

    @Override
    public boolean isListening() {
        return listener != null;
    }

    // The passive side.

    @Override
    public void listen(int backlog, QpType type) {
        if (type != QpType.RC) {
            throw CmException.invalid("%s has no connections of type %s, only RC", device.name(), type);
        }
        MpaSettings settings = iwarp.settings();
        try {
            iwarp.settings(settings.withSendsFirst(
                    settings.sendsFirst() || owner.settings().speaksFirst()));
            listener = iwarp.listen(bound, backlog, new IwarpListening(owner, ports));
        } catch (StreamException e) {
            throw new CmException(
                    CmException.Errno.EADDRINUSE,
                    "TCP port " + bound.getPort() + " of " + IpText.of(bound.getAddress()) + ": " + e.getMessage());
        } finally {
            iwarp.settings(settings);
        }
        useHeldPort();
    }

    /** A connection is asked for. */
    void asked(IwarpConnection request) {
        connection = request;
        given = given.withResources(request.ird(), request.ord()).clippedTo(device.queryDevice());
        owner.requested(PrivateData.of(request.privateData()), given);
    }

    @Override
    public boolean accept(ConnectionParameters wanted) {
        wanted.check(room());
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = given.qpNumOf(owner.qp());
        attempt(() -> {
            connection.accept(qpNum, parameters());
            return connection;
        });
        answered = true;
        return true;
    }

    @Override
    public void reject(PrivateData privateData) {
        ConnectionParameters.checkRoom(privateData, room());
        reject(privateData.toBytes());
    }

    private void reject(byte[] privateData) {
        answered = true;
        connection.reject(privateData);
        origin.forget(connection);
    }

    // The active side.

    @Override
    public CmEventType connect(ConnectionParameters wanted) {
        wanted.check(room());
        given = wanted.clippedTo(device.queryDevice());
        int qpNum = given.qpNumOf(owner.qp());
        useHeldPort();
        asks = true;
        connection = attempt(() -> iwarp.connect(bound, owner.peerAddress(), qpNum, parameters(), this));
        return CmEventType.ESTABLISHED;
    }

    private int room() {
        return MpaHandshake.maxPrivateData(iwarp.settings().enhanced());
    }

    private ConnectParameters parameters() {
        return ConnectParameters.of(given.privateData().toBytes(), given.responderResources(), given.initiatorDepth())
                .withTrafficClass(owner.settings().tos());
    }

    private static IwarpConnection attempt(Supplier<IwarpConnection> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw CmException.invalid("%s", e.getMessage());
        } catch (StreamException e) {
            throw new CmException(CmException.Errno.EHOSTUNREACH, e.getMessage());
        }
    }

    /** RDMAP's rights are those of the memory alone (RFC 5042), so the queue pair gives them all. */
    @Override
    public QpAttributes qpAttributes(QpState to) {
        if (to != QpState.INIT) {
            throw CmException.invalid(
                    "%s connects queue pairs itself: nothing is to be known for %s", device.name(), to);
        }
        return new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(AccessFlags.LOCAL_WRITE
                        | AccessFlags.REMOTE_WRITE
                        | AccessFlags.REMOTE_READ
                        | AccessFlags.REMOTE_ATOMIC);
    }

    // The end.

    @Override
    public boolean disconnect() {
        boolean stands = connection.isEstablished();
        connection.disconnect();
        return stands;
    }

    @Override
    public void close() {
        closed = true;
        if (listener != null) {
            listener.close();
            listener = null;
        }
        if (connection != null && !asks && !answered) {
            reject(new byte[0]);
        } else if (connection != null) {
            connection.disconnect();
        }
        if (origin != null) {
            origin.forget(connection);
        }
        useHeldPort();
        if (bound != null) {
            ports.remove(this, bound.getPort());
            bound = null;
        }
    }

    // What the engine tells.

    @Override
    public void established(IwarpConnection told) {
        if (!closed) {
            owner.established(
                    asks ? PrivateData.of(told.privateData()) : PrivateData.EMPTY,
                    given.withPrivateData(PrivateData.EMPTY).withResources(told.ird(), told.ord()));
        }
    }

    @Override
    public void rejected(IwarpConnection told) {
        if (!closed) {
            owner.rejected(
                    CmException.Errno.ECONNREFUSED.status(),
                    PrivateData.of(told.privateData()),
                    "the peer's application does not want it");
        }
    }

    @Override
    public void failed(IwarpConnection told, ConnectionEnd end) {
        if (closed) {
            return;
        }
        answered = true;
        switch (end.reason()) {
            case REFUSED -> refused(CmException.Errno.ECONNREFUSED, "nobody listens there");
            case TIMED_OUT -> unreachable(CmException.Errno.ETIMEDOUT, end);
            case LOST -> unreachable(CmException.Errno.EHOSTUNREACH, end);
            case SETUP -> {
                if (end.refusal() == MpaRefusal.CLOSED) {
                    refused(CmException.Errno.ECONNRESET, end.message());
                } else {
                    owner.connectError(end.message());
                }
            }
            case DISCONNECTED, TERMINATED, TERMINATED_BY_PEER, ABANDONED -> owner.connectError(end.message());
        }
    }

    private void refused(CmException.Errno errno, String words) {
        owner.rejected(errno.status(), PrivateData.EMPTY, words);
    }

    private void unreachable(CmException.Errno errno, ConnectionEnd end) {
        owner.unreachable(errno.status(), PrivateData.EMPTY, end.message());
    }

    @Override
    public void ended(IwarpConnection told, ConnectionEnd end) {
        if (!closed) {
            boolean orderly = end.reason() == ConnectionEnd.Reason.DISCONNECTED;
            owner.disconnected(
                    orderly ? 0 : CmException.Errno.ECONNRESET.status(),
                    PrivateData.EMPTY,
                    orderly ? "" : end.message());
        }
    }
}
