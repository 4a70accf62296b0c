package org.rdma4j.verbs;

/** {@code ibv_wc_opcode}, with its numbers. */
public enum WcOpcode {
    SEND(0),
    RDMA_WRITE(1),
    RDMA_READ(2),
    COMP_SWAP(3),
    FETCH_ADD(4),
    BIND_MW(5),
    LOCAL_INV(6),
    FLUSH(8),
    ATOMIC_WRITE(9),
    /** The number is the kernel's, libibverbs has none. */
    REG_MR(10),
    RECV(128),
    RECV_RDMA_WITH_IMM(129);

    private static final WcOpcode[] BY_NUMBER = new WcOpcode[130];

    static {
        for (WcOpcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;

    WcOpcode(int number) {
        this.number = number;
    }

    static WcOpcode of(int number) {
        return BY_NUMBER[number];
    }

    public int number() {
        return number;
    }

    /** True for completions of the receive side. */
    public boolean isReceive() {
        return number >= RECV.number;
    }
}
