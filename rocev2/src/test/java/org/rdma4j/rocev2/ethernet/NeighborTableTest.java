package org.rdma4j.rocev2.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rdma4j.wire.Gid;

/** A neighbor is known while a route leads to it, or it is asked for, and no longer. */
class NeighborTableTest {

    private static final Gid ADDRESS = Gid.ofIpv4(0x0A000002);

    private final NeighborTable table = new NeighborTable();

    private static Neighbor neighbor() {
        return Neighbor.unknown(ADDRESS.high(), ADDRESS.low(), 0);
    }

    /** A collection clears weak references before it returns, so the first one does. */
    private boolean isForgotten() {
        System.gc();
        return table.get(ADDRESS) == null;
    }

    @Test
    void isForgottenWithItsLastRoute() {
        table.put(ADDRESS, neighbor());
        assertTrue(isForgotten());
        assertEquals(List.of(), table.all());
    }

    @Test
    void staysWhileARouteLeadsToIt() {
        Neighbor neighbor = neighbor();
        table.put(ADDRESS, neighbor);
        System.gc();
        assertSame(neighbor, table.get(ADDRESS));
        assertEquals(List.of(neighbor), table.all());
    }

    @Test
    void staysWhileItIsAskedFor() {
        table.put(ADDRESS, neighbor());
        table.await(table.get(ADDRESS));
        System.gc();
        table.awaitNoMore(table.all().getFirst());
        assertTrue(isForgotten());
    }
}
