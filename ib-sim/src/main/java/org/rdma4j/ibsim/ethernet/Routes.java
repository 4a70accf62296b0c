package org.rdma4j.ibsim.ethernet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shortest ways from every switch to every host: for each host the ports that lead nearer to it. */
final class Routes {

    private Routes() {}

    /** Gives each switch its table. */
    static void compute(List<EthernetNode> nodes, List<EthernetAdapter> hosts) {
        for (EthernetAdapter host : hosts) {
            Map<EthernetNode, Integer> distances = distances(host);
            for (EthernetNode node : nodes) {
                if (node instanceof EthernetSwitch here) {
                    here.route(host.index(), nearer(here, distances));
                }
            }
        }
    }

    private static Map<EthernetNode, Integer> distances(EthernetAdapter host) {
        Map<EthernetNode, Integer> distances = new HashMap<>();
        ArrayDeque<EthernetNode> reached = new ArrayDeque<>();
        distances.put(host, 0);
        reached.add(host);
        for (EthernetNode node = reached.poll(); node != null; node = reached.poll()) {
            if (node != host && node instanceof EthernetAdapter) {
                continue; // hosts forward nothing
            }
            for (EthernetPort port : node.ports()) {
                EthernetNode next = port.peer() == null ? null : port.peer().node();
                if (next != null && distances.putIfAbsent(next, distances.get(node) + 1) == null) {
                    reached.add(next);
                }
            }
        }
        return distances;
    }

    private static EthernetPort[] nearer(EthernetSwitch here, Map<EthernetNode, Integer> distances) {
        List<EthernetPort> ways = new ArrayList<>();
        Integer distance = distances.get(here);
        for (EthernetPort port : here.ports()) {
            Integer next =
                    port.peer() == null ? null : distances.get(port.peer().node());
            if (distance != null && next != null && next == distance - 1) {
                ways.add(port);
            }
        }
        return ways.toArray(EthernetPort[]::new);
    }
}
