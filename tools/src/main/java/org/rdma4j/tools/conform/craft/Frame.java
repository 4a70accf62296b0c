package org.rdma4j.tools.conform.craft;

import java.lang.foreign.MemorySegment;

/** A frame that crossed the wire. */
public final class Frame {

    private final long nanos;
    private final boolean sent;
    private final byte[] bytes;

    public Frame(long nanos, boolean sent, byte[] bytes) {
        this.nanos = nanos;
        this.sent = sent;
        this.bytes = bytes;
    }

    /** When, by the wire's clock. */
    public long nanos() {
        return nanos;
    }

    /** True for one of ours. */
    public boolean isSent() {
        return sent;
    }

    /** From the Ethernet header to the ICRC. */
    public MemorySegment bytes() {
        return MemorySegment.ofArray(bytes).asReadOnly();
    }
}
