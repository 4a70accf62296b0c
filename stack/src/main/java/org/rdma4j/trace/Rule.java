package org.rdma4j.trace;

/**
 * Why a packet got its answer. Each drop, NAK and refusal names one; counters count by it, captures carry it. The id is
 * that of the conformance catalogue's row or group, the clause that of the IBTA specification, volume 1 ("C9" and "o9"
 * are its compliance statements), or of its RoCE annexes A16 and A17.
 */
public enum Rule {
    ACCEPTED("OK", "the packet was the next one expected and was executed", "9.7", Outcome.ACCEPTED),
    ACCEPTED_ACK("OK-ACK", "the response acknowledged what it names", "9.7.5", Outcome.ACCEPTED),
    DUPLICATE_ANSWERED(
            "PSN-03", "a duplicate request was answered again and not executed again", "9.7.1", Outcome.ACCEPTED),

    TOO_SHORT("HDR-09", "the packet is shorter than the headers of its opcode", "9.6"),
    LENGTH_NOT_WORDS("HDR-10", "the length is not a multiple of 4 bytes", "7.7"),
    IP_CHECKSUM("HDR-14", "the checksum of the IPv4 header is wrong", "A17"),
    ICRC_MISMATCH("CRC-02", "the ICRC is wrong", "7.8"),
    TRANSPORT_VERSION("HDR-01", "TVer is not 0", "9.6"),
    UNKNOWN_QP("HDR-04", "no queue pair has this number", "9.6"),
    OPCODE_CLASS("HDR-06", "the opcode belongs to another transport service than the queue pair", "9.6"),
    PKEY_MISMATCH("KEY-11", "the P_Key does not match", "10.9"),
    MIGRATION_PATH("QPS-18", "the peer has migrated to a path that is not the alternate one here", "17.2.8"),
    WRONG_PEER("HDR-18", "the source address is not that of the connected peer", "A17"),
    QP_NOT_READY("QPS-01", "the queue pair's state does not take packets", "10.3"),
    CNP_IGNORED("ECN-07", "a congestion notification was noted", "A17", Outcome.HEEDED),
    CNP_HANDLED("ECN-07", "a congestion notification cut the queue pair's rate", "A17", Outcome.HEEDED),

    PSN_SEQUENCE("PSN-01", "a packet is missing before this one: NAK with the PSN expected", "9.7.1", Outcome.REFUSED),
    PSN_SEQUENCE_WAITING("PSN-02", "a packet is missing and its NAK is out: dropped in silence", "9.7.1"),
    DUPLICATE_DROPPED("RDA-25", "a duplicate READ or atomic that no resource is kept for", "9.7.1"),
    OPCODE_SEQUENCE(
            "OPS-01", "the opcode does not follow from the one before: NAK invalid request", "9.7.4", Outcome.REFUSED),
    OPCODE_RESERVED("HDR-07", "the opcode is reserved: NAK invalid request", "9.9.3", Outcome.REFUSED),
    PAYLOAD_LENGTH(
            "LEN-01",
            "the payload's length does not fit opcode, path MTU or message: NAK invalid request",
            "9.7.4",
            Outcome.REFUSED),
    MESSAGE_LENGTH("LEN-07", "DMALen is above 2^31: NAK invalid request", "C9-94", Outcome.REFUSED),
    RECEIVE_TOO_SMALL(
            "LEN-10", "the message is longer than the receive buffer: NAK invalid request", "9.9.3", Outcome.REFUSED),
    RECEIVE_NOT_READY("RNR-01", "no receive is posted: RNR NAK", "9.7.5", Outcome.REFUSED),
    RECEIVE_NOT_READY_WAITING("RNR-02", "waiting for the packet that got the RNR NAK: dropped in silence", "9.7.5"),
    QP_ACCESS("KEY-06", "the queue pair does not allow this operation: NAK invalid request", "9.7.4", Outcome.REFUSED),
    REMOTE_ACCESS(
            "KEY-01",
            "R_Key, range or rights do not allow this access: NAK remote access error",
            "9.7.4",
            Outcome.REFUSED),
    ATOMIC_ALIGNMENT(
            "RDA-22", "an atomic's address is not a multiple of 8: NAK invalid request", "9.4.5", Outcome.REFUSED),
    FLUSH_TYPE(
            "EXT-01",
            "a FLUSH of a placement or selectivity that does not exist: NAK invalid request",
            "A19",
            Outcome.REFUSED),
    FLUSH_FAILED(
            "EXT-03",
            "what a FLUSH is about could not be stored: NAK remote operational error",
            "A19",
            Outcome.REFUSED),
    TOO_MANY_READS(
            "RDA-09",
            "more READs and atomics outstanding than max_dest_rd_atomic: NAK invalid request",
            "9.7.4",
            Outcome.REFUSED),
    RECEIVE_FAULT(
            "QPS-14",
            "a posted receive names memory that it may not write: NAK remote operational error",
            "9.9.3",
            Outcome.REFUSED),
    INVALIDATE_FAULT("OPS-07", "the R_Key to invalidate is not one that may be invalidated", "10.6"),

