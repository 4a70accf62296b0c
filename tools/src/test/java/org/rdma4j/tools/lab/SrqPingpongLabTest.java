package org.rdma4j.tools.lab;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.lab.Duel.Family;

/** {@code rdma4j pingpong srq} against the real ibv_srq_pingpong on rxe, whose receives are shared too. */
@LabTest
class SrqPingpongLabTest {

    private static Duel duel(Family family) {
        return new Duel("ibv_srq_pingpong", "pingpong srq", family);
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4, -c -n 200 -s 9001",
        "IPV4, -c -n 100 -s 4096 -q 1 -m 256",
        "IPV4, -n 200 -q 40 -r 41",
        "IPV4, -e -n 100 -q 4",
        "IPV6, -c -n 100 -s 3000 -m 4096"
    })
    void bothRolesPlayWithTheRealOne(Family family, String options, Lab lab) {
        duel(family).withOurClient(lab, options);
        duel(family).withOurServer(lab, options);
    }

    @Test
    void lossOnBothWaysIsMadeGood(Lab lab) {
        lab.netem(1, "loss 3%");
        Duel lossy = new Duel("ibv_srq_pingpong", "pingpong srq --faults loss=3%", Family.IPV4);
        lossy.withOurClient(lab, "-c -n 100 -q 4 -s 5000");
        lossy.withOurServer(lab, "-c -n 100 -q 4 -s 5000");
    }
}
