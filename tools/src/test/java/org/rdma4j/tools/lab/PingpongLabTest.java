package org.rdma4j.tools.lab;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.lab.Duel.Family;

/** {@code rdma4j pingpong rc} against the real ibv_rc_pingpong on rxe; with -c the server checks the data. */
@LabTest
class PingpongLabTest {

    /** Not a multiple of any MTU, nor of four. */
    private static final String GAME = "-c -n 40 -s 9001 -m ";

    private static Duel duel(Family family) {
        return new Duel("ibv_rc_pingpong", "pingpong rc", family);
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4, 256", "IPV4, 512", "IPV4, 1024", "IPV4, 2048", "IPV4, 4096",
        "IPV6, 256", "IPV6, 512", "IPV6, 1024", "IPV6, 2048", "IPV6, 4096"
    })
    void clientPlaysWithTheRealServer(Family family, int mtu, Lab lab) {
        duel(family).withOurClient(lab, GAME + mtu);
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4, 256", "IPV4, 512", "IPV4, 1024", "IPV4, 2048", "IPV4, 4096",
        "IPV6, 256", "IPV6, 512", "IPV6, 1024", "IPV6, 2048", "IPV6, 4096"
    })
    void serverPlaysWithTheRealClient(Family family, int mtu, Lab lab) {
        duel(family).withOurServer(lab, GAME + mtu);
    }

    @Test
    void lossOnBothWaysIsMadeGood(Lab lab) {
        lab.netem(1, "loss 5%");
        Duel lossy = new Duel("ibv_rc_pingpong", "pingpong rc --faults loss=5%", Family.IPV4);
        lossy.withOurClient(lab, GAME + 1024);
        lossy.withOurServer(lab, GAME + 1024);
    }

    @Test
    void eventsTakeThePlaceOfPolling(Lab lab) {
        duel(Family.IPV4).withOurClient(lab, "-e -n 40");
        duel(Family.IPV4).withOurServer(lab, "-e -n 40");
    }
}