    QKEY_MISMATCH("KEY-14", "the Q_Key is not the queue pair's: dropped in silence", "9.6.1"),
    DATAGRAM_OPCODE("UD-05", "no opcode of the datagram service: dropped in silence", "9.8.3"),
    DATAGRAM_TOO_LONG("UD-03", "the datagram is longer than the port's MTU: dropped in silence", "9.8.3"),
    DATAGRAM_DOES_NOT_FIT("UD-04", "GRH and datagram are longer than the receive: dropped in silence", "9.8.3"),
    MULTICAST_UNATTACHED("UD-10", "no queue pair is attached to the group: dropped in silence", "10.5.2"),
    MULTICAST_ADDRESS("UD-11", "QP 0xFFFFFF with an address that is no group: dropped in silence", "9.6"),
    MULTICAST_OWN("UD-13", "what a queue pair sends to a group is not given back to it", "10.5.2"),
    UC_GAP("UC-01", "a packet of the message is missing: its rest is dropped in silence", "9.8.2"),
    UC_NO_MESSAGE("UC-04", "the packet goes on with a message whose start is missing: dropped in silence", "9.8.2"),
    UC_SEQUENCE("UC-04", "the opcode does not follow from the one before: the message is dropped", "9.8.2"),
    UC_RECEIVE_TOO_SMALL("UC-06", "the message is longer than its receive: dropped in silence", "9.9.3"),
    UC_LENGTH("UC-06", "the payload's length does not fit opcode, path MTU or message: dropped in silence", "9.9.3"),
    UC_ACCESS("UC-06", "R_Key, range or rights do not allow this WRITE: dropped in silence", "9.9.3"),
    UC_OPCODE("UC-07", "no opcode of the unreliable connected service: dropped in silence", "9.8.2"),
    LOCAL_RECEIVE_FAULT("QPS-14", "a posted receive of UC or UD names memory that it may not write", "9.9.3"),
    RECEIVE_MISSING("RNR-15", "no receive is posted, and the service has no RNR NAK: dropped in silence", "9.8"),

    XRC_SRQ(
            "XRC-01",
            "the domain has no shared receive queue of this number: NAK invalid request",
            "A14",
            Outcome.REFUSED),
    XRC_REQUEST_AT_INITIATOR("XRC-03", "a request came to the sending end of an XRC connection", "A14"),

    GHOST_ACK("ACK-18", "the response names a PSN that is acknowledged already", "9.7.5"),
    ACK_AHEAD("ACK-17", "the response names a PSN that was not sent", "9.7.5"),
    RESPONSE_GAP("RDA-11", "a READ response is missing before this one: requested again", "9.7.5", Outcome.HEEDED),
    RESPONSE_UNEXPECTED("RDA-17", "the response does not fit the oldest request", "9.9.2"),
    RESPONSE_LENGTH("RDA-16", "the READ response has the wrong length", "9.9.2"),
    AETH_RESERVED("ACK-19", "the syndrome is reserved", "9.7.5"),
    NAK_RECEIVED("ACK-21", "the responder asked for a resend or refused the request", "9.9.2", Outcome.HEEDED),
    RNR_NAK_RECEIVED("RNR-06", "the responder was not ready: resend after the time it named", "9.7.5", Outcome.HEEDED),
    RECOVERING("ACK-24", "a NAK while the resend that it asks for is under way", "9.7.5"),

    MAD_LENGTH("CM-22", "a management datagram has 256 bytes", "13.4.1"),
    MAD_VERSION("CM-22", "base or class version of the management datagram is not known", "13.4.2"),
    MAD_METHOD("CM-22", "method or status of the management datagram is not that of connection management", "16.7.2"),
    CM_DUPLICATE("CM-02", "a message of connection management that came before: at most answered again", "12.9.8"),
    CM_UNKNOWN_ID("CM-14", "no connection with this peer has this communication ID", "12.9.8"),
    CM_WRONG_STATE("CM-14", "the message does not fit the connection's state", "12.9.7"),
    CM_REFUSED("CM-04", "the request was refused", "12.6.7"),

    INJECTED_LOSS("FLT-01", "lost on purpose by the fault injector", "none");

    private final String id;
    private final String text;
    private final String clause;
    private final Outcome outcome;

    /** A rule by which packets are dropped. */
    Rule(String id, String text, String clause) {
        this(id, text, clause, Outcome.DROPPED);
    }

    Rule(String id, String text, String clause, Outcome outcome) {
        this.id = id;
        this.text = text;
        this.clause = clause;
        this.outcome = outcome;
    }

    /** The catalogue's row that shows this rule. */
    public String id() {
        return id;
    }

    /** One line in words. */
    public String text() {
        return text;
    }

    /** Where the rule stands. */
    public String clause() {
        return clause;
    }

    /** What became of the packet. */
    public Outcome outcome() {
        return outcome;
    }

    /** True for a packet that did what it was meant to do. */
    public boolean accepted() {
        return outcome == Outcome.ACCEPTED;
    }
}
