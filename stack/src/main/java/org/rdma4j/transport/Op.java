package org.rdma4j.transport;

/** Operations of work requests, with libibverbs' numbers ({@code ibv_wr_opcode}). */
public final class Op {

    public static final int RDMA_WRITE = 0;
    public static final int RDMA_WRITE_WITH_IMM = 1;
    public static final int SEND = 2;
    public static final int SEND_WITH_IMM = 3;
    public static final int RDMA_READ = 4;
    public static final int ATOMIC_CMP_AND_SWP = 5;
    public static final int ATOMIC_FETCH_AND_ADD = 6;
    public static final int LOCAL_INV = 7;
    public static final int BIND_MW = 8;
    public static final int SEND_WITH_INV = 9;

    public static final int FLUSH = 14;
    public static final int ATOMIC_WRITE = 15;

    /** The kernel's {@code IB_WR_REG_MR}: libibverbs has none. */
    public static final int REG_MR = 32;

    private static final long LOCAL = 1L << LOCAL_INV | 1L << BIND_MW | 1L << REG_MR;

    private static final long ANSWERED =
            1L << RDMA_READ | 1L << ATOMIC_CMP_AND_SWP | 1L << ATOMIC_FETCH_AND_ADD | 1L << FLUSH | 1L << ATOMIC_WRITE;
    private static final long ANSWERED_AS_READ = 1L << RDMA_READ | 1L << FLUSH | 1L << ATOMIC_WRITE;

    /** Send flags ({@code ibv_send_flags}). */
    public static final int FENCE = 1;

    public static final int SIGNALED = 2;
    public static final int SOLICITED = 4;
    public static final int INLINE = 8;

    /** How a FLUSH says what it wants: placement in the low bits, selectivity above. */
    public static final int FLUSH_LEVEL_SHIFT = 4;

    static final int FLUSH_PLACEMENT_MASK = (1 << FLUSH_LEVEL_SHIFT) - 1;

    private Op() {}

    /** True where it is done here and no packet comes of it. */
    public static boolean isLocal(int op) {
        return (LOCAL >>> op & 1) != 0;
    }

    /** True where a response of its own is owed, not an acknowledgement: READs, atomics, FLUSH, ATOMIC_WRITE. */
    public static boolean isAnswered(int op) {
        return (ANSWERED >>> op & 1) != 0;
    }

    /** True where that response is a READ's, be it one of no bytes. */
    static boolean isAnsweredAsRead(int op) {
        return (ANSWERED_AS_READ >>> op & 1) != 0;
    }

    public static boolean isAtomic(int op) {
        return op == ATOMIC_CMP_AND_SWP || op == ATOMIC_FETCH_AND_ADD;
    }

    public static boolean isSend(int op) {
        return op == SEND || op == SEND_WITH_IMM || op == SEND_WITH_INV;
    }

    public static boolean isWrite(int op) {
        return op == RDMA_WRITE || op == RDMA_WRITE_WITH_IMM;
    }

    /** True where the responder spends a receive on it, so that end-to-end credits apply (9.7.7.2). */
    static boolean consumesReceive(int op) {
        return isSend(op) || op == RDMA_WRITE_WITH_IMM;
    }

    /** True for operations that carry 4 bytes besides the payload. */
    public static boolean hasImmediate(int op) {
        return op == SEND_WITH_IMM || op == RDMA_WRITE_WITH_IMM;
    }
}
