package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.ExitStatus;

/** iWARP against Linux' siw: programs of librdmacm and perftest, in both roles; each ends with status 0 on both sides. */
@LabTest
class IwarpLabTest {

    private static final Duration END = Duration.ofSeconds(40);
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String HOST = Lab.SIW_HOST;
    private static final String GUEST = Lab.siwAddress(1);
    private static final String DEVICE = "iwarp:" + HOST;
    private static final String LISTENING = "listening at";

    /** Several FPDUs a message, and another size on the last one. */
    private static final String MESSAGES = " -n 20 -s 9001";

    private static LabProcess serve(Lab lab, String line, String sign) {
        return lab.startRdma4j(line.split(" ")).awaitOutput(sign, END);
    }

    private static LabProcess serveInGuest(Lab lab, String line, int port) {
        LabProcess server = lab.startInGuest(1, line);
        lab.awaitCmPort(1, port);
        return server;
    }

    // The programs of librdmacm.

    private static void realRping(Lab lab, String device) {
        LabProcess server = serve(lab, "rping -s -v -S 5000 -d " + device, LISTENING);
        lab.guest(1, "rping -c -v -V -C 10 -S 5000 -a " + HOST).succeeded();
        String said = server.await(END).succeeded().output();
        assertTrue(said.contains("server ping data: rdma-ping-9: JKLM"), said);
    }

    private static void ourRping(Lab lab, String device) {
        LabProcess server = serveInGuest(lab, "rping -s -v -S 5000 -a " + GUEST, 7174);
        String said = lab.rdma4j(("rping -c -v -V -C 10 -S 5000 -a " + GUEST + " -d " + device).split(" "))
                .succeeded()
                .output();
        assertTrue(said.contains("ping data: rdma-ping-9: JKLM"), said);
        server.await(END);
    }

    /** siw takes what the side that asks wants of MPA; not markers, and without MPA's second revision no READ. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?crc=on", "?crc=siw", "?p2p=on"})
    void ourRpingPingsSiw(String options, Lab lab) {
        ourRping(lab, DEVICE + options);
    }

    @Test
    void siwsRpingPingsOurs(Lab lab) {
        realRping(lab, DEVICE);
    }

    @Test
    void siwSendsNoMarkersAndRejectsWhoAsksForThem(Lab lab) {
        serveInGuest(lab, "rping -s -a " + GUEST, 7174);
        LabResult refused = lab.rdma4j(("rping -c -C 1 -a " + GUEST + " -d " + DEVICE + "?markers=on").split(" "))
                .endedWith(ExitStatus.FAILED);
        assertTrue(refused.errors().contains("RDMA_CM_EVENT_REJECTED, status -111"), refused::errors);
    }

    @Test
    void siwsRdmaClientIsAnsweredByOurServer(Lab lab) {
        LabProcess server = serve(lab, "rdma_server -d " + DEVICE, "start");
        lab.awaitHostPort(7471);
        lab.guest(1, "rdma_client -s " + HOST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void ourRdmaClientIsAnsweredBySiwsServer(Lab lab) {
        LabProcess server = serveInGuest(lab, "rdma_server", 7471);
        lab.rdma4j("rdma_client", "-d", DEVICE, "-s", GUEST).succeeded();
        server.await(END).succeeded();
    }

    /** ucmatose's server sends first, 10 messages, and its client only answers. */
    @Test
    void ourCmatoseServerSpeaksFirstToSiwsClient(Lab lab) {
        LabProcess server = serve(lab, "cmatose -c 20 -d " + DEVICE, "starting server");
        lab.awaitHostPort(7471);
        lab.guest(1, "ucmatose -c 20 -s " + HOST).succeeded();
        server.await(END).succeeded();
    }

