package org.rdma4j.ibsim.fabric;

import java.util.ArrayList;
import java.util.List;

/** A switch or a channel adapter: ports, and what goes from one to the other. */
public abstract class Node {

    private final Fabric fabric;
    private final String name;
    private final int index;
    private final long guid;
    private final List<Port> ports = new ArrayList<>();
    private String description;
    private PacketConsumer consumer = (packet, port, now) -> {};
    private LaneMap lanes;
    private long fastestByte = Long.MAX_VALUE;

    /** @param index the node's place in the fabric */
    Node(Fabric fabric, String name, int index, long guid) {
        this.fabric = fabric;
        this.name = name;
        this.index = index;
        this.guid = guid;
        this.description = name;
    }

    /** Ports 0 (a switch's own) or 1 to the last. */
    final void makePorts(int first, int last) {
        for (int number = 0; number <= last; number++) {
            ports.add(number < first ? null : new Port(this, number));
        }
        lanes = new LaneMap(ports.size());
    }

    public final Fabric fabric() {
        return fabric;
    }

    /** As the topology spells it. */
    public final String name() {
        return name;
    }

    /** NodeDescription: its name, where nothing else was said. */
    public final String description() {
        return description;
    }

    public final void setDescription(String text) {
        description = text;
    }

    public final int index() {
        return index;
    }

    /** NodeGUID. */
    public final long guid() {
        return guid;
    }

    /** The number of the last port; port 0 of a switch does not count. */
    public final int portCount() {
        return ports.size() - 1;
    }

    /** @throws IndexOutOfBoundsException where the node has no such port */
    public final Port port(int number) {
        Port port = ports.get(number);
        if (port == null) {
            throw new IndexOutOfBoundsException(name + " has no port " + number);
        }
        return port;
    }

    /** True where the node has a port of this number. */
    public final boolean hasPort(int number) {
        return number >= 0 && number < ports.size() && ports.get(number) != null;
    }

    /** SLtoVL; what the node itself sends comes from port 0. */
    public final LaneMap lanes() {
        return lanes;
    }

    final void noteRate(long femtosecondsAByte) {
        fastestByte = Math.min(fastestByte, femtosecondsAByte);
    }

    /** How long its fastest port takes for a byte, fs. */
    final long fastestByte() {
        return fastestByte;
    }

    /** Who takes what is for the node itself. */
    public final void setConsumer(PacketConsumer next) {
        consumer = next;
    }

    public final PacketConsumer consumer() {
        return consumer;
    }

    /** Sends a packet of the node's own by a port, on the lane that its LRH names. */
    public final void send(FabricPacket packet, Port port, long now) {
        packet.received = now;
        packet.readHeader();
        port.sender().source(packet.virtualLane).add(packet, now);
    }

    /** A packet of the node's own goes where it was told. */
    final boolean forwardOwn(InputLane from, long now) {
        Port port = from.port;
        if (port.peer() == null || port.state() == LinkState.DOWN) {
            return discard(FabricRule.LINK_DOWN, port, from.head(), now);
        }
        port.sender().enqueue(from, from.virtualLane, now);
        return true;
    }

    final boolean discard(FabricRule rule, Port port, FabricPacket packet, long now) {
        fabric.discarded(rule, port, packet, now);
        return false;
    }

    /** The GUID of one of its ports. */
    abstract long portGuid(int number);

    /** True where what comes in does not go out again. */
    abstract boolean isEndNode();

    /** A packet has come to a node that forwards none. */
    abstract void received(FabricPacket packet, Port port, long now);

    /**
     * Has an input's first packet wait for the output that it goes to.
     *
     * @return false where the packet goes no farther
     */
    abstract boolean forward(FabricPacket packet, InputLane from, long now);

    /** When a packet is there for the node, whose first bit comes at one time and its last at another, all ps. */
    abstract long arrival(long head, long tail, long femtosecondsAByte);

    /** How long a packet may be in the node, ps. */
    abstract long lifetime();
}
