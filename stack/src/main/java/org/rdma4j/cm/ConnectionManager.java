package org.rdma4j.cm;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.rdma4j.trace.Rule;
import org.rdma4j.verbs.AsyncEvent;
import org.rdma4j.verbs.AsyncEventType;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceService;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.CmAnswered;
import org.rdma4j.wire.CmMad;
import org.rdma4j.wire.CmPath;
import org.rdma4j.wire.CmRej;
import org.rdma4j.wire.CmReq;
import org.rdma4j.wire.CmSidrReq;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.IpCmHeader;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.OtherMad;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;
import org.rdma4j.wire.RejReason;
import org.rdma4j.wire.SidrStatus;

/**
 * Connection management of one device: the state machine, the queue pair that its datagrams go over, the ports and who
 * listens on them. Driven with the device; everything here is under the device's control lock.
 */
final class ConnectionManager implements DeviceService, MachineHost {

    private final DeviceContext device;
    private final Machine machine;
    private final ManagementPort port;
    private final PortTable<GsiEndpoint> ports;
    private final Map<QueuePair, ConnectionEndpoint> awaitingFirstPacket = new HashMap<>();
    private final long[] decisions = new long[Rule.values().length];
    private long now;

    private ConnectionManager(DeviceContext device) {
        this.device = device;
        this.machine = new Machine(this, device::random);
        this.port = new ManagementPort(device);
        this.ports = new PortTable<>(device::random);
    }

    static ConnectionManager of(DeviceContext device) {
        return device.service(ConnectionManager.class, ConnectionManager::new);
    }

    Machine machine() {
        return machine;
    }

    ManagementPort port() {
        return port;
    }

    PortTable<GsiEndpoint> ports() {
        return ports;
    }

    // Driving.

    @Override
    public boolean progress(long time) {
        now = time;
        boolean received = port.poll(this::receive);
        boolean fired = machine.progress(time);
        return received || fired;
    }

    @Override
    public long nextDeadline() {
        return machine.nextDeadline();
    }

    @Override
    public void close() {
        port.close();
    }

    /** The first packet on a queue pair that waits for its RTU is as good as that. */
    @Override
    public boolean takes(AsyncEvent event) {
        ConnectionEndpoint endpoint =
                event.type() == AsyncEventType.COMM_EST ? awaitingFirstPacket.get(event.qp()) : null;
        if (endpoint == null) {
            return false;
        }
        endpoint.communicationEstablished(now);
        return true;
    }

    void awaitFirstPacket(QueuePair qp, ConnectionEndpoint endpoint) {
        awaitingFirstPacket.put(qp, endpoint);
    }

    void forget(QueuePair qp) {
        awaitingFirstPacket.remove(qp);
    }

    private void receive(MemorySegment segment, long offset, int length, Gid remote) {
        switch (CmMad.parse(segment, offset, length)) {
            case CmMad mad -> machine.receive(mad, remote, now);
            case OtherMad _ -> decisions[Rule.MAD_METHOD.ordinal()]++;
            case Malformed malformed -> {
                decisions[malformed.rule().ordinal()]++;
                answerVersion(malformed, segment, offset, length, remote);
            }
        }
    }

    /** A request of another class version is told so (12.6.7.2, reason 31); all else that is malformed gets no answer. */
    private void answerVersion(Malformed malformed, MemorySegment segment, long offset, int length, Gid remote) {
        boolean request = malformed.rule() == Rule.MAD_VERSION
                && length == MadHeader.MAD_LENGTH
                && MadHeader.baseVersion(segment, offset) == MadHeader.BASE_VERSION
                && MadHeader.managementClass(segment, offset) == MadHeader.CLASS_CM
                && MadHeader.attributeId(segment, offset) == CmReq.ATTRIBUTE_ID;
        if (request) {
            CmReq req = CmReq.parse(segment, offset + MadHeader.LENGTH);
            CmRej rej = CmRej.of(
                    0,
                    req.localCommId(),
                    CmAnswered.REQ,
                    RejReason.INVALID_CLASS_VERSION,
                    PrivateData.EMPTY,
                    PrivateData.EMPTY);
            send(remote, new CmMad(MadHeader.transactionId(segment, offset), 0, rej));
        }
    }

