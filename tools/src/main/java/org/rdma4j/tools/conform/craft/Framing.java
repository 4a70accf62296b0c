package org.rdma4j.tools.conform.craft;

import org.rdma4j.wire.FrameBuilder;

/** Puts a packet into a frame that no link would make. */
@FunctionalInterface
public interface Framing {

    /**
     * @param builder of a right frame from this side to the peer
     * @param packet from BTH to pad
     * @return from the Ethernet header to the ICRC
     */
    byte[] frame(FrameBuilder builder, byte[] packet);
}
