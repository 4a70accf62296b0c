package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/** A header that follows the BTH, as a value. */
public sealed interface ExtensionHeader permits Xrceth, Deth, Feth, Reth, AtomicEth, Aeth, AtomicAckEth, ImmDt, Ieth {

    /** Bytes on the wire. */
    int length();

    /** Writes it at an offset. */
    void emit(MemorySegment segment, long offset);
}
