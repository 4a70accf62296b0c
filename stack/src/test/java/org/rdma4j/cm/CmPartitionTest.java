package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;

/** Connections in another partition than the default one: both queue pairs are in it, or there is none. */
class CmPartitionTest {

    private static final int PARTITION = 0x8001;
    private static final int ELSEWHERE = 0x8002;

    private final LoopNetwork network = new LoopNetwork();
    private final EventChannel serverEvents = new EventChannel();
    private final EventChannel clientEvents = new EventChannel();

    /** Management datagrams carry the key of the first entry, and are taken in every partition of the table. */
    private final DeviceContext server = open(1, PARTITION, 0xFFFF);

    private final DeviceContext client = open(2, 0xFFFF, ELSEWHERE, PARTITION);

    private DeviceContext open(int host, Integer... pkeys) {
        return DeviceContext.on(
                network.join(Gid.ofIpv4(0x0A00_0000 | host)),
                DeviceOptions.defaults().withPkeys(pkeys));
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static CmEvent expect(EventChannel events, CmEventType type) throws InterruptedException {
        CmEvent event = events.getEvent(Duration.ofSeconds(20));
        assertNotNull(event, () -> "no event, waited for " + type);
        assertEquals(type, event.type(), event::toString);
        return event;
    }

    private CmId ask(PortSpace space, int pkeyIndex) throws InterruptedException {
        InetSocketAddress address = new InetSocketAddress("10.0.0.1", 7174);
        CmId listener = CmId.create(server, serverEvents, space);
        listener.bind(address);
        listener.listen(1);
        CmId active = CmId.create(client, clientEvents, space);
        active.pkeyIndex(pkeyIndex);
        active.resolveAddress(address);
        expect(clientEvents, CmEventType.ADDR_RESOLVED);
        active.resolveRoute();
        expect(clientEvents, CmEventType.ROUTE_RESOLVED);
        QpType type = space == PortSpace.UDP ? QpType.UD : QpType.RC;
        active.createQp(client.allocPd(), QpInitAttributes.of(type, client.createCq(16)));
        active.connect();
        return active;
    }

    @Test
    void bothQueuePairsAreInThePartitionThatIsAskedFor() throws InterruptedException {
        CmId active = ask(PortSpace.TCP, 2);
        CmId passive = expect(serverEvents, CmEventType.CONNECT_REQUEST).id();
        passive.createQp(server.allocPd(), QpInitAttributes.rc(server.createCq(16)));
        passive.accept();
        expect(clientEvents, CmEventType.ESTABLISHED);
        expect(serverEvents, CmEventType.ESTABLISHED);
        assertEquals(2, active.qp().query().pkeyIndex());
        assertEquals(0, passive.qp().query().pkeyIndex(), "where the server's table has it");
    }

    @Test
    void queuePairsOfDatagramsToo() throws InterruptedException {
        CmId active = ask(PortSpace.UDP, 2);
        CmId passive = expect(serverEvents, CmEventType.CONNECT_REQUEST).id();
        passive.createQp(server.allocPd(), QpInitAttributes.ud(server.createCq(16)));
        passive.accept();
        expect(clientEvents, CmEventType.ESTABLISHED);
        assertEquals(2, active.qp().query().pkeyIndex());
        assertEquals(0, passive.qp().query().pkeyIndex());
    }

    @Test
    void partitionThatTheOtherSideIsNotInIsRejected() throws InterruptedException {
        ask(PortSpace.TCP, 1);
        assertEquals(5, expect(clientEvents, CmEventType.REJECTED).status());
    }
}
