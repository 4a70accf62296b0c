package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.tools.ExitStatus;

/** What goes wrong between machines ends in one line that names it. */
@LabTest
class TroubleLabTest {

    private static final Duration END = Duration.ofSeconds(30);

    private static void assertOneLine(LabResult result, String... named) {
        result.endedWith(ExitStatus.FAILED);
        assertEquals(1, result.errors().lines().count(), result.toString());
        for (String part : named) {
            assertTrue(result.errors().contains(part), result.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pingpong rc", "perf write-bw"})
    void pathMtuThatTheInterfaceDoesNotCarryIsRefusedWithBothNumbers(String command, Lab lab) {
        lab.host("ip", "link", "set", "lo", "mtu", "1500", "up").succeeded();
        LabProcess server = lab.startRdma4j((command + " -d roce2:127.0.0.1 -m 1024").split(" "));
        lab.awaitHostPort(18515);
        LabResult client = lab.rdma4j((command + " -d roce2:127.0.0.2 -m 4096 127.0.0.1").split(" "));
        assertOneLine(client, "path MTU 4096", "MTU of 1500", "at most 1024");
        server.close();
    }

    @Test
    void realPeerWithAnotherPathMtuIsFoundOut(Lab lab) {
        LabProcess server = lab.startInGuest(1, "ibv_rc_pingpong -d rxe0 -g 1 -m 1024 -s 9001");
        lab.awaitPort(1, 18515);
        LabResult client =
                lab.rdma4j(("pingpong rc -d roce2:" + Lab.HOST + " -m 2048 -s 9001 " + Lab.guestAddress(1)).split(" "));
        // rxe of Linux 6.1 drops such packets in silence, that of 6.12 refuses them.
        assertOneLine(client, "1 of 1000", "the same", "-m");
        server.close();
    }

    @Test
    void hostThatIsNotThereIsNamed(Lab lab) {
        LabResult client = lab.rdma4j(("pingpong rc -d roce2:" + Lab.HOST + " 10.77.0.99").split(" "));
        assertOneLine(client, "10.77.0.99");
    }

    @Test
    void realPeerThatIsEndedIsMissed(Lab lab) {
        LabProcess server = lab.startRdma4j(("perf send-bw -D 60 -d roce2:" + Lab.HOST).split(" "));
        lab.awaitHostPort(18515);
        LabProcess client = lab.startInGuest(1, "ib_send_bw -d rxe0 -x 1 -D 60 " + Lab.HOST);
        server.awaitOutput("#bytes", END);
        client.close();
        assertOneLine(server.await(END), "the peer " + Lab.guestAddress(1) + " hung up");
    }
}
