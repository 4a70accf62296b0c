package org.rdma4j.ibsim.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Vcrc;

class TrafficTest {

    private static final long SECOND = 1_000_000_000_000L;

    private static Fabric fabric(String topology, long seed) {
        Fabric fabric = new Fabric(seed);
        Topologies.build(topology, fabric);
        InstantSubnet.bringUp(fabric);
        return fabric;
    }

    @ParameterizedTest
    @ValueSource(strings = {"star:3", "fat-tree:4", "dragonfly:1,2,1"})
    void everyPairMovesItsData(String topology) {
        Fabric fabric = fabric(topology, 1);
        try (Traffic traffic = new Traffic(fabric, 1)) {
            traffic.allToAll(100_000);
            assertTrue(traffic.run(SECOND));
            for (FabricRule rule : FabricRule.values()) {
                assertEquals(0, fabric.discards(rule), rule.name());
            }
        }
    }

    @Test
    void bitErrorsCostTimeAndNothingElse() {
        Fabric fabric = fabric("star:2", 2);
        fabric.bitErrors().set(fabric.node("H-1").port(1), 1e-6);
        try (Traffic traffic = new Traffic(fabric, 2)) {
            traffic.allToAll(1 << 22);
            assertTrue(traffic.run(SECOND));
            long bad = fabric.node("S-1").port(1).counters().symbolErrors;
            assertTrue(bad > 0);
            assertEquals(bad, fabric.discards(FabricRule.VCRC));
        }
    }

    @Test
    @DisplayName(
            "CRC-10 a packet with a wrong ICRC under a right VCRC is dropped by the host that it comes to, and sent again")
    void wrongIcrc() {
        Fabric fabric = fabric("star:2", 4);
        boolean[] damaged = new boolean[1];
        fabric.node("S-1").port(2).tap((port, packet, now) -> {
            if (!damaged[0] && packet.length() > 1000) {
                int covered = packet.length() - Vcrc.LENGTH;
                packet.bytes()
                        .set(NetworkOrder.BYTE, 500, (byte) ~packet.bytes().get(NetworkOrder.BYTE, 500));
                Vcrc.write(packet.bytes(), covered, Vcrc.of(packet.bytes(), 0, covered));
                damaged[0] = true;
            }
        });
        try (Traffic traffic = new Traffic(fabric, 4)) {
            traffic.allToAll(100_000);
            assertTrue(traffic.run(SECOND));
            assertEquals(1, traffic.icrcErrors());
            assertEquals(0, fabric.discards(FabricRule.VCRC));
        }
    }

    @Test
    void aRingAllReducePassesEachPartRound() {
        Fabric fabric = fabric("fat-tree:4", 3);
        try (Traffic traffic = new Traffic(fabric, 3)) {
            traffic.ringAllReduce(1 << 20);
            assertTrue(traffic.run(SECOND));
        }
        long words = 0;
        for (Node node : fabric.nodes()) {
            if (node.name().startsWith("H-")) {
                words += node.port(1).counters().xmitData;
            }
        }
        assertTrue(words * 4 > 14 * (1 << 20) && words * 4 < 15 * (1 << 20), words * 4 + " bytes");
    }
}
