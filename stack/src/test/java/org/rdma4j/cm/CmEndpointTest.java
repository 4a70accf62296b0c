package org.rdma4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.rdma4j.link.loop.LoopNetwork;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.DeviceOptions;
import org.rdma4j.verbs.ProtectionDomain;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QpType;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.PortSpace;

/** {@code rdma_getaddrinfo} and {@code rdma_create_ep}: what name, port and hints make. */
class CmEndpointTest {

    private final LoopNetwork network = new LoopNetwork();
    private final DeviceContext server = open(1);
    private final DeviceContext client = open(2);

    private DeviceContext open(int host) {
        return DeviceContext.on(network.join(Gid.ofIpv4(0x0A00_0000 | host)), DeviceOptions.defaults());
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static CmAddressInfo info(String node, CmAddressHints hints) {
        return CmAddressInfo.lookup(node, "7471", hints).getFirst();
    }

    private static QpInitAttributes attributes(DeviceContext device, QpType type) {
        return QpInitAttributes.of(type, device.createCq(16));
    }

    private static CmException refused(String named, Runnable call) {
        CmException refusal = assertThrows(CmException.class, call::run);
        assertTrue(refusal.getMessage().contains(named), refusal.getMessage());
        return refusal;
    }

    @ParameterizedTest
    @EnumSource(
            value = QpType.class,
            names = {"RC", "UC"})
    void bothSidesNeedOneCallEachBeforeTheyConnect(QpType type) throws Exception {
        ProtectionDomain serverPd = server.allocPd();
        CmAddressHints hints = CmAddressHints.listener().withQpType(type);
        try (CmEndpoint listener =
                        CmEndpoint.create(server, info("10.0.0.1", hints), serverPd, attributes(server, type));
                CmEndpoint endpoint = CmEndpoint.create(
                        client,
                        info("10.0.0.1", CmAddressHints.active().withQpType(type)),
                        client.allocPd(),
                        attributes(client, type))) {
            listener.listen(4);
            assertNull(listener.qp());
            assertEquals(QpState.INIT, endpoint.qp().state());
            CompletableFuture<CmEndpoint> accepted = CompletableFuture.supplyAsync(() -> {
                CmEndpoint request = listener.getRequest();
                request.accept();
                return request;
            });
            endpoint.connect(ConnectionParameters.defaults());
            try (CmEndpoint request = accepted.get(20, TimeUnit.SECONDS)) {
                assertEquals(QpState.RTS, endpoint.qp().state());
                assertEquals(QpState.RTS, request.qp().state());
                assertEquals(type, request.qp().initAttributes().type());
                assertEquals(request.qp().qpNum(), endpoint.qp().query().destQpNum());
            }
        }
    }

    @Test
    void withoutADomainTheApplicationCreatesTheQueuePair() {
        try (CmEndpoint endpoint = CmEndpoint.create(client, info("10.0.0.1", CmAddressHints.active()), null, null)) {
            assertNull(endpoint.qp());
            assertNotNull(endpoint.id().createQp(client.allocPd(), attributes(client, QpType.RC)));
        }
    }

    @Test
    void listenerWithoutAttributesTakesRequestsOfItsAddressType() throws Exception {
        CmAddressInfo own = info("10.0.0.1", CmAddressHints.listener().withQpType(QpType.UC));
        CmAddressInfo peer = info("10.0.0.1", CmAddressHints.active().withQpType(QpType.UC));
        try (CmEndpoint listener = CmEndpoint.create(server, own, null, null);
                CmEndpoint endpoint =
                        CmEndpoint.create(client, peer, client.allocPd(), attributes(client, QpType.UC))) {
            listener.listen(4);
            CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
                CmEndpoint request = listener.getRequest();
                request.id().createQp(server.allocPd(), attributes(server, QpType.UC));
                request.accept();
            });
            endpoint.connect(ConnectionParameters.defaults());
            accepted.get(20, TimeUnit.SECONDS);
            assertEquals(QpState.RTS, endpoint.qp().state());
        }
    }

    @Test
    void queuePairOfDatagramsIsReadyAtOnce() {
        CmAddressInfo info = info("10.0.0.1", CmAddressHints.active().withQpType(QpType.UD));
        assertEquals(PortSpace.UDP, info.portSpace());
        try (CmEndpoint endpoint = CmEndpoint.create(client, info, client.allocPd(), attributes(client, QpType.UD))) {
            assertEquals(QpState.RTS, endpoint.qp().state());
        }
    }

    @Test
    void endpointThatCannotBeMadeLeavesNothingBehind() {
        ProtectionDomain pd = client.allocPd();
        CmAddressInfo notOurs = info("10.0.0.9", CmAddressHints.listener());
        CmException refusal = refused(
                "10.0.0.9 is no address of",
                () -> CmEndpoint.create(client, notOurs, pd, attributes(client, QpType.RC)));
        assertEquals(CmException.Errno.EADDRNOTAVAIL, refusal.errno());
        refused(
                "the address is for RC, the queue pair is UC",
                () -> CmEndpoint.create(
                        client, info("10.0.0.1", CmAddressHints.active()), pd, attributes(client, QpType.UC)));
        pd.close(); // which nothing holds
    }

    @Test
    void listenerWithoutANameTakesAnyAddressAndAnyPort() {
        CmAddressInfo any =
                CmAddressInfo.lookup(null, null, CmAddressHints.listener()).getFirst();
        assertTrue(any.passive());
        assertTrue(any.source().getAddress().isAnyLocalAddress());
        assertNull(any.destination());
        try (CmEndpoint listener = CmEndpoint.create(server, any, null, null)) {
            assertTrue(listener.id().localAddress().getPort() > 0);
        }
    }

    @Test
    void hintsComeBackInWhatIsFound() {
        InetSocketAddress own = new InetSocketAddress("10.0.0.2", 0);
        CmAddressHints hints = CmAddressHints.active()
                .withSource(own)
                .withNumericHost()
                .withFamily(CmAddressHints.Family.IPV6)
                .withPortSpace(PortSpace.IB);
        assertEquals(
                List.of(new CmAddressInfo(
                        false, QpType.RC, PortSpace.IB, own, new InetSocketAddress("fd77::1", 18515))),
                CmAddressInfo.lookup("fd77::1", "18515", hints));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 7471, localhost is not a numeric address",
        "10.0.0.1, 65536, 'a port is 0 to 65535, not 65536'",
        "10.0.0.1, http, 'by its port''s number, not as http'",
        "fd77::1, 7471, fd77::1 has no address of the family IPV4",
        ", 7471, an active side needs the name"
    })
    void whatIsNoAddressIsToldInOneLine(String node, String service, String named) {
        CmAddressHints hints = CmAddressHints.active().withNumericHost().withFamily(CmAddressHints.Family.IPV4);
        refused(named, () -> CmAddressInfo.lookup(node, service, hints));
    }

    @ParameterizedTest
    @CsvSource({"RC, UDP", "UD, TCP", "XRC_SEND, TCP", "GSI, UDP"})
    void queuePairAndPortSpaceGoTogether(QpType type, PortSpace space) {
        CmAddressHints hints = CmAddressHints.active().withQpType(type).withPortSpace(space);
        refused(type + " does not go with port space " + space, () -> info("10.0.0.1", hints));
    }
}
