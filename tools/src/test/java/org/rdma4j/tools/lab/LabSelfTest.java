package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Proves the lab itself, so that a red test elsewhere is about rdma4j. */
@LabTest(guests = 2)
class LabSelfTest {

    private static final String PINGPONG = "ibv_rc_pingpong -d rxe0 -g 1 -n 100";

    @Test
    void guestHasAnActiveRxeDevice(Lab lab) {
        String devices = lab.guest(1, "ibv_devinfo -d rxe0").succeeded().output();
        assertTrue(devices.contains("PORT_ACTIVE"), devices);
        assertTrue(devices.contains("link_layer:\t\tEthernet"), devices);
    }

    @Test
    void twoGuestsPlayPingPong(Lab lab) {
        LabProcess server = lab.startInGuest(1, PINGPONG);
        lab.awaitPort(1, 18515);
        lab.guest(2, PINGPONG + " " + Lab.guestAddress(1)).succeeded();
        server.await(Duration.ofSeconds(20)).succeeded();
    }

    @Test
    void twoGuestsConnectByRdmaCm(Lab lab) {
        LabProcess server = lab.startInGuest(1, "rping -s -C 3");
        lab.awaitCmPort(1, 7174);
        lab.guest(2, "rping -c -C 3 -a " + Lab.guestAddress(1)).succeeded();
        server.await(Duration.ofSeconds(20)).succeeded();
    }

    @Test
    void statusAndOutputComeBackAsTheyAre(Lab lab) {
        LabResult result =
                lab.guest(2, "echo \"it's $(hostname)\"; printf abc; exit 9").endedWith(9);
        assertEquals("it's guest2\nabc", result.output());
    }

    @Test
    void closingEndsTheCommandInTheGuest(Lab lab) {
        LabProcess server = lab.startInGuest(1, "echo here; exec ib_send_bw -d rxe0 -x 1");
        server.awaitOutput("here", Duration.ofSeconds(20));
        server.close();
        assertFalse(server.isAlive());
        lab.guest(1, "pidof ib_send_bw").endedWith(1);
    }

    @Test
    void slowCommandFailsWithItsNameAndItsOutput(Lab lab) {
        LabProcess slow = lab.startInGuest(1, "echo before; sleep 100");
        slow.awaitOutput("before", Duration.ofSeconds(20));
        AssertionError error = assertThrows(AssertionError.class, () -> slow.await(Duration.ofMillis(10)));
        assertTrue(error.getMessage().contains("sleep 100"), error.getMessage());
        assertTrue(error.getMessage().contains("\nbefore"), error.getMessage());
    }

    @Test
    void netemHoldsUntilItIsClosed(Lab lab) {
        String show = "/usr/bin/tc qdisc show dev eth0";
        try (Lab.Netem _ = lab.netem(1, "loss 5%")) {
            assertTrue(lab.guest(1, show).succeeded().output().contains("loss 5%"));
        }
        assertFalse(lab.guest(1, show).succeeded().output().contains("netem"));
    }

    @Test
    void ownCommandRunsInsideTheNamespace(Lab lab) {
        assertTrue(lab.rdma4j("--version").succeeded().output().startsWith("rdma4j "));
        assertTrue(lab.host("ip", "addr", "show", "br0").succeeded().output().contains(Lab.HOST + "/24"));
    }
}
