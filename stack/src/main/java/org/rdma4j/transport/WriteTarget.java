package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;
import org.rdma4j.wire.Reth;

/** Where the peer's WRITE goes, packet by packet: what its RETH said, and how much of that has come. */
final class WriteTarget {

    /** A message of 2^31 bytes is the longest (C9-94). */
    static final long MAX_MESSAGE = 1L << 31;

    private long address;
    private long left;
    private long length;
    private int key;

    /** Takes a first packet's RETH. @return false where the message is too long */
    boolean begin(MemorySegment packet, long reth) {
        length = Reth.dmaLength(packet, reth);
        address = Reth.virtualAddress(packet, reth);
        key = Reth.rKey(packet, reth);
        left = length;
        return length <= MAX_MESSAGE;
    }

    /** Bytes of the whole message. */
    long length() {
        return length;
    }

    /** True where a payload is as long as the RETH wants it: the last one ends the message, and no other does. */
    boolean expects(int payload, boolean last) {
        return last ? payload == left : payload < left;
    }

    /**
     * Writes a payload. The first packet is checked for all of the message; each one again, for a region may go meanwhile.
     *
     * @return false where key, range or rights do not allow it; nothing is written then
     */
    boolean write(IbQp qp, MemorySegment packet, long from, int payload) {
        if (length == 0) {
            return true; // the RETH of no bytes is not looked at (C9-88)
        }
        Region region = qp.engine.keys().lookup(key);
        if (region == null || !region.permitsRemote(address, left, AccessFlags.REMOTE_WRITE, qp.pd, qp)) {
            return false;
        }
        region.block().copyFrom(region.offsetOf(address), packet, from, payload);
        if (Tracing.isOn()) {
            qp.engine.keys().touched(Tracer.Touch.WRITE, key, address, payload);
        }
        address += payload;
        left -= payload;
        return true;
    }
}
