package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** iWARP against Linux' siw: programs of librdmacm and perftest, in both roles; each ends with status 0 on both sides. */
@LabTest
class IwarpLabTest {

    private static final Duration END = Duration.ofSeconds(40);
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

    @Test
    void ourRpingPingsSiws(Lab lab) {
        ourRping(lab, DEVICE);
    }

    @Test
    void siwsRpingPingsOurs(Lab lab) {
        realRping(lab, DEVICE);
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
        LabProcess server = serve(lab, "cmatose -c 5 -d " + DEVICE, "starting server");
        lab.awaitHostPort(7471);
        lab.guest(1, "ucmatose -c 5 -s " + HOST).succeeded();
        server.await(END).succeeded();
    }

    /** Here siw's side sends first, before we have sent a FPDU at all. */
    @Test
    void siwsUcmatoseServerSpeaksFirstToOurClient(Lab lab) {
        LabProcess server = serveInGuest(lab, "ucmatose -c 5", 7471);
        lab.rdma4j("cmatose", "-c", "5", "-d", DEVICE, "-s", GUEST).succeeded();
        server.await(END).succeeded();
    }

    // perftest.

    @ParameterizedTest
    @ValueSource(strings = {"write-bw", "read-bw", "send-lat"})
    void perfMeasuresWithSiwsServer(String test, Lab lab) {
        LabProcess server = serveInGuest(lab, real(test), 18515);
        assertMeasured(lab.rdma4j(ours(test, GUEST)).succeeded());
        server.await(END).succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"write-bw", "read-bw", "send-lat", "write-lat"})
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
}
