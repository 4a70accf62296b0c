package org.rdma4j.tools.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rdma4j.tools.lab.Duel.Family;

/** RoCE v2 from the Ethernet header on, by packet sockets and by QEMU's cable, against rxe. */
@LabTest
class RawEthernetLabTest {

    /** Not a multiple of any MTU, nor of four. */
    private static final String GAME = "-c -n 40 -s 9001 -m ";

    /** Brings up the guest's third card, whose frames are datagrams to this host, with an rxe device on it. */
    private static final String THIRD_CARD = """
            [ -d /sys/class/infiniband/rxe2 ] && exit 0
            set -e
            sysctl -q -w net.ipv6.conf.eth2.accept_dad=0
            /usr/bin/ip link set eth2 mtu 4500 up
            /usr/bin/ip addr add 10.79.0.2/24 dev eth2
            /usr/bin/ip addr add fd79::2/64 dev eth2 nodad
            rdma link add rxe2 type rxe netdev eth2
            for entry in /sys/class/infiniband_verbs/uverbs*; do
              name=${entry##*/}
              [ -e /dev/infiniband/$name ] || mknod /dev/infiniband/$name c $(tr : ' ' <$entry/dev)
            done
            """;

    @ParameterizedTest
    @CsvSource({
        "IPV4, roce2eth:br0, 1024",
        "IPV4, roce2eth:br0, 4096",
        "IPV4, roce2eth:br0?address=10.77.0.99/24, 4096",
        "IPV6, roce2eth:br0?address=fd77::1, 1024",
        "IPV6, roce2eth:br0?address=fd77::99/64, 2048"
    })
    void packetSocketsPlayInBothRoles(Family family, String device, int mtu, Lab lab) {
        Duel duel = new Duel("ibv_rc_pingpong", "pingpong rc", family, "rxe0", device);
        duel.withOurClient(lab, GAME + mtu);
        duel.withOurServer(lab, GAME + mtu);
    }

    @Test
    void packetSocketsMakeLossGood(Lab lab) {
        lab.netem(1, "loss 5%");
        Duel lossy = new Duel("ibv_rc_pingpong", "pingpong rc --faults loss=5%", Family.IPV4, "rxe0", "roce2eth:br0");
        lossy.withOurClient(lab, GAME + 1024);
        lossy.withOurServer(lab, GAME + 1024);
    }

    /** QEMU and this end of its cable are ordinary processes with two UDP ports of 127.0.0.1 between them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "IPV4; roce2eth:qemu=4901,4801?address=10.79.0.1/24&mtu=4500; 4096",
                "IPV6; roce2eth:qemu=4901,4801?address=fd79::1/64&mtu=4500; 1024"
            })
    void aCableOfQemuPlaysInBothRoles(Family family, String device, int mtu, Lab lab) {
        lab.guest(1, THIRD_CARD).succeeded();
        Duel duel = new Duel("ibv_rc_pingpong", "pingpong rc", family, "rxe2", device);
        duel.withOurClient(lab, GAME + mtu);
        duel.withOurServer(lab, GAME + mtu);
    }

    /** So there is no RoCE v1 peer in the lab. */
    @Test
    void rxeHasNoRoceV1Gids(Lab lab) {
        LabResult types =
                lab.guest(1, "cat /sys/class/infiniband/rxe0/ports/1/gid_attrs/types/* 2>/dev/null | sort -u");
        assertEquals("RoCE v2", types.output().strip());
    }
}
