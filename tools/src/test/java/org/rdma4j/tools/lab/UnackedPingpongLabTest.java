package org.rdma4j.tools.lab;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.lab.Duel.Family;

/** {@code rdma4j pingpong uc} and {@code ud} against the real ones on rxe; with -c the server checks the data. */
@LabTest
class UnackedPingpongLabTest {

    @ParameterizedTest
    @CsvSource({
        "IPV4, -c -n 40 -s 9001 -m 256",
        "IPV4, -c -n 40 -s 9001 -m 512",
        "IPV4, -c -n 40 -s 9001 -m 1024",
        "IPV4, -c -n 40 -s 9001 -m 2048",
        "IPV4, -c -n 40 -s 9001 -m 4096",
        "IPV4, -e -n 40",
        "IPV6, -c -n 40 -s 9001 -m 256",
        "IPV6, -c -n 40 -s 9001 -m 1024",
        "IPV6, -c -n 40 -s 9001 -m 4096"
    })
    void unreliableConnections(Family family, String options, Lab lab) {
        Duel duel = new Duel("ibv_uc_pingpong", "pingpong uc", family);
        duel.withOurClient(lab, options);
        duel.withOurServer(lab, options);
    }

    @ParameterizedTest
    @CsvSource({
        "IPV4, -c -n 40",
        "IPV4, -c -n 40 -s 1",
        "IPV4, -c -n 40 -s 4096",
        "IPV4, -e -n 40",
        "IPV6, -c -n 40",
        "IPV6, -c -n 40 -s 4096"
    })
    void datagrams(Family family, String options, Lab lab) {
        Duel duel = new Duel("ibv_ud_pingpong", "pingpong ud", family);
        duel.withOurClient(lab, options);
        duel.withOurServer(lab, options);
    }
}
