package org.rdma4j.ibsim.fabric;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.FlowPacket;

/**
 * Nodes and the cables between them, in virtual time. One thread runs it; the same nodes, seed and calls give the same bytes
 * at the same times.
 */
public final class Fabric {

    /** Five metres of cable, ps. */
    public static final long CABLE_DELAY = 25_000;

    private static final long ADAPTER_GUID = 0x10_0000L;
    private static final long SWITCH_GUID = 0x20_0000L;
    private static final long OWN_GUIDS = 0x10_0000L;
    /** Packets of one allocation. */
    private static final int SLAB = 64;

    private static final int ALIGNMENT = 64;

    private final EventQueue events = new EventQueue();
    private final SplittableRandom random;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Node> byIndex = new ArrayList<>();
    private final long[] discards = new long[FabricRule.values().length];
    private final BitErrors bitErrors;
    private final Directory directory = new Directory(this);
    private FabricPacket free;
    private int bufferBlocks = PortSettings.BUFFER_BLOCKS;
    private Consumer<Port> stateListener = port -> {};
    private DiscardListener listener = (rule, port, packet, now) -> {};

    /** @param seed of all that happens by chance */
    public Fabric(long seed) {
        random = new SplittableRandom(seed);
        bitErrors = new BitErrors(random.split());
    }

    public EventQueue events() {
        return events;
    }

    /** Which port has which LID and which GID. */
    public Directory directory() {
        return directory;
    }

    public BitErrors bitErrors() {
        return bitErrors;
    }

    // What it is made of.

    /**
     * What the buffer of each lane of the ports to come holds.
     *
     * @param bytes room for one packet of 4 KB at least, and for as much as credit can be counted at most
     */
    public void setLaneBuffer(int bytes) {
        int blocks = bytes / FlowPacket.BLOCK;
        if (bytes < FabricPacket.CAPACITY || blocks > Grant.MOST) {
            throw new TopologyException("a lane's buffer of " + bytes + " bytes; " + FabricPacket.CAPACITY + " to "
                    + Grant.MOST * FlowPacket.BLOCK + " are possible");
        }
        bufferBlocks = blocks;
    }

    int bufferBlocks() {
        return bufferBlocks;
    }

    /** @param guid 0 for one of the fabric's own */
    public Switch addSwitch(String name, long guid, int ports) {
        if (ports < 1 || ports >= MulticastTable.PORTS) {
            throw new TopologyException("switch \"" + name + "\": " + ports + " ports; 1 to "
                    + (MulticastTable.PORTS - 1) + " are possible");
        }
        return add(new Switch(this, name, byIndex.size(), guid != 0 ? guid : ownGuid(SWITCH_GUID), ports));
    }

    /** @param guid 0 for one of the fabric's own */
    public ChannelAdapter addChannelAdapter(String name, long guid, int ports) {
        if (ports < 1 || ports > 2) {
            throw new TopologyException("channel adapter \"" + name + "\": " + ports + " ports; 1 or 2 are possible");
        }
        return add(new ChannelAdapter(this, name, byIndex.size(), guid != 0 ? guid : ownGuid(ADAPTER_GUID), ports));
    }

    /** As ibsim numbers nodes: the node's own, and one for each port behind it. */
    private long ownGuid(long base) {
        return base
                + byIndex.stream()
                        .filter(node -> node.guid() >= base && node.guid() < base + OWN_GUIDS)
                        .mapToLong(node -> node.guid() - base + node.portCount() + 1)
                        .max()
                        .orElse(0);
    }

    private <T extends Node> T add(T node) {
        if (nodes.putIfAbsent(node.name(), node) != null) {
            throw new TopologyException("there are two nodes \"" + node.name() + "\"");
        }
        byIndex.add(node);
        return node;
    }

    /** In the order in which they were added. */
    public List<Node> nodes() {
        return List.copyOf(byIndex);
    }

    /** @throws TopologyException where no node has this name */
    public Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new TopologyException("there is no node \"" + name + "\"");
        }
        return node;
    }

    /**
     * Puts a cable between two ports; the link comes up at once.
     *
     * @throws TopologyException where one of them has a cable, or both are one
     */
    public void connect(Port one, Port other) {
        connect(one, other, CABLE_DELAY);
    }

    /** @param delay of the cable, ps */
    public void connect(Port one, Port other, long delay) {
        if (one == other) {
            throw new TopologyException("a cable from " + one + " to itself");
        }
        for (Port end : List.of(one, other)) {
            if (end.peer() != null) {
                throw new TopologyException(end + " has a cable to " + end.peer() + " already");
            }
        }
        one.plug(other, delay);
        other.plug(one, delay);
        train(one);
    }

    /** Pulls the cable of a port; nothing happens where there is none. */
    public void disconnect(Port end) {
        Port other = end.peer();
        if (other != null) {
            end.unplug();
            other.unplug();
        }
    }

    /** Brings a link that is down to INIT: both ends have seen each other. */
    public void train(Port end) {
        end.comeUp();
        end.peer().comeUp();
        end.sender().trySend(events.now());
        end.peer().sender().trySend(events.now());
    }

    // Packets.

    /** Packets that all ports have sent: a packet counts once for each hop. */
    public long hops() {
        long hops = 0;
        for (Node node : byIndex) {
            for (int number = 1; number <= node.portCount(); number++) {
                hops += node.port(number).counters().xmitPackets;
            }
        }
        return hops;
    }

    /** A packet without a byte, to be sent by a node. */
    public FabricPacket newPacket() {
        if (free == null) {
            int stride = (FabricPacket.CAPACITY + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            var slab = Arena.ofAuto().allocate((long) SLAB * stride, ALIGNMENT);
            for (int at = 0; at < SLAB; at++) {
                FabricPacket packet = new FabricPacket(slab.asSlice((long) at * stride, FabricPacket.CAPACITY));
                packet.next = free;
                free = packet;
            }
        }
        FabricPacket packet = free;
        free = packet.next;
        packet.clear();
        return packet;
    }

    FabricPacket copy(FabricPacket packet) {
        FabricPacket twin = newPacket();
        twin.copyFrom(packet);
        return twin;
    }

    /** The packet is not needed any more. */
    public void giveBack(FabricPacket packet) {
        packet.next = free;
        free = packet;
    }

    void damage(Port port, FabricPacket packet) {
        bitErrors.strike(port, packet);
    }

    /** Who hears of each link that has come up or gone down, by the port of either end. */
    public void onStateChange(Consumer<Port> next) {
        stateListener = next;
    }

    void stateChanged(Port port) {
        stateListener.accept(port);
    }

    /** Who hears of each packet that goes no farther. */
    public void onDiscard(DiscardListener next) {
        listener = next;
    }

    /** A host has not taken a packet that came to its port. */
    public void refusedByHost(FabricRule rule, Port port, FabricPacket packet) {
        discarded(rule, port, packet, events.now());
    }

    void discarded(FabricRule rule, Port port, FabricPacket packet, long now) {
        discards[rule.ordinal()]++;
        listener.discarded(rule, port, packet, now);
    }

    /** Packets that went no farther for this reason. */
    public long discards(FabricRule rule) {
        return discards[rule.ordinal()];
    }
}
