package org.rdma4j.link;

import java.lang.foreign.MemorySegment;
import org.rdma4j.trace.Rule;

/** Sees each frame that crosses a link, byte for byte from the Ethernet header to the ICRC. */
public interface FrameTap {

    /** A frame that was handed to the network. The bytes are valid during the call only. */
    void sent(long now, MemorySegment frame, long offset, int length);

    /** A frame that arrived, with what was decided about it. */
    void received(long now, MemorySegment frame, long offset, int length, Rule decision);

    /** This tap, and behind it another one. */
    default FrameTap and(FrameTap other) {
        FrameTap first = this;
        return new FrameTap() {
            @Override
            public void sent(long now, MemorySegment frame, long offset, int length) {
                first.sent(now, frame, offset, length);
                other.sent(now, frame, offset, length);
            }

            @Override
            public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
                first.received(now, frame, offset, length, decision);
                other.received(now, frame, offset, length, decision);
            }
        };
    }
}
