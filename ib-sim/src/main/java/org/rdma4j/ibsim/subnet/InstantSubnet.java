package org.rdma4j.ibsim.subnet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;

/**
 * What a subnet manager comes to, put in place at once and without a packet: LIDs in the nodes' order, routes of the fewest
 * hops, spread over equal ways by the number of destinations that go by each, every link active.
 */
public final class InstantSubnet {

    private static final int FAR = Integer.MAX_VALUE;

    private final Fabric fabric;
    private final List<Switch> switches = new ArrayList<>();
    private final Map<Port, Integer> load = new HashMap<>();

    private InstantSubnet(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Makes a fabric ready for traffic. */
    public static void bringUp(Fabric fabric) {
        InstantSubnet subnet = new InstantSubnet(fabric);
        List<Port> destinations = subnet.giveLids();
        for (Port destination : destinations) {
            subnet.route(destination);
        }
        subnet.activate();
    }

    private List<Port> giveLids() {
        List<Port> destinations = new ArrayList<>();
        int lid = 1;
        for (Node node : fabric.nodes()) {
            if (node instanceof Switch one) {
                switches.add(one);
                one.port(0).setLid(lid++, 0);
                destinations.add(one.port(0));
            } else {
                for (int number = 1; number <= node.portCount(); number++) {
                    node.port(number).setLid(lid++, 0);
                    destinations.add(node.port(number));
                }
            }
        }
        return destinations;
    }

    private void route(Port destination) {
        int lid = destination.settings().lid();
        int[] hops = hopsTo(destination);
        for (Switch from : switches) {
            if (from == destination.node()) {
                from.forwarding().set(lid, 0);
                continue;
            }
            Port best = null;
            for (int number = 1; number <= from.portCount(); number++) {
                Port port = from.port(number);
                if (port.peer() != null
                        && hops[port.peer().node().index()] < hops[from.index()]
                        && (best == null || load.getOrDefault(port, 0) < load.getOrDefault(best, 0))
                        && (port.peer() == destination || port.peer().node() instanceof Switch)) {
                    best = port;
                }
            }
            if (best != null) {
                load.merge(best, 1, Integer::sum);
                from.forwarding().set(lid, best.number());
            }
        }
    }

    /** By the index of each node, {@link #FAR} where there is no way. */
    private int[] hopsTo(Port destination) {
        int[] hops = new int[fabric.nodes().size()];
        Arrays.fill(hops, FAR);
        ArrayDeque<Node> open = new ArrayDeque<>();
        Node end = destination.node();
        hops[end.index()] = 0;
        if (end instanceof Switch) {
            open.add(end);
        } else if (destination.peer() != null) {
            Node first = destination.peer().node();
            hops[first.index()] = 1;
            open.add(first);
        }
        while (!open.isEmpty()) {
            Node node = open.poll();
            for (int number = 1; number <= node.portCount(); number++) {
                Port peer = node.port(number).peer();
                if (peer != null
                        && peer.node() instanceof Switch
                        && hops[peer.node().index()] == FAR) {
                    hops[peer.node().index()] = hops[node.index()] + 1;
                    open.add(peer.node());
                }
            }
        }
        return hops;
    }

    private void activate() {
        for (LinkState state : List.of(LinkState.ARMED, LinkState.ACTIVE)) {
            for (Node node : fabric.nodes()) {
                for (int number = 1; number <= node.portCount(); number++) {
                    if (node.port(number).peer() != null) {
                        node.port(number).setState(state);
                    }
                }
            }
        }
    }
}
