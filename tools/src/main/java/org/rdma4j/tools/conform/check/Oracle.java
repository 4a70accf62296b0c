package org.rdma4j.tools.conform.check;

/** What a run was judged by. */
public enum Oracle {
    /** Packets, their order and their fields. */
    WIRE,
    /** The peer's bytes, and those around them. */
    MEMORY,
    /** The peer's work completions. */
    COMPLETION,
    /** The state of the peer's queue pair. */
    STATE,
    /** The peer's counters. */
    COUNTERS,
    /** What the peer's program is told of its connection. */
    EVENT
}
