package org.rdma4j.ibsim.fabric;

/** Takes the packets that are for a node itself. */
@FunctionalInterface
public interface PacketConsumer {

    /**
     * A packet for this node; the bytes are valid during the call only.
     *
     * @param port where it came in
     * @param now ps
     */
    void received(FabricPacket packet, Port port, long now);
}
