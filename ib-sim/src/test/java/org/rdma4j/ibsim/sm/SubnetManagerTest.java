package org.rdma4j.ibsim.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.FabricCapture;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.traffic.Traffic;

/** Our own manager brings subnets up by packets, alone and as one of several. */
class SubnetManagerTest {

    private static final long SECOND = Managed.SECOND;

    @ParameterizedTest
    @ValueSource(strings = {"star:3", "fat-tree:4", "ring:5", "torus:3,3", "dragonfly:1,2,1"})
    void bringsEverySubnetUpAndAllHostsReachEachOther(String topology) {
        Managed subnet = new Managed(topology);
        SubnetManager manager = subnet.up(SmOptions.defaults());
        assertEquals(SmState.MASTER, manager.state());
        assertTrue(subnet.allActive());
        assertEquals(subnet.fabric.nodes().size(), manager.subnet().nodes().size());
        Set<Integer> lids = new HashSet<>();
        for (FoundPort port : manager.subnet().endPorts()) {
            assertTrue(lids.add(port.lid()), "LID " + port.lid() + " twice");
        }
        try (Traffic traffic = new Traffic(subnet.fabric, 1)) {
            traffic.allToAll(20_000);
            assertTrue(traffic.run(SECOND));
        }
        for (FabricRule rule : FabricRule.values()) {
            assertEquals(0, subnet.fabric.discards(rule), rule.name());
        }
    }

    @Test
    @DisplayName(
            "FAB-16 a ring with one packet's room: the fewest hops lock up, up and down goes through, and AUTO knows")
    void ringsGoUpAndDown() {
        assertFalse(shiftByTwo(RouteEngine.MIN_HOP));
        assertTrue(shiftByTwo(RouteEngine.UP_DOWN));
        assertTrue(shiftByTwo(RouteEngine.AUTO));
    }

    private static boolean shiftByTwo(RouteEngine routes) {
        Managed ring = new Managed("ring:5", 4480);
        ring.up(SmOptions.defaults().withRoutes(routes));
        try (Traffic traffic = new Traffic(ring.fabric, 6)) {
            traffic.shift(2, 1 << 22);
            boolean finished = traffic.run(SECOND);
            assertEquals(finished, traffic.creditLoop().isEmpty());
            return finished;
        }
    }

    @Test
    @DisplayName("SMP-07 of two managers the one with the higher priority is master, the other stands by")
    void priorityDecides() {
        Managed subnet = new Managed("star:3");
        SubnetManager low = subnet.start("H-1", SmOptions.defaults().withPriority(3));
        SubnetManager high = subnet.start("H-2", SmOptions.defaults().withPriority(7));
        subnet.run(3);
        assertEquals(SmState.MASTER, high.state());
        assertEquals(SmState.STANDBY, low.state());
        assertTrue(subnet.allActive());
        assertEquals(
                subnet.port("H-2").settings().lid(),
                subnet.agents.of(subnet.fabric.node("H-3")).masterLid(1));
    }

    @Test
    @DisplayName("SMP-07 of the same priority the lower GUID is master")
    void guidDecides() {
        Managed subnet = new Managed("star:3");
        SubnetManager second = subnet.start("H-2", SmOptions.defaults());
        SubnetManager first = subnet.start("H-1", SmOptions.defaults());
        subnet.run(3);
        assertTrue(Long.compareUnsigned(first.port().guid(), second.port().guid()) < 0);
        assertEquals(SmState.MASTER, first.state());
        assertEquals(SmState.STANDBY, second.state());
    }

    @Test
    @DisplayName("SMP-07 a higher priority that comes later gets the subnet handed over at the next sweep")
    void handover() {
        Managed subnet = new Managed("fat-tree:4");
        SubnetManager old = subnet.up(SmOptions.defaults().withPriority(1));
        SubnetManager late = subnet.start("H-5", SmOptions.defaults().withPriority(2));
        subnet.run(2);
        assertEquals(SmState.MASTER, old.state());
        assertEquals(SmState.STANDBY, late.state(), "a master is left where it is, whatever its rank");
        subnet.run(12);
        assertEquals(SmState.STANDBY, old.state());
        assertEquals(SmState.MASTER, late.state());
        assertTrue(late.isUp());
    }

    @Test
    @DisplayName("SMP-07 the standby asks the master and takes over when it is gone; LIDs stay, and so does traffic")
    void failover() {
        Managed subnet = new Managed("fat-tree:4");
        SubnetManager master = subnet.up(SmOptions.defaults().withPriority(5));
        SubnetManager standby = subnet.start("H-4", SmOptions.defaults());
        subnet.run(2);
        assertEquals(SmState.STANDBY, standby.state());
        int[] lids =
                subnet.ends().stream().mapToInt(end -> end.settings().lid()).toArray();
        try (Traffic traffic = new Traffic(subnet.fabric, 1)) {
            traffic.allToAll(1 << 20);
            master.stop();
            assertTrue(traffic.run(SECOND));
        }
        subnet.run(4);
        assertEquals(SmState.MASTER, standby.state());
        assertTrue(standby.isUp());
        int[] after =
                subnet.ends().stream().mapToInt(end -> end.settings().lid()).toArray();
        assertEquals(Arrays.toString(lids), Arrays.toString(after));
        assertEquals(
                subnet.port("H-4").settings().lid(),
                subnet.agents.of(subnet.fabric.node("H-1")).masterLid(1));
    }

    @Test
    @DisplayName("SMP-06 trap 128 makes the master sweep: what was pulled is led round, what was plugged comes in")
    void sweepsOnTrap() {
        Managed subnet = new Managed("fat-tree:4");
        SubnetManager manager = subnet.up(SmOptions.defaults());
        Port leaf = subnet.fabric.node("S-leaf1").port(3);
        Port spine = leaf.peer();
        subnet.fabric.disconnect(leaf);
        subnet.run(1);
        assertTrue(manager.notices(128) > 0);
        try (Traffic traffic = new Traffic(subnet.fabric, 1)) {
            traffic.allToAll(50_000);
            assertTrue(traffic.run(SECOND), "all ways lead round the cable that was pulled");
        }
        subnet.fabric.connect(leaf, spine);
        subnet.run(1);
        assertTrue(subnet.allActive());
    }

    @Test
    void lostPacketsAreAskedForAgain() {
        Managed subnet = new Managed("fat-tree:4");
        subnet.ends().forEach(end -> subnet.fabric.bitErrors().set(end, 5e-5)); // one in nine on each link
        SubnetManager manager = subnet.start("H-1", SmOptions.defaults());
        subnet.run(8);
        assertTrue(manager.isUp());
        assertTrue(subnet.fabric.discards(FabricRule.VCRC) > 0);
    }

    @Test
    void twoRunsSendTheSameBytesAtTheSameTimes() throws IOException {
        byte[] once = captureOfBringUp();
        assertArrayEquals(once, captureOfBringUp());
        assertTrue(once.length > 100_000);
    }

    private static byte[] captureOfBringUp() throws IOException {
        Managed subnet = new Managed("fat-tree:4");
        subnet.fabric.bitErrors().set(subnet.port("H-3"), 1e-5);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FabricCapture file = new FabricCapture(bytes)) {
            file.watch(subnet.fabric);
            subnet.start("H-1", SmOptions.defaults());
            subnet.start("H-4", SmOptions.defaults().withPriority(2));
            subnet.run(15);
        }
        return bytes.toByteArray();
    }
}
