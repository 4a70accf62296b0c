package org.rdma4j.tools.replay;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.RoceFrame;

/**
 * A frame of a capture as it is sent once more.
 *
 * @param bytes from the Ethernet header on
 * @param roce where the parts of a RoCE packet lie in it; {@code null} for another frame
 * @param icrcXor what its ICRC differs in from the right one; 0 where it is right
 */
record Rewritten(MemorySegment bytes, RoceFrame roce, int icrcXor) {}
