package org.rdma4j.wire;

/** Why a connection is rejected (IBTA volume 1, 12.6.7.2, table 109). */
public enum RejReason {
    NO_QP(1, "no queue pair available"),
    NO_EEC(2, "no end-to-end context available"),
    NO_RESOURCES(3, "no resources available"),
    TIMEOUT(4, "timeout"),
    UNSUPPORTED(5, "unsupported request"),
    INVALID_COMM_ID(6, "invalid communication ID"),
    INVALID_COMM_INSTANCE(7, "invalid communication instance"),
    INVALID_SERVICE_ID(8, "invalid service ID: nobody listens there"),
    INVALID_TRANSPORT_TYPE(9, "invalid transport service type"),
    STALE_CONNECTION(10, "stale connection"),
    RDC_NOT_EXIST(11, "reliable datagram channel does not exist"),
    INVALID_GID(12, "invalid primary remote port GID"),
    INVALID_LID(13, "invalid primary remote port LID"),
    INVALID_SL(14, "invalid primary service level"),
    INVALID_TRAFFIC_CLASS(15, "invalid primary traffic class"),
    INVALID_HOP_LIMIT(16, "invalid primary hop limit"),
    INVALID_PACKET_RATE(17, "invalid primary packet rate"),
    INVALID_ALT_GID(18, "invalid alternate remote port GID"),
    INVALID_ALT_LID(19, "invalid alternate remote port LID"),
    INVALID_ALT_SL(20, "invalid alternate service level"),
    INVALID_ALT_TRAFFIC_CLASS(21, "invalid alternate traffic class"),
    INVALID_ALT_HOP_LIMIT(22, "invalid alternate hop limit"),
    INVALID_ALT_PACKET_RATE(23, "invalid alternate packet rate"),
    PORT_CM_REDIRECT(24, "port and connection manager redirection"),
    PORT_REDIRECT(25, "port redirection"),
    INVALID_MTU(26, "invalid path MTU"),
    INSUFFICIENT_RESP_RESOURCES(27, "insufficient responder resources"),
    CONSUMER_DEFINED(28, "rejected by the application"),
    INVALID_RNR_RETRY(29, "invalid RNR retry count"),
    DUPLICATE_LOCAL_COMM_ID(30, "duplicate local communication ID"),
    INVALID_CLASS_VERSION(31, "invalid class version"),
    INVALID_FLOW_LABEL(32, "invalid primary flow label"),
    INVALID_ALT_FLOW_LABEL(33, "invalid alternate flow label"),
    VENDOR_OPTION_NOT_SUPPORTED(35, "vendor option not supported");

    private static final RejReason[] BY_NUMBER = new RejReason[VENDOR_OPTION_NOT_SUPPORTED.number + 1];

    static {
        for (RejReason reason : values()) {
            BY_NUMBER[reason.number] = reason;
        }
    }

    private final int number;
    private final String words;

    RejReason(int number, String words) {
        this.number = number;
        this.words = words;
    }

    /** As it stands in REJ. */
    public int number() {
        return number;
    }

    /** In words, without the number. */
    public String words() {
        return words;
    }

    /** A number in words: {@code 8 (invalid service ID: nobody listens there)}. */
    public static String words(int number) {
        RejReason reason = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
        return number + " (" + (reason == null ? "not one that the standard names" : reason.words) + ")";
    }
}
