package org.rdma4j.analysis;

/** How much a finding matters. */
public enum Severity {
    /** The protocol at work. */
    NOTE("note"),
    /** It costs time or points at trouble. */
    WARNING("warning"),
    /** Somebody breaks a rule, or a connection fails. */
    ERROR("error");

    private final String text;

    Severity(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
