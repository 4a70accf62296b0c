package org.rdma4j.ibsim.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricCapture;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.topology.Topologies;

class SameSeedTest {

    @Test
    void theSameSeedGivesTheSameBytes() throws IOException {
        byte[] once = capture(7);
        assertArrayEquals(once, capture(7));
        assertFalse(Arrays.equals(once, capture(8)));
        assertTrue(once.length > 1 << 20);
    }

    private static byte[] capture(long seed) throws IOException {
        Fabric fabric = new Fabric(seed);
        Topologies.build("fat-tree:4", fabric);
        fabric.bitErrors().set(fabric.node("S-leaf1").port(3), 1e-6);
        InstantSubnet.bringUp(fabric);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FabricCapture file = new FabricCapture(bytes);
                Traffic traffic = new Traffic(fabric, seed)) {
            file.watch(fabric);
            traffic.allToAll(20_000);
            assertTrue(traffic.run(1_000_000_000_000L));
        }
        return bytes.toByteArray();
    }
}
