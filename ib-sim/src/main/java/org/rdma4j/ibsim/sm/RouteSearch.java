package org.rdma4j.ibsim.sm;

import java.util.Arrays;
import java.util.List;

/** What searches for ways have in common: the switches as a graph, and each LID's last switch. */
abstract class RouteSearch {

    static final int FAR = Integer.MAX_VALUE / 2;

    final FoundSubnet subnet;
    final List<FoundNode> switches;

    RouteSearch(FoundSubnet subnet) {
        this.subnet = subnet;
        this.switches = subnet.switches();
    }

    /** How far each switch has to a target by the ways that this search allows; {@link #FAR} where there is none. */
    abstract int[] distances(int target);

    /** True where a packet that is at one switch may go to a neighbour on its way to a target. */
    abstract boolean mayStep(int from, int to, int[] distances);

    /** Ways from all switches to all LIDs, spread over equally long ones by the number of LIDs that go by each. */
    final Routes routes() {
        List<FoundPort> ends = subnet.endPorts();
        int last = ends.stream()
                .mapToInt(end -> end.lid() + (1 << end.lidMaskControl()) - 1)
                .max()
                .orElse(0);
        Routes routes = new Routes(switches.size(), last + 1);
        for (FoundPort end : ends) {
            FoundPort hop = FoundSubnet.lastHop(end);
            if (hop == null || !hop.node().isSwitch()) {
                continue; // two hosts back to back
            }
            int target = hop.node().switchIndex();
            int[] distances = distances(target);
            for (int lid = end.lid(); lid < end.lid() + (1 << end.lidMaskControl()); lid++) {
                lead(routes, lid, target, hop.number(), distances);
            }
        }
        return routes;
    }

    private void lead(Routes routes, int lid, int target, int lastPort, int[] distances) {
        for (int at = 0; at < switches.size(); at++) {
            int best = at == target ? lastPort : Routes.NOWHERE;
            FoundNode node = switches.get(at);
            for (int number = 1; number <= node.portCount() && at != target; number++) {
                int neighbour = neighbour(node, number);
                if (neighbour >= 0
                        && mayStep(at, neighbour, distances)
                        && (best == Routes.NOWHERE || routes.load(at, number) < routes.load(at, best))) {
                    best = number;
                }
            }
            if (best != Routes.NOWHERE) {
                routes.set(at, lid, best);
            }
        }
    }

    /** The switch behind a port, or -1. */
    static int neighbour(FoundNode node, int number) {
        FoundPort port = node.port(number);
        return port == null || port.peer() == null ? -1 : port.peer().node().switchIndex();
    }

    /** Distances by all links. */
    final int[] hops(int target) {
        int[] hops = new int[switches.size()];
        Arrays.fill(hops, FAR);
        int[] queue = new int[switches.size()];
        int end = 0;
        hops[target] = 0;
        queue[end++] = target;
        for (int next = 0; next < end; next++) {
            FoundNode node = switches.get(queue[next]);
            for (int number = 1; number <= node.portCount(); number++) {
                int neighbour = neighbour(node, number);
                if (neighbour >= 0 && hops[neighbour] == FAR) {
                    hops[neighbour] = hops[queue[next]] + 1;
                    queue[end++] = neighbour;
                }
            }
        }
        return hops;
    }
}
