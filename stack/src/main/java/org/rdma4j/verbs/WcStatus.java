package org.rdma4j.verbs;

/** {@code ibv_wc_status}, with its numbers, and what each one means in a sentence. */
public enum WcStatus {
    SUCCESS(0, "success"),
    LOC_LEN_ERR(1, "local length error: a message did not fit its buffer, or is longer than the service allows"),
    LOC_QP_OP_ERR(2, "local QP operation error: a work request, or one of the peer's, does not fit this queue pair"),
    LOC_EEC_OP_ERR(3, "local EE context operation error"),
    LOC_PROT_ERR(4, "local protection error: an L_Key, its range or its rights do not allow this"),
    WR_FLUSH_ERR(5, "flushed: the queue pair went to the error state before this was done"),
    MW_BIND_ERR(6, "memory window bind error"),
    BAD_RESP_ERR(7, "bad response: the responder answered with something that does not fit the request"),
    LOC_ACCESS_ERR(8, "local access error: the peer's request violated this side's memory rights"),
    REM_INV_REQ_ERR(9, "remote invalid request: the responder refused the request as such (NAK 0x61)"),
    REM_ACCESS_ERR(10, "remote access error: R_Key, range or rights at the responder (NAK 0x62)"),
    REM_OP_ERR(11, "remote operation error: the responder could not complete it (NAK 0x63)"),
    RETRY_EXC_ERR(12, "transport retries exceeded: no answer from the peer"),
    RNR_RETRY_EXC_ERR(13, "RNR retries exceeded: the peer posted no receive in time"),
    LOC_RDD_VIOL_ERR(14, "local RDD violation"),
    REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),
    REM_ABORT_ERR(16, "remote abort"),
    INV_EECN_ERR(17, "invalid EE context number"),
    INV_EEC_STATE_ERR(18, "invalid EE context state"),
    FATAL_ERR(19, "fatal error"),
    RESP_TIMEOUT_ERR(20, "response timeout"),
    GENERAL_ERR(21, "general error"),
    TM_ERR(22, "tag matching error"),
    TM_RNDV_INCOMPLETE(23, "tag matching rendezvous incomplete");

    private static final WcStatus[] BY_NUMBER = values();

    private final int number;
    private final String text;

    WcStatus(int number, String text) {
        this.number = number;
        this.text = text;
    }

    static WcStatus of(int number) {
        return BY_NUMBER[number];
    }

    public int number() {
        return number;
    }

    /** As {@code ibv_wc_status_str} does, in more words. */
    public String text() {
        return text;
    }
}
