package org.rdma4j.analysis;

import java.util.Locale;
import org.rdma4j.trace.Rule;

/** What there is to find in a capture, with the rule behind it: the catalogue's id and the clause. */
public enum FindingKind {
    RETRANSMISSION(Severity.WARNING, "ACK-21", "9.7.5"),
    SPURIOUS_RETRANSMISSION(Severity.WARNING, "RTX-11", "9.7.5"),
    DUPLICATE(Severity.NOTE, "PSN-03", "9.7.1"),
    LATE(Severity.NOTE, "PSN-14", "9.7.1"),
    GAP(Severity.WARNING, "PSN-01", "9.7.1"),
    RESPONSE_GAP(Severity.WARNING, "RDA-11", "9.7.5"),
    NAK(Severity.WARNING, "PSN-01", "9.7.1"),
    NAK_FATAL(Severity.ERROR, "ACK-21", "9.9.2"),
    RNR(Severity.WARNING, "RNR-01", "9.7.5"),
    GHOST_ACK(Severity.NOTE, "ACK-18", "9.7.5"),
    ACK_AHEAD(Severity.ERROR, "ACK-17", "9.7.5"),
    MSN_JUMP(Severity.ERROR, "ACK-05", "9.7.7"),
    SYNDROME(Severity.ERROR, "ACK-19", "9.7.5"),
    CREDIT_STALL(Severity.WARNING, "ACK-12", "9.7.7"),
    BAD_ICRC(Severity.ERROR, "CRC-02", "7.8"),
    BAD_VCRC(Severity.WARNING, "CRC-09", "7.8.2"),
    LENGTH(Severity.ERROR, "LEN-09", "9.7.4"),
    OPCODE_SEQUENCE(Severity.ERROR, "OPS-01", "9.7.4"),
    R_KEY_UNKNOWN(Severity.WARNING, "KEY-01", "9.7.4"),
    READ_OVERCOMMIT(Severity.ERROR, "RDA-09", "9.7.4"),
    PATH_MTU(Severity.ERROR, "LEN-01", "9.7.4"),
    MIG_REQ(Severity.NOTE, "HDR-28", "17.2.8"),
    TIMER(Severity.WARNING, "RTX-01", "9.7.6"),
    RNR_TIMER(Severity.WARNING, "RNR-06", "9.7.5"),
    PORT_REHASH(Severity.NOTE, "HDR-17", "A17"),
    CNP_FREQUENT(Severity.NOTE, "ECN-03", "A17"),
    ECN_WITHOUT_CNP(Severity.NOTE, "ECN-01", "A17"),
    MALFORMED(Severity.ERROR, "HDR-09", "9.6"),
    CONNECTION(Severity.NOTE, "CM-01", "12.9.7");

    private final Severity severity;
    private final String rule;
    private final String clause;

    FindingKind(Severity severity, String rule, String clause) {
        this.severity = severity;
        this.rule = rule;
        this.clause = clause;
    }

    public Severity severity() {
        return severity;
    }

    /** The row of the conformance catalogue, the same as that of {@link Rule#id()}. */
    public String rule() {
        return rule;
    }

    /** Where the rule stands: IBTA volume 1, or one of its annexes. */
    public String clause() {
        return clause;
    }

    /** As people write it: {@code spurious-retransmission}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
