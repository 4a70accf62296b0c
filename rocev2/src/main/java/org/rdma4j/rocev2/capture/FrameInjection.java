package org.rdma4j.rocev2.capture;

import java.lang.foreign.MemorySegment;

/** An interface that whole Ethernet frames are sent out of, as they are. For one thread. */
public interface FrameInjection extends AutoCloseable {

    /**
     * Sends a frame, from its Ethernet header on, without FCS.
     *
     * @return {@code null}, or in words why the interface did not take it
     */
    String send(MemorySegment frame);

    @Override
    void close();
}
