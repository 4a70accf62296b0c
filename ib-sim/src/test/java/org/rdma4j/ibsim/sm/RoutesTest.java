package org.rdma4j.ibsim.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {

    private static FoundSubnet found(String topology) {
        return new Managed(topology).up(SmOptions.defaults()).subnet();
    }

    private static void assertAllReached(FoundSubnet subnet, Routes routes, String what) {
        List<FoundPort> ends = subnet.endPorts();
        for (FoundPort from : ends) {
            for (FoundPort to : ends) {
                assertNotNull(routes.way(from, to.lid()), what + ": from " + from + " to " + to);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"star:3", "fat-tree:4", "ring:4", "ring:7", "torus:4,3", "dragonfly:1,4,2"})
    void upAndDownReachesAllWithoutALoop(String topology) {
        FoundSubnet subnet = found(topology);
        Routes routes = new UpDown(subnet).routes();
        assertAllReached(subnet, routes, topology);
        assertFalse(ChannelDependencies.haveLoop(subnet, routes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"star:3", "fat-tree:4", "ring:7", "torus:4,4"})
    void theFewestHopsAreNoMoreThanAnyOther(String topology) {
        FoundSubnet subnet = found(topology);
        Routes shortest = new MinHop(subnet).routes();
        Routes safe = new UpDown(subnet).routes();
        assertAllReached(subnet, shortest, topology);
        for (FoundPort from : subnet.endPorts()) {
            for (FoundPort to : subnet.endPorts()) {
                assertTrue(shortest.way(from, to.lid()).hops()
                        <= safe.way(from, to.lid()).hops());
            }
        }
    }

    @Test
    void shortestWaysRoundARingDependOnEachOtherInACircleAndInATreeDoNot() {
        FoundSubnet ring = found("ring:5");
        assertTrue(ChannelDependencies.haveLoop(ring, new MinHop(ring).routes()));
        FoundSubnet tree = found("fat-tree:4");
        assertFalse(ChannelDependencies.haveLoop(tree, new MinHop(tree).routes()));
    }

    @Test
    void destinationsAreSpreadOverEqualWays() {
        FoundSubnet subnet = found("fat-tree:4");
        Routes routes = new MinHop(subnet).routes();
        FoundNode leaf = subnet.nodes().stream()
                .filter(node -> node.description().equals("S-leaf1"))
                .findFirst()
                .orElseThrow();
        int one = routes.load(leaf.switchIndex(), 3);
        int other = routes.load(leaf.switchIndex(), 4);
        assertEquals(one, other, 1);
        assertTrue(one > 2);
    }
}
