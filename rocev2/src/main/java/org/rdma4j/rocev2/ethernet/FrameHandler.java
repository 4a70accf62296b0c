package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Takes the frames that arrived. */
@FunctionalInterface
public interface FrameHandler {

    /**
     * One frame from Ethernet header to the end of its padding, without FCS, its VLAN tag in its place. The bytes are
     * valid during the call only.
     *
     * @param view the same memory as {@code memory}, for CRCs
     */
    void onFrame(MemorySegment memory, ByteBuffer view, long at, int length);
}
