package org.rdma4j.ibsim.fabric;

/** Hears of packets that go no farther. */
@FunctionalInterface
public interface DiscardListener {

    /**
     * @param port where it is: the one that it came in by, or the one that it could not go out by
     * @param packet valid during the call only
     * @param now ps
     */
    void discarded(FabricRule rule, Port port, FabricPacket packet, long now);
}
