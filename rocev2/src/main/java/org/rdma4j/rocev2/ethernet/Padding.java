package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.EthernetHeader;

/** Ethernet's shortest frame (IEEE 802.3, 4.2.3.3): what is shorter gets zeros behind it, which belong to nobody. */
final class Padding {

    private Padding() {}

    /** Pads a frame; returns its length then. */
    static int toMinimum(MemorySegment memory, long at, int length) {
        if (length >= EthernetHeader.MINIMUM_FRAME) {
            return length;
        }
        memory.asSlice(at + length, EthernetHeader.MINIMUM_FRAME - length).fill((byte) 0);
        return EthernetHeader.MINIMUM_FRAME;
    }
}
