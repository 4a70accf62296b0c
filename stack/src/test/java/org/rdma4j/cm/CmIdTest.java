package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.AddressHandle;
import org.rdma4j.verbs.CompletionQueue;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.Progress;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.verbs.ReceiveWorkRequest;
import org.rdma4j.verbs.SendWorkRequest;
import org.rdma4j.verbs.VerbsException;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.verbs.WrOpcode;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** Identifiers of connection management between two devices in one process. */
class CmIdTest {

    private static final int PORT = 7174;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** One device and what connections on it need. */
    private static final class End implements AutoCloseable {
        final DeviceContext device;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final EventChannel channel = new EventChannel();
        final MemoryRegion memory;

        End(LoopNetwork network, Gid gid, Progress progress) {
            device =
                    DeviceContext.on(network.join(gid), DeviceOptions.defaults().withProgress(progress));
            pd = device.allocPd();
            cq = device.createCq(64);
            memory = pd.register(Arena.ofAuto().allocate(256), AccessFlags.LOCAL_WRITE);
            manager(); // a device answers from its first identifier on
        }

        InetSocketAddress at(int port) {
            return new InetSocketAddress(device.queryGid(0).toAddress(), port);
        }

        CmId listen(PortSpace space, int backlog) {
            CmId id = CmId.create(device, channel, space);
            id.bind(at(PORT));
            id.listen(backlog);
            return id;
        }

        CmId resolved(PortSpace space, InetSocketAddress to) throws InterruptedException {
            CmId id = CmId.create(device, channel, space);
            id.resolveAddress(to);
            expect(CmEventType.ADDR_RESOLVED);
            id.resolveRoute();
            expect(CmEventType.ROUTE_RESOLVED);
            return id;
        }

        CmEvent expect(CmEventType type) throws InterruptedException {
            CmEvent event = channel.getEvent(PATIENCE);
            assertNotNull(event, () -> "no event, waited for " + type);
            assertEquals(type, event.type(), event::toString);
            return event;
        }

        QueuePair createQp(CmId id) {
            return id.createQp(pd, QpInitAttributes.rc(cq));
        }

        WorkCompletion completion() throws InterruptedException {
            WorkCompletion completion = new WorkCompletion();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!cq.poll(completion)) {
                assertTrue(System.nanoTime() < deadline, "no completion");
                Thread.onSpinWait();
            }
            return completion;
        }

        ConnectionManager manager() {
            return ConnectionManager.of(device);
        }

