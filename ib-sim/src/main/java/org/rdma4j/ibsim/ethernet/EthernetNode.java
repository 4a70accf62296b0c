package org.rdma4j.ibsim.ethernet;

import java.util.List;

/** A switch or a host: something with ports. */
public abstract class EthernetNode {

    private final RoceFabric fabric;
    private final String name;
    private EthernetPort[] ports = {};

    EthernetNode(RoceFabric fabric, String name) {
        this.fabric = fabric;
        this.name = name;
    }

    /** @param firstMac of port 1; the others' follow it */
    final void makePorts(int count, long firstMac) {
        ports = new EthernetPort[count];
        for (int at = 0; at < count; at++) {
            ports[at] = new EthernetPort(this, at + 1, firstMac + at);
        }
    }

    final RoceFabric fabric() {
        return fabric;
    }

    public final String name() {
        return name;
    }

    /** @param number from 1 on */
    public final EthernetPort port(int number) {
        return ports[number - 1];
    }

    public final List<EthernetPort> ports() {
        return List.of(ports);
    }

    /** From a frame's end at a port to what is done about it, ps. */
    abstract long latency();

    /** A frame has come that is no MAC control; it is the node's now. */
    abstract void received(EthernetFrame frame, EthernetPort in, long now);

    /** A frame has left the buffer. @param in the port that it was held for */
    void left(EthernetPort in, int priority, int size, long now) {}
}
