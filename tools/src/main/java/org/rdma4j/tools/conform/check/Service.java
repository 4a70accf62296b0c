package org.rdma4j.tools.conform.check;

import org.rdma4j.memory.AccessFlags;

/** What the peer's queue pair is for: each one is what an ordinary program sets up. */
public enum Service {
    /** {@code ib_write_bw}'s: the peer may write, and no receive is posted. */
    WRITE(AccessFlags.REMOTE_WRITE, "ib_write_bw"),
    /** {@code ib_read_bw}'s: the peer may read. */
    READ(AccessFlags.REMOTE_READ, "ib_read_bw"),
    /** {@code ib_atomic_bw}'s: the peer may do atomics. */
    ATOMIC(AccessFlags.REMOTE_ATOMIC, "ib_atomic_bw"),
    /** {@code ib_send_bw}'s: receives are posted. */
    SEND(0, "ib_send_bw"),
    /** All rights and receives; no ordinary program offers that. */
    ALL(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC, "");

    private final int access;
    private final String tool;

    Service(int access, String tool) {
        this.access = access;
        this.tool = tool;
    }

    /** The rights of the queue pair, and of its memory. */
    public int access() {
        return access;
    }

    /** The program of perftest that offers it; empty where none does. */
    public String tool() {
        return tool;
    }

    /**
     * The one that offers it without acknowledgements, and shows what it has taken: each message is answered with one of
     * its own.
     */
    public String unackedTool() {
        return tool.replace("_bw", "_lat");
    }

    public boolean receives() {
        return this == SEND || this == ALL;
    }
}
