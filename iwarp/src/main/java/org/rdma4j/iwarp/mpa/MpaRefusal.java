package org.rdma4j.iwarp.mpa;

import org.rdma4j.iwarp.wire.TerminateCode;

/**
 * Why a connection did not come about, seen from the side that gave it up. Counters count by it; the id is that of the
 * conformance catalogue's row, the clause that of RFC 5044 where it names no other.
 */
public enum MpaRefusal {
    NOT_MPA("MPA-01", "the first bytes are not the key of an MPA frame", "7.1.1"),
    TWO_REQUESTS("MPA-10", "a request came where a reply was due: both sides started", "7.1.2"),
    REVISION("MPA-02", "the frame's revision is not one that this side speaks", "7.1.1"),
    PRIVATE_DATA_TOO_LONG("MPA-03", "the frame promises more than 512 bytes of private data", "7.1.1"),
    ENHANCED_DATA_MISSING(
            "MPA-20", "the S flag is set and the private data is too short for IRD and ORD", "RFC 6581, 9"),
    NOT_ENHANCED("MPA-20", "the reply to an enhanced request is not enhanced", "RFC 6581, 6"),
    MARKERS_UNSUPPORTED("MPA-06", "the peer asks for markers and this side sends none", "7.1.1"),
    CRC_REFUSED("MPA-04", "this side asked for CRCs and the reply does not, under siw's rule", "7.1.1"),
    EARLY_DATA("MPA-08", "bytes came behind the request before it was answered", "7.1.2"),
    REJECTED_BY_PEER("MPA-07", "the responder's application said no", "7.1.1"),
    REJECTED("MPA-07", "the application here said no", "7.1.1"),
    INSUFFICIENT_IRD(
            "MPA-18",
            "the responder means to have more READs outstanding than this side takes on",
            "RFC 6581, 9.1",
            TerminateCode.MPA_INSUFFICIENT_IRD),
    NO_MATCHING_RTR(
            "MPA-19",
            "the two sides have no ready-to-receive message in common",
            "RFC 6581, 9.2",
            TerminateCode.MPA_NO_MATCHING_RTR),
    WRONG_RTR(
            "MPA-19",
            "the first FPDU is not the ready-to-receive message that was agreed on",
            "RFC 6581, 9.2",
            TerminateCode.MPA_NO_MATCHING_RTR),
    REQUEST_TIMEOUT("MPA-17", "the request did not arrive in whole in time", "7.1.2"),
    REPLY_TIMEOUT("MPA-17", "the reply did not arrive in whole in time", "7.1.2"),
    CLOSED("MPA-21", "the peer closed before the connection was there", "7.1.2"),
    ABANDONED("MPA-21", "this side closed before the connection was there", "7.1.2");

    private final String id;
    private final String text;
    private final String clause;
    private final TerminateCode terminateCode;

    MpaRefusal(String id, String text, String clause) {
        this(id, text, clause, null);
    }

    MpaRefusal(String id, String text, String clause, TerminateCode terminateCode) {
        this.id = id;
        this.text = text;
        this.clause = clause;
        this.terminateCode = terminateCode;
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

    /**
     * What a Terminate tells the peer, which is in full operation already and can take one; {@code null} where the
     * connection is just closed (RFC 5044, 7.1.2; RFC 6581, 8).
     */
    public TerminateCode terminateCode() {
        return terminateCode;
    }
}
