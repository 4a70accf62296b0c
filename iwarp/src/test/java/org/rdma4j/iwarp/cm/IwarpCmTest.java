package org.rdma4j.iwarp.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.cm.CmEvent;
import org.rdma4j.cm.CmEventType;
import org.rdma4j.cm.CmException;
import org.rdma4j.cm.CmId;
import org.rdma4j.cm.ConnectionParameters;
import org.rdma4j.iwarp.IwarpConnections;
import org.rdma4j.iwarp.mpa.MpaRefusal;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.verbs.WcOpcode;
import org.rdma4j.verbs.WcStatus;
import org.rdma4j.verbs.WorkCompletion;
import org.rdma4j.wire.PortSpace;
import org.rdma4j.wire.PrivateData;

/** Identifiers of connection management between two iWARP devices of one process, over TCP on loopback. */
class IwarpCmTest {

    private CmSide server;
    private CmSide client;

    @BeforeEach
    void open() {
        server = new CmSide("127.0.0.1");
        client = new CmSide("127.0.0.2");
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private record Pair(CmId active, CmId passive) {}

    /** A connection that stands on both sides. */
    private Pair connect() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.ready(listener.localAddress());
        active.connect();
        CmId passive = accept();
        server.expect(CmEventType.ESTABLISHED);
        client.expect(CmEventType.ESTABLISHED);
        return new Pair(active, passive);
    }

    /** Takes the next request. */
    private CmId accept() throws InterruptedException {
        CmId passive = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(passive);
        passive.accept();
        return passive;
    }

    // Connections.

    @Test
    void privateDataAndDepthsGoBothWays() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.ready(listener.localAddress());
        active.connect(ConnectionParameters.defaults()
                .withPrivateData(PrivateData.of("hello"))
                .withResources(3, 5));

        CmEvent request = server.expect(CmEventType.CONNECT_REQUEST);
        assertEquals(listener, request.listener());
        assertEquals(PrivateData.of("hello"), request.privateData());
        assertEquals(5, request.parameters().responderResources(), "its ORD is what is to be taken");
        assertEquals(3, request.parameters().initiatorDepth(), "its IRD is what may be outstanding");
        assertEquals(active.localAddress(), request.id().peerAddress());
        assertEquals(listener.localAddress(), request.id().localAddress());

