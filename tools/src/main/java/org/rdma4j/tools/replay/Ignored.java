package org.rdma4j.tools.replay;

/** What of the peer's answers need not be as in the capture. */
enum Ignored {
    /** What memory held: the bytes of payloads, whose lengths count, and what atomics found. */
    PAYLOAD,
    MSN,
    /** Whether the receiver was ready. */
    RNR
}
