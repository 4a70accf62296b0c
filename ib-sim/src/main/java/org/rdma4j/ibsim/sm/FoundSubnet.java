package org.rdma4j.ibsim.sm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a sweep has found: nodes in the order in which they were found, the manager's own first. */
public final class FoundSubnet {

    private final Map<Long, FoundNode> nodes = new LinkedHashMap<>();
    private final List<FoundNode> switches = new ArrayList<>();
    private final Map<Long, FoundPort> byGuid = new HashMap<>();
    private final Map<Integer, FoundPort> byLid = new HashMap<>();
    private Routes routes = new Routes(0, 0);

    /** @return {@code null} where it was not found yet */
    FoundNode node(long guid) {
        return nodes.get(guid);
    }

    void add(FoundNode node) {
        nodes.put(node.guid(), node);
        if (node.isSwitch()) {
            node.setSwitchIndex(switches.size());
            switches.add(node);
        }
    }

    void add(FoundPort port) {
        if (port.isEndPort()) {
            byGuid.put(port.guid(), port);
        }
    }

    public List<FoundNode> nodes() {
        return List.copyOf(nodes.values());
    }

    List<FoundNode> switches() {
        return switches;
    }

    /** Ports that have, or get, a LID. */
    public List<FoundPort> endPorts() {
        List<FoundPort> ports = new ArrayList<>();
        for (FoundNode node : nodes.values()) {
            for (int number = 0; number <= node.portCount(); number++) {
                if (node.port(number) != null && node.port(number).isEndPort()) {
                    ports.add(node.port(number));
                }
            }
        }
        return ports;
    }

    /** LIDs are given. */
    void indexLids() {
        byLid.clear();
        for (FoundPort port : endPorts()) {
            for (int path = 0; path < 1 << port.lidMaskControl(); path++) {
                byLid.put(port.lid() + path, port);
            }
        }
    }

    /** The end port of a GUID, or {@code null}. */
    public FoundPort portOf(long guid) {
        return byGuid.get(guid);
    }

    /** The end port of a LID, or {@code null}. */
    public FoundPort portOf(int lid) {
        return byLid.get(lid);
    }

    void setRoutes(Routes next) {
        routes = next;
    }

    /** The way from an end port to a LID; {@code null} where there is none. */
    public Routes.Way way(FoundPort from, int lid) {
        return routes.way(from, lid);
    }

    /** The port that is on the switch's side of an end port: where packets to it leave the last switch; 0 its own. */
    static FoundPort lastHop(FoundPort endPort) {
        return endPort.node().isSwitch() ? endPort : endPort.peer();
    }
}
