package org.rdma4j.ibsim.fabric;

/** Sees what crosses a link. */
@FunctionalInterface
public interface PortTap {

    /**
     * A packet leaves a port; its bytes are valid during the call only, and its VCRC is there.
     *
     * @param now ps
     */
    void sent(Port port, FabricPacket packet, long now);
}
