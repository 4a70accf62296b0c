package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.Ece;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** Enhanced connection establishment: what applications with queue pairs of their own offer each other. */
class EceTest {

    private static final int PORT = 7174;
    private static final Ece OFFERED = new Ece(0xC9_1234, 0x8000_0001);
    private static final Ece TAKEN = new Ece(0x15_B3AB, 0x1);

    private final LoopNetwork network = new LoopNetwork();
    private final DeviceContext server = open(1);
    private final DeviceContext client = open(2);
    private final EventChannel serverEvents = new EventChannel();
    private final EventChannel clientEvents = new EventChannel();
    private CmId active;
    private CmId passive;

    private DeviceContext open(int host) {
        return DeviceContext.on(network.join(Gid.ofIpv4(0x0A00_0000 | host)), DeviceOptions.defaults());
    }

    private static CmEvent expect(EventChannel events, CmEventType type) throws InterruptedException {
        CmEvent event = events.getEvent(Duration.ofSeconds(20));
        assertNotNull(event, () -> "no event, waited for " + type);
        assertEquals(type, event.type(), event::toString);
        return event;
    }

    private static QueuePair queuePair(DeviceContext device) {
        return device.allocPd().createQp(QpInitAttributes.rc(device.createCq(16)));
    }

    @BeforeEach
    void ask() throws InterruptedException {
        InetSocketAddress address = new InetSocketAddress("10.0.0.1", PORT);
        CmId listener = CmId.create(server, serverEvents, PortSpace.TCP);
        listener.bind(address);
        listener.listen(1);
        active = CmId.create(client, clientEvents, PortSpace.TCP);
        active.resolveAddress(address);
        expect(clientEvents, CmEventType.ADDR_RESOLVED);
        active.resolveRoute();
        expect(clientEvents, CmEventType.ROUTE_RESOLVED);
        assertEquals(Ece.NONE, active.remoteEce());
        active.localEce(OFFERED);
        active.connect(ConnectionParameters.defaults().withQp(queuePair(client).qpNum(), false));
        passive = expect(serverEvents, CmEventType.CONNECT_REQUEST).id();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void requestAndReplyCarryIt() throws InterruptedException {
        assertEquals(OFFERED, passive.remoteEce());
        passive.localEce(TAKEN);
        QueuePair own = queuePair(server);
        passive.accept(ConnectionParameters.defaults().withQp(own.qpNum(), false));
        expect(clientEvents, CmEventType.CONNECT_RESPONSE);
        assertEquals(TAKEN, active.remoteEce());
    }

    @Test
    void whoOffersNothingSendsZeros() throws InterruptedException {
        passive.accept(ConnectionParameters.defaults().withQp(queuePair(server).qpNum(), false));
        expect(clientEvents, CmEventType.CONNECT_RESPONSE);
        assertEquals(Ece.NONE, active.remoteEce());
    }

    @Test
    void rejectedWithItsOwnReason() throws InterruptedException {
        passive.rejectEce(PrivateData.of("too new"));
        CmEvent rejected = expect(clientEvents, CmEventType.REJECTED);
        assertEquals("RDMA_CM_EVENT_REJECTED, status 35 (vendor option not supported)", rejected.toString());
        assertEquals(PrivateData.of("too new"), rejected.privateData().withoutFill());
    }

    @Test
    void queuePairOfSoftwareOffersNothing() {
        QueuePair qp = queuePair(client);
        assertEquals(Ece.NONE, qp.queryEce());
        qp.setEce(active.remoteEce()); // which offers nothing either
        VerbsException refusal = assertThrows(VerbsException.class, () -> qp.setEce(OFFERED));
        assertEquals(VerbsException.Errno.EOPNOTSUPP, refusal.errno());
        assertTrue(refusal.getMessage().contains("vendor 0xc91234"), refusal.getMessage());
        assertThrows(VerbsException.class, () -> new Ece(0x100_0000, 0));
    }
}
