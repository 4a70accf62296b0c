package org.rdma4j.ibsim.mad;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.rdma4j.ibsim.fabric.DiscardListener;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;

/** The management of a fabric: an agent for each node, and the programs at them. */
public final class Agents {

    private final List<NodeAgent> agents = new ArrayList<>();
    private final Map<Integer, Place> programs = new TreeMap<>();

    private record Place(NodeAgent agent, Port port, MadProgram program) {}

    /** Gives each node of a fabric its agent. */
    public Agents(Fabric fabric) {
        for (Node node : fabric.nodes()) {
            agents.add(new NodeAgent(node, this::undelivered));
        }
        DiscardListener discards = (rule, port, packet, now) -> {
            Mad mad = MadPackets.parse(packet);
            if (mad != null && !mad.isResponse()) {
                undelivered(mad);
            }
            if (rule == FabricRule.PARTITION_IN
                    || rule == FabricRule.PARTITION_OUT
                    || rule == FabricRule.PARTITION_HOST) {
                of(port.node()).badPKey(port, packet);
            }
        };
        fabric.onDiscard(discards);
        fabric.onStateChange(port -> of(port.node()).portStateChanged());
    }

    public NodeAgent of(Node node) {
        return agents.get(node.index());
    }

    /**
     * Attaches a program to a port.
     *
     * @param owner its number, 1 to 65,535, that no other one has
     */
    public void attach(int owner, Port port, MadProgram program) {
        NodeAgent agent = of(port.node());
        programs.put(owner, new Place(agent, port, program));
        agent.attach(owner, program);
    }

    /** Ends {@link #attach}. */
    public void detach(int owner) {
        Place place = programs.remove(owner);
        if (place != null) {
            place.agent.detach(owner);
        }
    }

    /** A program's datagram. */
    public void send(int owner, Mad mad, long now) {
        Place place = programs.get(owner);
        place.agent.send(mad, owner, place.port, now);
    }

    /** A program has become a manager, or is none any more. */
    public void refreshManager(int owner) {
        programs.get(owner).agent.refreshManager();
    }

    private void undelivered(Mad mad) {
        Place place = programs.get(mad.owner());
        if (place != null) {
            place.program.undelivered(mad);
        }
    }
}
