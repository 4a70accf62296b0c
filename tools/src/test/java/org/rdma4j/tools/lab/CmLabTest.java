package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.ExitStatus;

/** The examples of librdmacm against the real ones on rxe, in both roles; each ends with status 0 on both sides. */
@LabTest
class CmLabTest {

    private static final Duration END = Duration.ofSeconds(40);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String GUEST = Lab.guestAddress(1);
    private static final String LISTENING = "listening at";

    private static LabProcess serve(Lab lab, String line, String sign) {
        return lab.startRdma4j(line.split(" ")).awaitOutput(sign, END);
    }

    @ParameterizedTest
    @ValueSource(strings = {Lab.HOST, Lab.HOST_IPV6})
    void realRpingPingsOurServer(String address, Lab lab) {
        LabProcess server = serve(lab, "rping -s -v -a " + address, LISTENING);
        lab.guest(1, "rping -c -v -V -C 10 -a " + address).succeeded();
        String said = server.await(END).succeeded().output();
        assertTrue(said.contains("server ping data: rdma-ping-9: JKLM"), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.77.0.2", "fd77::2"})
    void ourRpingPingsTheRealServer(String address, Lab lab) {
        LabProcess server = lab.startInGuest(1, "rping -s -v -a " + address);
        lab.awaitCmPort(1, 7174);
        String said = lab.rdma4j(("rping -c -v -V -C 10 -a " + address).split(" "))
                .succeeded()
                .output();
        assertTrue(said.contains("ping data: rdma-ping-9: JKLM"), said);
        server.await(END);
    }

    /**
     * Each client must have had its data back. rping's client closes its event channel while its own thread may be about to
     * wait on it: now and then that thread ends the program with "Bad file descriptor", after all pings are done.
     */
    @Test
    void ourPersistentServerTakesClientAfterClient(Lab lab) {
        LabProcess server = serve(lab, "rping -s -P -a " + Lab.HOST, LISTENING);
        String ping = "{ rping -c -C 1 -v -V -a " + Lab.HOST + " >said 2>&1 || grep -q 'Bad file descriptor' said; }"
                + " && grep -q 'ping data: rdma-ping-0: ABCDEFG' said";
        String loop = "n=0; while [ $n -lt 1000 ]; do " + ping + " || { cat said; exit 1; }; n=$((n+1)); done;"
                + " echo served $n";
        LabResult clients = lab.startInGuest(1, loop).await(LONG).succeeded();
        assertTrue(clients.output().contains("served 1000"), clients::toString);
        assertTrue(server.isAlive());
        assertEquals("", server.errors());
    }

    @Test
    void theRealPersistentServerTakesOurClientAfterClient(Lab lab) {
        lab.startInGuest(1, "rping -s -P -a " + GUEST);
        lab.awaitCmPort(1, 7174);
        for (int client = 0; client < 3; client++) {
            lab.rdma4j("rping", "-c", "-C", "2", "-V", "-a", GUEST).succeeded();
        }
    }

    @Test
    void realUcmatoseConnectsAHundredTimes(Lab lab) {
        LabProcess server = serve(lab, "cmatose -c 100 -b " + Lab.HOST, "starting server");
        lab.guest(1, "ucmatose -c 100 -s " + Lab.HOST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void ourCmatoseConnectsAHundredTimes(Lab lab) {
        LabProcess server = lab.startInGuest(1, "ucmatose -c 100");
        lab.awaitCmPort(1, 7471);
        lab.rdma4j("cmatose", "-c", "100", "-s", GUEST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void realUdaddySendsToOurs(Lab lab) {
        LabProcess server = serve(lab, "udaddy -b " + Lab.HOST, "starting server");
        lab.guest(1, "udaddy -s " + Lab.HOST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void ourUdaddySendsToTheRealOne(Lab lab) {
        LabProcess server = lab.startInGuest(1, "udaddy");
        lab.awaitCmPort(1, 7174);
        lab.rdma4j("udaddy", "-s", GUEST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void realRdmaClientIsAnsweredByOurServer(Lab lab) {
        LabProcess server = serve(lab, "rdma_server -s " + Lab.HOST, "start");
        lab.guest(1, "sleep 2; rdma_client -s " + Lab.HOST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void ourRdmaClientIsAnsweredByTheRealServer(Lab lab) {
        LabProcess server = lab.startInGuest(1, "rdma_server");
        lab.awaitCmPort(1, 7471);
        lab.rdma4j("rdma_client", "-s", GUEST).succeeded();
        server.await(END).succeeded();
    }

    @Test
    void ourClientIsToldInWordsThatNobodyListens(Lab lab) {
        LabResult refused =
                lab.rdma4j("rping", "-c", "-C", "1", "-p", "4444", "-a", GUEST).endedWith(ExitStatus.FAILED);
        assertEquals(
                "rdma4j rping: 10.77.0.2 port 4444: RDMA_CM_EVENT_REJECTED, status 8"
                        + " (invalid service ID: nobody listens there)\n",
                refused.errors());
    }

    @Test
    void theRealClientIsToldThatNobodyListens(Lab lab) {
        serve(lab, "rping -s -P -a " + Lab.HOST, LISTENING);
        LabResult refused = lab.guest(1, "rping -c -C 1 -p 4444 -a " + Lab.HOST);
        assertTrue(refused.output().contains("REJECTED, error 8"), refused::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write", "read"})
    void perfMeasuresByRdmaCmWithTheRealServer(String operation, Lab lab) {
        LabProcess server = lab.startInGuest(1, "ib_" + operation + "_bw -R -d rxe0 -n 5 -s 9001");
        lab.awaitCmPort(1, 18515);
        lab.rdma4j("perf", operation + "-bw", "-R", "-n", "5", "-s", "9001", GUEST)
                .succeeded();
        server.await(END).succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write", "read"})
    void perfMeasuresByRdmaCmWithTheRealClient(String operation, Lab lab) {
        LabProcess server =
                serve(lab, "perf " + operation + "-bw -R -n 5 -s 9001 -d roce2:" + Lab.HOST, "Waiting for client");
        lab.guest(1, "ib_" + operation + "_bw -R -d rxe0 -n 5 -s 9001 " + Lab.HOST)
                .succeeded();
        server.await(END).succeeded();
    }

    @Test
    void theRealMckeyHearsOurs(Lab lab) {
        LabProcess receiver = lab.startInGuest(1, "mckey -m 239.7.7.7 -b " + GUEST + " -p 0x0111");
        lab.guest(1, "sleep 4");
        lab.rdma4j("mckey", "-s", "-m", "239.7.7.7", "-b", Lab.HOST).succeeded();
        receiver.await(END).succeeded();
    }

    @Test
    void ourMckeyHearsTheRealOne(Lab lab) {
        LabProcess receiver = serve(lab, "mckey -m 239.7.7.8 -b " + Lab.HOST, "receiving data transfers");
        lab.guest(1, "mckey -s -m 239.7.7.8 -b " + GUEST + " -p 0x0111").succeeded();
        receiver.await(END).succeeded();
    }

    @Test
    void anNvmeHostKnocksAndIsToldToStayOut(Lab lab) {
        LabProcess door = serve(lab, "door -C 1 -d roce2:" + Lab.HOST, LISTENING);
        LabResult host = lab.guest(
                1,
                "modprobe nvme-rdma 2>/dev/null; nvme connect -t rdma -a " + Lab.HOST
                        + " -s 4420 -n nqn.2026-01.org.rdma4j:none; dmesg | tail -5");
        String told = door.await(END).succeeded().output();
        assertTrue(told.contains("NVMe host: record format 0, queue 0 (admin), receive queue 32, send queue 31"), told);
        assertTrue(host.output().contains("status 28"), host::toString);
    }
}
