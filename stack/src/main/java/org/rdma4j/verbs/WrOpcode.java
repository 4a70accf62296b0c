package org.rdma4j.verbs;

import org.rdma4j.transport.Op;

/** {@code ibv_wr_opcode}, with its numbers. */
public enum WrOpcode {
    RDMA_WRITE(Op.RDMA_WRITE),
    RDMA_WRITE_WITH_IMM(Op.RDMA_WRITE_WITH_IMM),
    SEND(Op.SEND),
    SEND_WITH_IMM(Op.SEND_WITH_IMM),
    RDMA_READ(Op.RDMA_READ),
    ATOMIC_CMP_AND_SWP(Op.ATOMIC_CMP_AND_SWP),
    ATOMIC_FETCH_AND_ADD(Op.ATOMIC_FETCH_AND_ADD),
    LOCAL_INV(Op.LOCAL_INV),
    BIND_MW(Op.BIND_MW),
    SEND_WITH_INV(Op.SEND_WITH_INV),
    FLUSH(Op.FLUSH),
    ATOMIC_WRITE(Op.ATOMIC_WRITE),

    /** Fast registration; the number is the kernel's, libibverbs has none. */
    REG_MR(Op.REG_MR);

    private final int number;

    WrOpcode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** True for what only some peers have (annex A19). */
    boolean isExtended() {
        return this == FLUSH || this == ATOMIC_WRITE;
    }

    boolean isAtomic() {
        return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
    }
}
