package org.rdma4j.transport;

/** Completion statuses, opcodes and flags, with libibverbs' numbers ({@code ibv_wc_status}, {@code ibv_wc_opcode}). */
public final class Status {

    public static final int SUCCESS = 0;
    public static final int LOC_LEN_ERR = 1;
    public static final int LOC_QP_OP_ERR = 2;
    public static final int LOC_PROT_ERR = 4;
    public static final int WR_FLUSH_ERR = 5;
    public static final int MW_BIND_ERR = 6;
    public static final int BAD_RESP_ERR = 7;
    public static final int LOC_ACCESS_ERR = 8;
    public static final int REM_INV_REQ_ERR = 9;
    public static final int REM_ACCESS_ERR = 10;
    public static final int REM_OP_ERR = 11;
    public static final int RETRY_EXC_ERR = 12;
    public static final int RNR_RETRY_EXC_ERR = 13;
    public static final int REM_INV_RD_REQ_ERR = 15;

    /** Completion opcodes. */
    public static final int WC_SEND = 0;

    public static final int WC_RDMA_WRITE = 1;
    public static final int WC_RDMA_READ = 2;
    public static final int WC_COMP_SWAP = 3;
    public static final int WC_FETCH_ADD = 4;
    public static final int WC_BIND_MW = 5;
    public static final int WC_LOCAL_INV = 6;

    /** The kernel's {@code IB_WC_REG_MR}. */
    public static final int WC_REG_MR = 10;

    public static final int WC_FLUSH = 8;
    public static final int WC_ATOMIC_WRITE = 9;
    public static final int WC_RECV = 128;
    public static final int WC_RECV_RDMA_WITH_IMM = 129;

    /** Completion flags. */
    public static final int WC_GRH = 1;

    public static final int WC_WITH_IMM = 2;

    public static final int WC_WITH_INV = 8;

    private Status() {}

    /** As libibverbs names it, without its prefix. */
    static String name(int status) {
        return switch (status) {
            case SUCCESS -> "SUCCESS";
            case LOC_LEN_ERR -> "LOC_LEN_ERR";
            case LOC_QP_OP_ERR -> "LOC_QP_OP_ERR";
            case LOC_PROT_ERR -> "LOC_PROT_ERR";
            case WR_FLUSH_ERR -> "WR_FLUSH_ERR";
            case MW_BIND_ERR -> "MW_BIND_ERR";
            case BAD_RESP_ERR -> "BAD_RESP_ERR";
            case LOC_ACCESS_ERR -> "LOC_ACCESS_ERR";
            case REM_INV_REQ_ERR -> "REM_INV_REQ_ERR";
            case REM_ACCESS_ERR -> "REM_ACCESS_ERR";
            case REM_OP_ERR -> "REM_OP_ERR";
            case RETRY_EXC_ERR -> "RETRY_EXC_ERR";
            case RNR_RETRY_EXC_ERR -> "RNR_RETRY_EXC_ERR";
            case REM_INV_RD_REQ_ERR -> "REM_INV_RD_REQ_ERR";
            default -> "status " + status;
        };
    }

    /** The completion's opcode for a work request's. */
    public static int completionOpcode(int op) {
        return switch (op) {
            case Op.RDMA_WRITE, Op.RDMA_WRITE_WITH_IMM -> WC_RDMA_WRITE;
            case Op.RDMA_READ -> WC_RDMA_READ;
            case Op.ATOMIC_CMP_AND_SWP -> WC_COMP_SWAP;
            case Op.ATOMIC_FETCH_AND_ADD -> WC_FETCH_ADD;
            case Op.LOCAL_INV -> WC_LOCAL_INV;
            case Op.BIND_MW -> WC_BIND_MW;
            case Op.REG_MR -> WC_REG_MR;
            case Op.FLUSH -> WC_FLUSH;
            case Op.ATOMIC_WRITE -> WC_ATOMIC_WRITE;
            default -> WC_SEND;
        };
    }
}
