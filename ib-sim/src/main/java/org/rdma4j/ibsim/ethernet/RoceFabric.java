package org.rdma4j.ibsim.ethernet;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.Node;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.fabric.Switch;
import org.rdma4j.ibsim.fabric.TopologyException;
import org.rdma4j.ibsim.time.EventQueue;

/**
 * Ethernet switches and RoCE v2 hosts, in virtual time: the shape of an InfiniBand fabric with other cables. Host {@code n},
 * from 0 on, has the address 10.0.0.0 + 2 n + 1, and its switch's port the even one before it, which is its gateway (RFC 3021).
 * One thread runs it; the same shape, settings and seed give the same bytes at the same times.
 */
public final class RoceFabric {

    private static final int NETWORK = 10 << 24;
    private static final int MOST_HOSTS = 1 << 23;

    /** Locally administered addresses, so that they are nobody's. */
    private static final long HOST_MACS = 0x0200_0000_0000L;

    private static final long SWITCH_MACS = 0x0201_0000_0000L;
    private static final int PORT_BITS = 8;

    /** Frames of one allocation. */
    private static final int SLAB = 64;

    private final EventQueue events = new EventQueue();
    private final RoceSettings settings;
    private final List<EthernetNode> nodes = new ArrayList<>();
    private final List<EthernetAdapter> hosts = new ArrayList<>();
    private EthernetFrame free;

    private RoceFabric(RoceSettings settings) {
        this.settings = settings;
    }

    /**
     * A fabric with the nodes and cables of another.
     *
     * @param plan whose hosts are connected by their first ports
     * @param seed of all that happens by chance: which packets are marked, and which way flows take
     */
    public static RoceFabric like(Fabric plan, RoceSettings settings, long seed) {
        RoceFabric fabric = new RoceFabric(settings);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Node, EthernetNode> twins = new HashMap<>();
        for (Node node : plan.nodes()) {
            EthernetNode twin = fabric.add(node, random);
            fabric.nodes.add(twin);
            twins.put(node, twin);
        }
        for (Node node : plan.nodes()) {
            EthernetNode twin = twins.get(node);
            for (EthernetPort port : twin.ports()) {
                Port peer = node.port(port.number()).peer();
                List<EthernetPort> others =
                        peer == null ? List.of() : twins.get(peer.node()).ports();
                if (peer != null && peer.number() <= others.size()) {
                    port.plug(others.get(peer.number() - 1), settings.gigabits(), settings.cableDelay());
                }
            }
        }
        Routes.compute(fabric.nodes, fabric.hosts);
        return fabric;
    }

    private EthernetNode add(Node node, SplittableRandom random) {
        if (node instanceof Switch) {
            long firstMac = SWITCH_MACS + ((long) nodes.size() << PORT_BITS) + 1;
            return new EthernetSwitch(this, node.name(), node.portCount(), firstMac, random.split());
        }
        if (hosts.size() == MOST_HOSTS) {
            throw new TopologyException("more than " + MOST_HOSTS + " hosts");
        }
        EthernetAdapter host = new EthernetAdapter(this, node.name(), hosts.size(), HOST_MACS + hosts.size() + 1);
        hosts.add(host);
        return host;
    }

    public EventQueue events() {
        return events;
    }

    public RoceSettings settings() {
        return settings;
    }

    /** In the order of the plan. */
    public List<EthernetNode> nodes() {
        return List.copyOf(nodes);
    }

    /** In the order of their numbers. */
    public List<EthernetAdapter> hosts() {
        return List.copyOf(hosts);
    }

    /** @throws TopologyException where no host has this name */
    public EthernetAdapter host(String name) {
        return hosts.stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new TopologyException("there is no host \"" + name + "\""));
    }

    /** The IPv4 address of a host. */
    public int address(EthernetAdapter host) {
        return NETWORK + 2 * host.index() + 1;
    }

    /** The IPv4 address of what a host is plugged into. */
    public int gateway(EthernetAdapter host) {
        return NETWORK + 2 * host.index();
    }

    /** The address of a switch's port that a host is plugged into; 0 where none is. */
    int gateway(EthernetPort port) {
        return port.peer() != null && port.peer().node() instanceof EthernetAdapter host ? gateway(host) : 0;
    }

    /** The number of the host that has an address; -1 where none has. */
    int hostAt(int address) {
        int offset = address - NETWORK;
        return (offset & 1) == 1 && offset > 0 && offset >> 1 < hosts.size() ? offset >> 1 : -1;
    }

    /** Frames that all ports have sent: one counts once for each hop. */
    public long hops() {
        return nodes.stream()
                .flatMap(node -> node.ports().stream())
                .mapToLong(port -> port.counters().sentFrames)
                .sum();
    }

    // Frames.

    EthernetFrame newFrame() {
        if (free == null) {
            var slab = Arena.ofAuto().allocate((long) SLAB * EthernetFrame.CAPACITY, 64);
            for (int at = 0; at < SLAB; at++) {
                EthernetFrame frame =
                        new EthernetFrame(slab.asSlice((long) at * EthernetFrame.CAPACITY, EthernetFrame.CAPACITY));
                frame.next = free;
                free = frame;
            }
        }
        EthernetFrame frame = free;
        free = frame.next;
        frame.next = null;
        frame.length = 0;
        frame.priority = 0;
        frame.heldFor = null;
        return frame;
    }

    void giveBack(EthernetFrame frame) {
        frame.heldFor = null;
        frame.next = free;
        free = frame;
    }
}