        server.createQp(request.id());
        request.id()
                .accept(ConnectionParameters.defaults()
                        .withPrivateData(PrivateData.of("welcome"))
                        .withResources(5, 2));
        assertEquals(PrivateData.EMPTY, server.expect(CmEventType.ESTABLISHED).privateData());
        CmEvent established = client.expect(CmEventType.ESTABLISHED);
        assertEquals(PrivateData.of("welcome"), established.privateData());
        assertEquals(5, established.parameters().initiatorDepth());
        assertEquals(QpState.RTS, active.qp().state());
        assertEquals(QpState.RTS, request.id().qp().state());
    }

    @Test
    void messagesCrossAndTheEndIsToldToBothSides() throws InterruptedException {
        Pair pair = connect();
        server.receive(pair.passive().qp());
        client.send(pair.active().qp(), 100);
        assertEquals(WcStatus.SUCCESS, client.completion().status());
        WorkCompletion received = server.completion();
        assertEquals(WcOpcode.RECV, received.opcode());
        assertEquals(100, received.byteLength());

        server.receive(pair.passive().qp());
        pair.active().disconnect();
        assertEquals(0, client.expect(CmEventType.DISCONNECTED).status());
        assertEquals(0, server.expect(CmEventType.DISCONNECTED).status());
        assertEquals(WcStatus.WR_FLUSH_ERR, server.completion().status());
        assertEquals(QpState.ERR, pair.active().qp().state());
        assertEquals(QpState.ERR, pair.passive().qp().state());
        pair.passive().disconnect(); // the peer has ended it: nothing more happens
        server.expectNothing();
    }

    @Test
    void theSideThatWasAskedMaySendFirst() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.ready(listener.localAddress());
        client.receive(active.qp());
        active.connect();
        server.send(accept().qp(), 10);
        assertEquals(10, client.completion().byteLength());
    }

    @Test
    void whereItShallNotSendFirstItWaitsForTheFirstMessage() throws InterruptedException {
        CmId listener = server.bound(0);
        listener.speaksFirst(false);
        listener.listen(1);
        CmId active = client.ready(listener.localAddress());
        client.receive(active.qp());
        active.connect();
        CmId passive = accept();
        server.receive(passive.qp());
        server.send(passive.qp(), 10);
        server.expect(CmEventType.ESTABLISHED);
        client.expect(CmEventType.ESTABLISHED);
        server.leap(Duration.ofSeconds(1)); // ten times what a side that speaks first would wait
        client.ready(listener.localAddress()).connect();
        accept(); // so the server has looked at its clock
        client.expect(CmEventType.ESTABLISHED);
        assertFalse(server.cq.poll(new WorkCompletion()), "it has sent first");

        client.send(active.qp(), 20);
        assertEquals(20, server.completion().byteLength());
        assertEquals(WcStatus.SUCCESS, client.completion().status());
        assertEquals(WcStatus.SUCCESS, client.completion().status());
    }

    /** RFC 6581: a message of no bytes starts it, so nobody has to wait for one of the application's. */
    @Test
    void aPeerToPeerConnectionLetsEitherSideBeFirst() throws InterruptedException {
        try (CmSide asking = new CmSide("127.0.0.3?p2p=on")) {
            CmId listener = server.bound(0);
            listener.speaksFirst(false);
            listener.listen(1);
            CmId active = asking.ready(listener.localAddress());
            asking.receive(active.qp());
            active.connect();
            server.send(accept().qp(), 10);
            assertEquals(10, asking.completion().byteLength());
            server.expect(CmEventType.ESTABLISHED);
        }
    }

    @Test
    void aSynchronousIdentifierWaits() throws InterruptedException {
        try (CmId listener = CmId.createSync(server.device, PortSpace.TCP)) {
            listener.bind(server.at(0));
            listener.listen(1);
            AtomicReference<RuntimeException> trouble = new AtomicReference<>();
            Thread serving = Thread.ofVirtual().start(() -> {
                try (CmId id = listener.getRequest()) {
                    server.createQp(id);
                    server.receive(id.qp());
                    id.accept();
                    server.completion();
                } catch (RuntimeException e) {
                    trouble.set(e);
                }
            });
            try (CmId id = CmId.createSync(client.device, PortSpace.TCP)) {
                id.resolveAddress(listener.localAddress());
                id.resolveRoute();
                client.createQp(id);
                id.connect();
                client.send(id.qp(), 16);
                assertEquals(WcStatus.SUCCESS, client.completion().status());
                id.disconnect();
            }
            serving.join();
            assertEquals(null, trouble.get());
        }
    }

    // Refusals.

    @Test
    void theApplicationsRejectionComesWithItsPrivateData() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.ready(listener.localAddress());
        active.connect();
        server.expect(CmEventType.CONNECT_REQUEST).id().reject(PrivateData.of("go away"));
        CmEvent rejected = client.expect(CmEventType.REJECTED);
        assertEquals(CmException.Errno.ECONNREFUSED.status(), rejected.status());
        assertEquals(PrivateData.of("go away"), rejected.privateData());
        server.expectNothing();
    }

    @Test
    void whereNobodyListensTheConnectionIsRejected() throws InterruptedException {
        CmId unused = server.bound(0);
        CmId active = client.ready(unused.localAddress());
        active.connect();
        assertEquals(
                "RDMA_CM_EVENT_REJECTED, status -111 (nobody listens there)",
                client.expect(CmEventType.REJECTED).toString());
    }

    @Test
    void whoDoesNotAnswerIsUnreachable() throws InterruptedException, IOException {
        IwarpConnections iwarp = client.device.family(IwarpConnections.class).orElseThrow();
        client.device.control(() -> iwarp.settings(iwarp.settings().withTimeouts(1_000_000_000L, 100_000_000L)));
        try (ServerSocket silent = new ServerSocket(0, 1, server.at(0).getAddress())) {
            CmId active = client.ready(server.at(silent.getLocalPort()));
            active.connect();
            assertEquals(
                    CmException.Errno.ETIMEDOUT.status(),
                    client.expect(CmEventType.UNREACHABLE).status());
        }
    }

    @Test
    void whoHangsUpInsteadOfAnsweringRejects() throws InterruptedException, IOException {
        try (ServerSocket rude = new ServerSocket(0, 1, server.at(0).getAddress())) {
            CmId active = client.ready(server.at(rude.getLocalPort()));
            active.connect();
            try (Socket taken = rude.accept()) {
                assertTrue(taken.getInputStream().read() >= 0);
            }
            assertEquals(
                    CmException.Errno.ECONNRESET.status(),
                    client.expect(CmEventType.REJECTED).status());
        }
    }

    @Test
    void oneRequestMoreThanTheBacklogIsRejected() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId first = client.ready(listener.localAddress());
        first.connect();
        CmId waiting = server.expect(CmEventType.CONNECT_REQUEST).id();
        CmId second = client.ready(listener.localAddress());
        second.connect();
        assertEquals(second, client.expect(CmEventType.REJECTED).id());

        server.createQp(waiting);
        waiting.accept();
        assertEquals(first, client.expect(CmEventType.ESTABLISHED).id());
    }

    @Test
    void aListenerThatIsClosedRejectsWhatWaits() throws InterruptedException {
        CmId listener = server.listen(4);
        CmId active = client.ready(listener.localAddress());
        active.connect();
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        listener.close();
        request.close();
        client.expect(CmEventType.REJECTED);
    }

    @Test
    void whoSpeaksNoMpaIsCountedAndDisturbsNobody() throws InterruptedException, IOException {
        CmId listener = server.listen(1);
        try (Socket browser = new Socket()) {
            browser.connect(listener.localAddress());
            browser.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals(-1, browser.getInputStream().read(), "it is hung up on");
        }
        IwarpConnections iwarp = server.device.family(IwarpConnections.class).orElseThrow();
        long[] counted = new long[1];
        server.device.control(() -> counted[0] = iwarp.refusals(MpaRefusal.NOT_MPA));
        assertEquals(1, counted[0]);
        server.expectNothing();

        CmId active = client.ready(listener.localAddress());
        active.connect();
        server.expect(CmEventType.CONNECT_REQUEST);
    }

    // Addresses.

    @Test
    void aPortBelongsToOneIdentifier() {
        CmId first = server.bound(0);
        int port = first.localAddress().getPort();
        assertTrue(port > 0);
        CmException taken = assertThrows(CmException.class, () -> server.bound(port));
        assertEquals(CmException.Errno.EADDRINUSE, taken.errno());
        first.close();
        server.bound(port).close();
    }

    @Test
    void identifiersThatBothSaySoShareAPort() {
        CmId first = CmId.create(server.device, server.channel, PortSpace.TCP);
        first.reuseAddress(true);
        first.bind(server.at(0));
        CmId second = CmId.create(server.device, server.channel, PortSpace.TCP);
        second.reuseAddress(true);
        second.bind(first.localAddress());
        assertEquals(first.localAddress(), second.localAddress());
        first.listen(1);
        CmId third = CmId.create(server.device, server.channel, PortSpace.TCP);
        third.reuseAddress(true);
        assertThrows(CmException.class, () -> third.bind(first.localAddress()), "someone listens there");
    }

    @Test
    void aPortOfAnotherProgramIsTaken() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, server.at(0).getAddress())) {
            CmException taken = assertThrows(CmException.class, () -> server.bound(other.getLocalPort()));
            assertEquals(CmException.Errno.EADDRINUSE, taken.errno());
            assertTrue(taken.getMessage().contains("port " + other.getLocalPort() + " of 127.0.0.1"), taken::toString);
        }
    }

    @Test
    void onlyTheDevicesOwnAddressCanBeBoundTo() {
        CmId id = CmId.create(server.device, server.channel, PortSpace.TCP);
        CmException foreign = assertThrows(CmException.class, () -> id.bind(new InetSocketAddress("127.0.0.9", 0)));
        assertEquals(CmException.Errno.EADDRNOTAVAIL, foreign.errno());
        assertEquals("127.0.0.9 is no address of iwarp:127.0.0.1", foreign.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "239.1.2.3", "0.0.0.0"})
    void addressesThatCannotBeConnectedToAreNotResolved(String address) throws InterruptedException {
        CmId id = CmId.create(client.device, client.channel, PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(address, 1));
        assertTrue(client.expect(CmEventType.ADDR_ERROR).status() < 0);
    }

    @Test
    void anAddressThatIsBoundToStays() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.bound(0);
        InetSocketAddress own = active.localAddress();
        active.resolveAddress(listener.localAddress());
        client.expect(CmEventType.ADDR_RESOLVED);
        active.resolveRoute();
        client.expect(CmEventType.ROUTE_RESOLVED);
        client.createQp(active);
        active.connect();
        assertEquals(own, server.expect(CmEventType.CONNECT_REQUEST).id().peerAddress());
    }

    // What iWARP has not.

    @Test
    void thereAreNoDatagrams() {
        CmException none =
                assertThrows(CmException.class, () -> CmId.create(server.device, server.channel, PortSpace.UDP));
        assertEquals(
                "iwarp:127.0.0.1 has no port space UDP: iWARP connects over TCP and has nothing else",
                none.getMessage());
    }

    @Test
    void thereIsOneTypeOfConnection() {
        CmId id = server.bound(0);
        assertEquals(
                "iwarp:127.0.0.1 has no connections of type UC, only RC",
                assertThrows(CmException.class, () -> id.listen(1, QpType.UC)).getMessage());
    }

    @Test
    void privateDataThatDoesNotFitIsNamed() throws InterruptedException {
        CmId listener = server.listen(1);
        CmId active = client.ready(listener.localAddress());
        ConnectionParameters tooMuch = ConnectionParameters.defaults().withPrivateData(PrivateData.of(new byte[509]));
        assertEquals(
                "509 bytes of private data, the message has room for 508",
                assertThrows(CmException.class, () -> active.connect(tooMuch)).getMessage());
    }
}