    /** Here siw's side sends first, before we have sent a FPDU at all; our trace says so. */
    @Test
    void siwsUcmatoseServerSpeaksFirstToOurClient(Lab lab, @TempDir Path folder) {
        String trace = folder.resolve("ucmatose.pcapng").toString();
        LabProcess server = serveInGuest(lab, "ucmatose -c 20", 7471);
        lab.rdma4j("cmatose", "-c", "20", "-d", DEVICE, "-s", GUEST, "--trace", trace)
                .succeeded();
        server.await(END).succeeded();
        LabResult told = lab.rdma4j("decode", "--findings", trace).succeeded();
        long outOfTurn = told.output()
                .lines()
                .filter(line -> line.contains(GUEST + ":7471 was asked for the connection and sends first"))
                .count();
        assertEquals(20, outOfTurn, told::output);
    }

    @Test
    void ourClientIsToldThatNobodyListens(Lab lab) {
        LabResult refused = lab.rdma4j(("rping -c -C 1 -p 4444 -a " + GUEST + " -d " + DEVICE).split(" "))
                .endedWith(ExitStatus.FAILED);
        assertEquals(
                "rdma4j rping: " + GUEST + " port 4444: RDMA_CM_EVENT_REJECTED, status -111 (nobody listens there)\n",
                refused.errors());
    }

    @Test
    void siwsClientIsToldThatNobodyListens(Lab lab) {
        LabProcess refused = lab.startInGuest(1, "rping -c -C 1 -p 4444 -a " + HOST);
        refused.awaitOutput("rdma_connect: Connection refused", END).close(); // it does not end by itself then
    }

    // perftest.

    @ParameterizedTest
    @ValueSource(strings = {"send-bw", "write-bw", "read-bw", "send-lat", "write-lat"})
    void perfMeasuresWithSiwsServer(String test, Lab lab) {
        LabProcess server = serveInGuest(lab, real(test), 18515);
        assertMeasured(lab.rdma4j(ours(test, GUEST)).succeeded());
        server.await(END).succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-bw", "write-bw", "read-bw", "send-lat", "write-lat"})
    void perfMeasuresWithSiwsClient(String test, Lab lab) {
        LabProcess server = serve(lab, String.join(" ", ours(test, "")).strip(), "Waiting for client");
        lab.awaitHostPort(18515);
        assertMeasured(lab.guest(1, real(test) + " " + HOST).succeeded());
        server.await(END).succeeded();
    }

    private static String real(String test) {
        return "ib_" + test.replace('-', '_') + " -R -d siw0" + MESSAGES;
    }

    private static String[] ours(String test, String host) {
        return ("perf " + test + " -R -d " + DEVICE + MESSAGES + " " + host)
                .strip()
                .split(" ");
    }

    private static void assertMeasured(LabResult result) {
        assertTrue(
                result.output().lines().anyMatch(line -> line.matches(" 9001 +20 .*\\d\\.\\d\\d.*")),
                result.toString());
    }

    // A bad network: TCP makes it good.

    @ParameterizedTest
    @ValueSource(strings = {"loss 1%", "delay 2ms reorder 25%", "duplicate 10%"})
    void aBadNetworkIsMadeGood(String weather, Lab lab) {
        lab.netemSiw(1, weather);
        realRping(lab, DEVICE);
        ourRping(lab, DEVICE);
        perfMeasuresWithSiwsServer("write-bw", lab);
        perfMeasuresWithSiwsServer("read-bw", lab);
        perfMeasuresWithSiwsClient("send-bw", lab);
    }

    // Many.

    /** rping's client ends now and then with "Bad file descriptor" after all pings are done, as with rxe. */
    @Test
    void ourServerTakesFiveHundredConnectionsInARow(Lab lab) {
        LabProcess server = serve(lab, "rping -s -P -d " + DEVICE, LISTENING);
        String loop = "n=0; while [ $n -lt 500 ]; do rping -c -C 1 -V -a " + HOST
                + " >said 2>&1 || grep -q 'Bad file descriptor' said || { cat said; exit 1; }; n=$((n+1)); done;"
                + " echo served $n";
        LabResult clients = lab.startInGuest(1, loop).await(LONG).succeeded();
        assertTrue(clients.output().contains("served 500"), clients::toString);
        assertTrue(server.isAlive());
        assertEquals("", server.errors());
    }
}
