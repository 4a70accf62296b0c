package org.rdma4j.ibsim.sm;

import java.util.ArrayList;
import java.util.List;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.LinkState;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.mad.Agents;
import org.rdma4j.ibsim.sa.SubnetAdministrator;
import org.rdma4j.ibsim.topology.Topologies;

/** A fabric with agents, and managers where a test puts them. */
public final class Managed {

    public static final long SECOND = 1_000_000_000_000L;

    public final Fabric fabric;
    public final Agents agents;
    private int owners;

    public Managed(String topology) {
        this(topology, 32 << 10);
    }

    public Managed(String topology, int laneBuffer) {
        fabric = new Fabric(1);
        fabric.setLaneBuffer(laneBuffer);
        Topologies.build(topology, fabric);
        agents = new Agents(fabric);
    }

    public Port port(String node) {
        return fabric.node(node).port(1);
    }

    /** A number for one more program. */
    public int owner() {
        return ++owners;
    }

    /** Starts a manager at a node, with an administrator behind it. */
    public SubnetManager start(String node, SmOptions options) {
        SubnetManager manager = new SubnetManager(agents, owner(), port(node), options);
        SubnetAdministrator.of(manager);
        manager.start();
        return manager;
    }

    /** A manager that has brought the subnet up. */
    public SubnetManager up(SmOptions options) {
        SubnetManager manager = start("H-1", options);
        run(1);
        if (!manager.isUp()) {
            throw new AssertionError("the subnet is not up after a second: " + manager.state());
        }
        return manager;
    }

    public void run(double seconds) {
        fabric.events().runUntil(fabric.events().now() + (long) (seconds * SECOND));
    }

    /** All ports with a cable. */
    public List<Port> ends() {
        List<Port> ends = new ArrayList<>();
        for (Node node : fabric.nodes()) {
            for (int number = 1; number <= node.portCount(); number++) {
                if (node.port(number).peer() != null) {
                    ends.add(node.port(number));
                }
            }
        }
        return ends;
    }

    public boolean allActive() {
        return ends().stream().allMatch(end -> end.state() == LinkState.ACTIVE);
    }
}