        @Override
        public void close() {
            device.close();
        }
    }

    private LoopNetwork network;
    private End server;
    private End client;

    @BeforeEach
    void open() {
        network = new LoopNetwork();
        server = new End(network, Gid.ofIpv4(0x0A00_0001), Progress.THREAD);
        client = new End(network, Gid.ofIpv4(0x0A00_0002), Progress.THREAD);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private CmId[] connect() throws InterruptedException {
        CmId listener = server.listen(PortSpace.TCP, 1);
        CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
        client.createQp(active);
        active.connect(ConnectionParameters.defaults()
                .withPrivateData(PrivateData.of("hello"))
                .withResources(3, 5));
        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(listener, request.listener());
        assertEquals(PrivateData.of("hello"), request.privateData().withoutFill());
        assertEquals(5, request.parameters().responderResources());
        assertEquals(3, request.parameters().initiatorDepth());
        CmId passive = request.id();
        assertEquals(active.localAddress(), passive.peerAddress());
        assertEquals(active.peerAddress(), passive.localAddress());
        server.createQp(passive);
        passive.accept(ConnectionParameters.defaults()
                .withPrivateData(PrivateData.of("welcome"))
                .withResources(4, 2));
        CmEvent established = client.expect(CmEventType.ESTABLISHED);
        assertEquals(PrivateData.of("welcome"), established.privateData().withoutFill());
        assertEquals(2, established.parameters().responderResources());
        assertEquals(4, established.parameters().initiatorDepth());
        server.expect(CmEventType.ESTABLISHED);
        return new CmId[] {active, passive, listener};
    }

    @Test
    void connectsAndCarriesData() throws InterruptedException {
        CmId[] ids = connect();
        assertEquals(QpState.RTS, ids[0].qp().state());
        assertEquals(QpState.RTS, ids[1].qp().state());
        assertEquals(4, ids[0].qp().query().maxRdAtomic());
        assertEquals(4, ids[1].qp().query().maxDestRdAtomic());
        assertEquals(2, ids[1].qp().query().maxRdAtomic());
        ids[1].qp().postReceive(new ReceiveWorkRequest().reset(1).sge(server.memory, 0, 16));
        MemorySegment word = MemorySegment.ofArray(new byte[] {1, 2, 3, 4});
        ids[0].qp()
                .postSend(new SendWorkRequest()
                        .reset(WrOpcode.SEND)
                        .inlineData(word, 0, 4)
                        .signaled());
        assertEquals(WcStatus.SUCCESS, server.completion().status());
        assertEquals(0x04030201, server.memory.memory().get(ValueLayout.JAVA_INT, 0));
        assertEquals(WcStatus.SUCCESS, client.completion().status());
    }

    @Test
    void disconnectEndsBothSidesAndFlushesTheirQueues() throws InterruptedException {
        CmId[] ids = connect();
        ids[1].qp().postReceive(new ReceiveWorkRequest().reset(9).sge(server.memory, 0, 16));
        ids[0].disconnect();
        client.expect(CmEventType.DISCONNECTED);
        assertEquals(ids[1], server.expect(CmEventType.DISCONNECTED).id());
        assertEquals(QpState.ERR, ids[0].qp().state());
        assertEquals(QpState.ERR, ids[1].qp().state());
        assertEquals(WcStatus.WR_FLUSH_ERR, server.completion().status());
        ids[1].disconnect(); // the peer was first: nothing is left to do
        assertEquals(ids[0], client.expect(CmEventType.TIMEWAIT_EXIT).id());
    }

    @Test
    void rejectsWithPrivateDataAndReasonInWords() throws InterruptedException {
        server.listen(PortSpace.TCP, 0);
        CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
        client.createQp(active);
        active.connect();
        server.expect(CmEventType.CONNECT_REQUEST).id().reject(PrivateData.of("not today"));
        CmEvent rejected = client.expect(CmEventType.REJECTED);
        assertEquals("RDMA_CM_EVENT_REJECTED, status 28 (rejected by the application)", rejected.toString());
        assertEquals(PrivateData.of("not today"), rejected.privateData().withoutFill());
    }

    @Test
    void nobodyListensIsReasonEight() throws InterruptedException {
        CmId active = client.resolved(PortSpace.TCP, server.at(1));
        client.createQp(active);
        active.connect();
        assertEquals(
                "RDMA_CM_EVENT_REJECTED, status 8 (invalid service ID: nobody listens there)",
                client.expect(CmEventType.REJECTED).toString());
    }

    @Test
    void aListenerWithoutRoomRejectsForWantOfResources() throws InterruptedException {
        server.listen(PortSpace.TCP, 1);
        for (int index = 0; index < 2; index++) {
            CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
            client.createQp(active);
            active.connect();
        }
        CmEvent rejected = client.expect(CmEventType.REJECTED);
        assertEquals(3, rejected.status());
        CmId waiting = server.expect(CmEventType.CONNECT_REQUEST).id();
        waiting.reject(PrivateData.EMPTY);
        assertEquals(28, client.expect(CmEventType.REJECTED).status());
        CmId another = client.resolved(PortSpace.TCP, server.at(PORT));
        client.createQp(another);
        another.connect();
        server.expect(CmEventType.CONNECT_REQUEST);
    }

    @Test
    void aQueuePairOfTheApplicationsOwnIsMovedByIt() throws InterruptedException {
        server.listen(PortSpace.TCP, 0);
        CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
        QueuePair own = client.pd.createQp(QpInitAttributes.rc(client.cq));
        own.modify(active.qpAttributes(QpState.INIT));
        active.connect(ConnectionParameters.defaults().withQp(own.qpNum(), false));
        CmId passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(passive);
        passive.accept();
        CmEvent response = client.expect(CmEventType.CONNECT_RESPONSE);
        assertEquals(passive.qp().qpNum(), response.parameters().qpNum());
        own.modify(active.qpAttributes(QpState.RTR));
        own.modify(active.qpAttributes(QpState.RTS));
        active.establish();
        server.expect(CmEventType.ESTABLISHED);
    }

    @Test
    void aPacketBehindTheReadyToUseIsNoEvent() throws InterruptedException {
        CmId[] ids = connect();
        ids[1].qp().postReceive(new ReceiveWorkRequest().reset(1).sge(server.memory, 0, 16));
        ids[0].qp().postSend(new SendWorkRequest().reset(WrOpcode.SEND).signaled());
        server.completion();
        assertNull(server.channel.getEvent(Duration.ofMillis(1)));
        assertNull(server.device.getAsyncEvent(Duration.ZERO));
    }

    @Test
    void resolvesWhereDatagramsGo() throws InterruptedException {
        server.listen(PortSpace.UDP, 0);
        CmId active = client.resolved(PortSpace.UDP, server.at(PORT));
        QueuePair sender = active.createQp(client.pd, QpInitAttributes.ud(client.cq));
        active.connect(ConnectionParameters.defaults().withPrivateData(PrivateData.of("where?")));
        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(PrivateData.of("where?"), request.privateData().withoutFill());
        QueuePair receiver = request.id().createQp(server.pd, QpInitAttributes.ud(server.cq));
        receiver.postReceive(new ReceiveWorkRequest().reset(1).sge(server.memory, 0, 64));
        request.id().accept(ConnectionParameters.defaults().withPrivateData(PrivateData.of("here")));
        CmEvent established = client.expect(CmEventType.ESTABLISHED);
        assertEquals(PrivateData.of("here"), established.privateData().withoutFill());
        assertEquals(receiver.qpNum(), established.datagrams().qpNum());
        AddressHandle ah = client.pd.createAh(established.datagrams().ah());
        MemorySegment word = MemorySegment.ofArray(new byte[] {1, 2, 3, 4});
        sender.postSend(new SendWorkRequest()
                .reset(WrOpcode.SEND)
                .inlineData(word, 0, 4)
                .ud(ah, established.datagrams().qpNum(), established.datagrams().qkey()));
        assertEquals(44, server.completion().byteLength());
        ah.close();
    }

    @Test
    void aServiceOfDatagramsThatNobodyOffersIsUnreachable() throws InterruptedException {
        CmId active = client.resolved(PortSpace.UDP, server.at(1));
        active.createQp(client.pd, QpInitAttributes.ud(client.cq));
        active.connect();
        assertEquals(
                "RDMA_CM_EVENT_UNREACHABLE, status 1 (service ID not supported: nobody listens there)",
                client.expect(CmEventType.UNREACHABLE).toString());
    }

    @Test
    void bothSidesMayAskAtOnce() throws InterruptedException {
        CmId left = client.resolved(PortSpace.IB, server.at(PORT));
        CmId right = server.resolved(PortSpace.IB, client.at(PORT));
        client.createQp(left);
        server.createQp(right);
        client.device.control(() -> server.device.control(() -> {
            left.connectPeer(ConnectionParameters.defaults());
            right.connectPeer(ConnectionParameters.defaults());
        }));
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        assertEquals(left.qp().qpNum(), right.qp().query().destQpNum());
        assertEquals(right.qp().qpNum(), left.qp().query().destQpNum());
        assertEquals(left.qp().query().sqPsn(), right.qp().query().rqPsn());
    }

    @ParameterizedTest
    @EnumSource(Progress.class)
    void synchronousIdentifiersWait(Progress progress) throws InterruptedException {
        try (End passive = new End(network, Gid.ofIpv4(0x0A00_0003), progress);
                End active = new End(network, Gid.ofIpv4(0x0A00_0004), progress)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CmId listener = CmId.createSync(passive.device, PortSpace.TCP);
            listener.bind(passive.at(PORT));
            listener.listen(0);
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    CmId request = listener.getRequest();
                    passive.createQp(request);
                    request.accept();
                    request.qp().postReceive(new ReceiveWorkRequest().reset(1).sge(passive.memory, 0, 16));
                    passive.completion();
                    request.disconnect();
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            CmId id = CmId.createSync(active.device, PortSpace.TCP);
            id.resolveAddress(passive.at(PORT));
            id.resolveRoute();
            active.createQp(id);
            id.connect();
            id.qp().postSend(new SendWorkRequest().reset(WrOpcode.SEND).signaled());
            active.completion();
            id.disconnect();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!thread.join(Duration.ofMillis(1))) {
                assertTrue(System.nanoTime() < deadline, "the passive side does not end");
                active.device.progress();
            }
            assertNull(failure.get());
        }
    }

    @Test
    void synchronousConnectThrowsWhatThePeerSaid() {
        CmId id = CmId.createSync(client.device, PortSpace.TCP);
        id.resolveAddress(server.at(1));
        id.resolveRoute();
        client.createQp(id);
        CmException refusal = assertThrows(CmException.class, id::connect);
        assertEquals(CmException.Errno.ECONNREFUSED, refusal.errno());
        assertTrue(refusal.getMessage().contains("invalid service ID"), refusal.getMessage());
    }

    @Test
    void refusesAddressesThatCannotBe() throws InterruptedException {
        CmId id = CmId.create(client.device, client.channel, PortSpace.TCP);
        CmException elsewhere = assertThrows(CmException.class, () -> id.bind(server.at(5)));
        assertEquals(CmException.Errno.EADDRNOTAVAIL, elsewhere.errno());
        assertTrue(elsewhere.getMessage().startsWith("10.0.0.1 is no address of loop:"), elsewhere.getMessage());
        id.resolveAddress(new InetSocketAddress("fd00::1", 5));
        CmEvent family = client.expect(CmEventType.ADDR_ERROR);
        assertTrue(family.toString().contains("no address of the family of fd00::1"), family.toString());
        CmId first = server.listen(PortSpace.TCP, 0);
        CmException taken = assertThrows(CmException.class, () -> server.listen(PortSpace.TCP, 0));
        assertEquals("TCP port 7174 of 10.0.0.1 is in use", taken.getMessage());
        server.listen(PortSpace.IB, 0);
        first.close();
        server.listen(PortSpace.TCP, 0);
    }

    @Test
    void refusesCallsOutOfTurnAndValuesOutOfRange() {
        CmId id = CmId.create(client.device, client.channel, PortSpace.TCP);
        assertEquals(
                "cannot connect an identifier that is new",
                assertThrows(CmException.class, id::connect).getMessage());
        assertEquals(
                "a type of service is 0 to 255, not 256",
                assertThrows(CmException.class, () -> id.tos(256)).getMessage());
        assertEquals(
                "an ACK timeout is 0 to 31, not -1",
                assertThrows(CmException.class, () -> id.ackTimeout(-1)).getMessage());
        id.bind(client.at(0));
        assertTrue(id.localAddress().getPort() >= 32768);
        assertThrows(CmException.class, () -> id.listen(-1));
    }

    @Test
    void refusesPrivateDataThatDoesNotFit() throws InterruptedException {
        CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
        client.createQp(active);
        CmException refusal = assertThrows(
                CmException.class,
                () -> active.connect(ConnectionParameters.defaults().withPrivateData(PrivateData.of(new byte[57]))));
        assertEquals("57 bytes of private data, the message has room for 56", refusal.getMessage());
    }

    @Test
    void whoAcceptsAsMuchAsPossibleGetsWhatWasOffered() throws InterruptedException {
        server.listen(PortSpace.TCP, 0);
        CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
        client.createQp(active);
        active.connect(ConnectionParameters.defaults().withResources(3, 5));
        CmId passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(passive);
        passive.accept(ConnectionParameters.defaults());
        client.expect(CmEventType.ESTABLISHED);
        assertEquals(3, passive.qp().query().maxRdAtomic());
        assertEquals(5, passive.qp().query().maxDestRdAtomic());
    }

    @Test
    void synchronousConnectWithAQueuePairOfTheApplicationsOwnEndsWithTheReply() throws InterruptedException {
        server.listen(PortSpace.TCP, 0);
        CmId active = CmId.createSync(client.device, PortSpace.TCP);
        active.resolveAddress(server.at(PORT));
        active.resolveRoute();
        QueuePair own = client.pd.createQp(QpInitAttributes.rc(client.cq));
        own.modify(active.qpAttributes(QpState.INIT));
        Thread accepting = Thread.ofPlatform().start(() -> {
            try {
                CmId passive = server.expect(CmEventType.CONNECT_REQUEST).id();
                server.createQp(passive);
                passive.accept();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        active.connect(ConnectionParameters.defaults().withQp(own.qpNum(), false));
        accepting.join();
        own.modify(active.qpAttributes(QpState.RTR));
        own.modify(active.qpAttributes(QpState.RTS));
        active.establish();
        server.expect(CmEventType.ESTABLISHED);
    }

    @Test
    void twoMayHaveOneAddressWhereBothSayThatTheyShare() {
        CmId first = CmId.create(client.device, client.channel, PortSpace.TCP);
        CmId second = CmId.create(client.device, client.channel, PortSpace.TCP);
        first.reuseAddress(true);
        first.bind(client.at(PORT));
        assertThrows(CmException.class, () -> second.bind(client.at(PORT)));
        second.reuseAddress(true);
        second.bind(client.at(PORT));
        assertEquals(first.localAddress(), second.localAddress());
    }

    @Test
    void destroyedQueuePairIsTheIdentifiersNoMore() throws InterruptedException {
        CmId id = client.resolved(PortSpace.TCP, server.at(PORT));
        QueuePair qp = client.createQp(id);
        id.destroyQp();
        id.destroyQp();
        assertNull(id.qp());
        assertThrows(VerbsException.class, () -> qp.modify(new QpAttributes().state(QpState.RESET)));
        client.createQp(id);
    }

    @Test
    void anIdentifierTakesItsEventsToAnotherChannel() throws InterruptedException {
        CmId active = CmId.create(client.device, client.channel, PortSpace.TCP);
        active.resolveAddress(server.at(PORT));
        EventChannel other = new EventChannel();
        active.migrate(other);
        assertEquals(CmEventType.ADDR_RESOLVED, other.getEvent(PATIENCE).type());
        active.resolveRoute();
        assertEquals(CmEventType.ROUTE_RESOLVED, other.getEvent(PATIENCE).type());
        assertNull(client.channel.getEvent(Duration.ZERO));
    }

    @Test
    void aCallbackThatThrowsEndsNothing() throws InterruptedException {
        server.channel.onReady(() -> {
            throw new IllegalStateException("on purpose");
        });
        CmId[] ids = connect();
        ids[0].disconnect();
        client.expect(CmEventType.DISCONNECTED);
        server.expect(CmEventType.DISCONNECTED);
    }

    @Test
    void closingAnIdentifierEndsItsConnection() throws InterruptedException {
        CmId[] ids = connect();
        ids[1].close();
        client.expect(CmEventType.DISCONNECTED);
    }

    @Test
    void connectionsMadeAndClosedLeaveNothingBehind() throws InterruptedException {
        CmId listener = server.listen(PortSpace.TCP, 0);
        for (int round = 0; round < 1000; round++) {
            CmId active = client.resolved(PortSpace.TCP, server.at(PORT));
            active.ackTimeout(1);
            client.createQp(active);
            active.connect();
            CmId passive = server.expect(CmEventType.CONNECT_REQUEST).id();
            server.createQp(passive);
            passive.accept();
            client.expect(CmEventType.ESTABLISHED);
            server.expect(CmEventType.ESTABLISHED);
            active.disconnect();
            client.expect(CmEventType.DISCONNECTED);
            server.expect(CmEventType.DISCONNECTED);
            active.close();
            passive.close();
        }
        listener.close();
        for (End end : new End[] {client, server}) {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            int[] left = {1};
            while (left[0] > 0 && System.nanoTime() < deadline) {
                end.device.control(() -> left[0] = end.manager().machine().remembered()
                        + end.manager().ports().size());
            }
            assertEquals(0, left[0], "connections, names, deadlines and ports");
        }
    }
}