    /** Datagrams that met a decision. */
    @Override
    public long decisions(Rule rule) {
        return decisions[rule.ordinal()] + machine.decisions(rule);
    }

    // For the machine.

    @Override
    public void send(Gid remote, CmMad mad) {
        port.send(remote, mad);
    }

    @Override
    public long caGuid() {
        return device.nodeGuid();
    }

    @Override
    public void onForgotten(Connection connection) {
        if (connection.localQpn() != 0) {
            device.releaseQpNum(connection.localQpn());
        }
    }

    @Override
    public Refusal onRequest(Connection connection, CmReq req) {
        IpCmHeader header = IpCmHeader.parse(req.privateData());
        if (PortSpace.ofServiceId(req.serviceId()) != null && !header.isKnown()) {
            return Refusal.of(RejReason.UNSUPPORTED);
        }
        return switch (listener(req.serviceId(), header)) {
            case null -> Refusal.of(RejReason.INVALID_SERVICE_ID);
            case DatagramEndpoint _ -> Refusal.of(RejReason.INVALID_TRANSPORT_TYPE);
            case ConnectionEndpoint listener -> onRequest(listener, connection, req, header);
        };
    }

    private Refusal onRequest(ConnectionEndpoint listener, Connection connection, CmReq req, IpCmHeader header) {
        if (device.matchingPkeyIndex(req.pKey()) < 0) {
            return Refusal.of(RejReason.UNSUPPORTED); // there is no reason of its own for a partition (12.6.7.2)
        }
        Refusal refusal = pathRefusal(req);
        if (refusal != null) {
            return refusal;
        }
        if (req.transportType() != listener.transportType()) {
            return Refusal.of(RejReason.INVALID_TRANSPORT_TYPE);
        }
        if (!listener.owner().hasRoom()) {
            return Refusal.of(RejReason.NO_RESOURCES);
        }
        child(listener, header, owner -> new ConnectionEndpoint(this, owner)).requested(connection, req);
        return null;
    }

    /** Who listens for a service, {@code null}: nobody. */
    private GsiEndpoint listener(long serviceId, IpCmHeader header) {
        PortSpace space = PortSpace.ofServiceId(serviceId);
        return space == null || !header.isKnown()
                ? null
                : ports.listener(
                        space, PortSpace.port(serviceId), header.destination().toAddress());
    }

    private static <E extends Endpoint> E child(
            GsiEndpoint listener, IpCmHeader header, Function<EndpointOwner, E> make) {
        EndpointOwner owner = listener.owner();
        return owner.child(
                new InetSocketAddress(
                        header.destination().toAddress(), owner.localAddress().getPort()),
                new InetSocketAddress(header.source().toAddress(), header.sourcePort()),
                make);
    }

    private Refusal pathRefusal(CmReq req) {
        CmPath path = req.primaryPath();
        boolean ours = CmPaths.gidIndex(device, path.remoteGid()) >= 0;
        if (!ours || path.localGid().isIpv4() != path.remoteGid().isIpv4()) {
            return new Refusal(RejReason.INVALID_GID, gidInfo(device.queryGid(0)));
        }
        int mtu = req.pathMtu();
        int most = CmPaths.mtuCode(device.maxPathMtu());
        if (mtu < 1 || mtu > most) {
            return new Refusal(RejReason.INVALID_MTU, PrivateData.of(new byte[] {(byte) (most << 4)}));
        }
        return null;
    }

    private static PrivateData gidInfo(Gid gid) {
        return PrivateData.of(ByteBuffer.allocate(Gid.LENGTH)
                .putLong(gid.high())
                .putLong(gid.low())
                .array());
    }

    @Override
    public void onResolution(SidrService service, CmSidrReq req) {
        IpCmHeader header = IpCmHeader.parse(req.privateData());
        GsiEndpoint listener = listener(req.serviceId(), header);
        if (!(listener instanceof DatagramEndpoint) || device.matchingPkeyIndex(req.pKey()) < 0) {
            service.refuse(SidrStatus.UNSUPPORTED, PrivateData.EMPTY, now);
        } else if (!listener.owner().hasRoom()) {
            service.refuse(SidrStatus.NO_QP, PrivateData.EMPTY, now);
        } else {
            child(listener, header, owner -> new DatagramEndpoint(this, owner)).requested(service);
        }
    }
}
