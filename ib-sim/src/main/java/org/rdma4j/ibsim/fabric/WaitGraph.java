package org.rdma4j.ibsim.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who waits for whom: a lane's first packet waits for credit of the lane behind its next cable, that one's first packet for
 * another's. Where such a chain comes back to its start nothing in it will ever move: a credit loop.
 */
public final class WaitGraph {

    private final Map<InputLane, InputLane> waitsFor = new LinkedHashMap<>(); // in the order of ports

    private WaitGraph() {}

    /**
     * A fabric's credit loop as it is now, each port in the order of waiting, named with its lane.
     *
     * @return empty where there is none
     */
    public static List<String> findLoop(Fabric fabric) {
        WaitGraph graph = new WaitGraph();
        for (Node node : fabric.nodes()) {
            for (int number = 0; number <= node.portCount(); number++) {
                if (node.hasPort(number)) {
                    graph.add(node.port(number));
                }
            }
        }
        return graph.loop();
    }

    private void add(Port port) {
        port.sender().takeCredit(port.events().now());
        for (int lane = 0; lane < Port.MANAGEMENT_LANE; lane++) {
            InputLane input = port.receiver().inputOrNull(lane);
            OutputLane output = input == null ? null : input.waitsFor;
            if (output != null && output.firstWaiting() != null && !output.isReady()) {
                InputLane beyond = output.port.peer() == null
                        ? null
                        : output.port.peer().receiver().inputOrNull(output.virtualLane);
                if (beyond != null) {
                    waitsFor.put(input, beyond);
                }
            }
        }
    }

    private List<String> loop() {
        Map<InputLane, Integer> visited = new HashMap<>();
        int walk = 0;
        for (InputLane start : waitsFor.keySet()) {
            walk++;
            InputLane at = start;
            while (at != null && !visited.containsKey(at)) {
                visited.put(at, walk);
                at = waitsFor.get(at);
            }
            if (at != null && visited.get(at) == walk) {
                return names(at);
            }
        }
        return List.of();
    }

    private List<String> names(InputLane start) {
        // From the port that comes first by name, so that a loop is told in one way only.
        List<String> names = new ArrayList<>();
        InputLane at = start;
        do {
            names.add(at.port + " VL" + at.virtualLane);
            at = waitsFor.get(at);
        } while (at != start);
        int first = 0;
        for (int index = 1; index < names.size(); index++) {
            if (names.get(index).compareTo(names.get(first)) < 0) {
                first = index;
            }
        }
        List<String> ordered = new ArrayList<>(names.subList(first, names.size()));
        ordered.addAll(names.subList(0, first));
        return ordered;
    }
}
