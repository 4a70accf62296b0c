package org.rdma4j.rocev2.ethernet;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rdma4j.wire.Gid;

/**
 * Neighbors by address, for as long as a route leads to one or it is asked for: a route is a plain object that nobody
 * closes, so the table holds its neighbor as weakly as the route's owner holds the route.
 */
final class NeighborTable {

    private final Map<Gid, WeakReference<Neighbor>> byAddress = new HashMap<>();
    private final Set<Neighbor> awaited = new HashSet<>();

    /** @return {@code null} where none is known */
    Neighbor get(Gid address) {
        WeakReference<Neighbor> entry = byAddress.get(address);
        return entry == null ? null : entry.get();
    }

    void put(Gid address, Neighbor neighbor) {
        byAddress.put(address, new WeakReference<>(neighbor));
    }

    /** It is asked for, and frames may wait for it: it stays, whatever becomes of their routes. */
    void await(Neighbor neighbor) {
        awaited.add(neighbor);
    }

    void awaitNoMore(Neighbor neighbor) {
        awaited.remove(neighbor);
    }

    /** All that are still there; those that are not are forgotten with it. */
    List<Neighbor> all() {
        List<Neighbor> all = new ArrayList<>(byAddress.size());
        byAddress.values().removeIf(entry -> {
            Neighbor neighbor = entry.get();
            if (neighbor != null) {
                all.add(neighbor);
            }
            return neighbor == null;
        });
        return all;
    }
}
