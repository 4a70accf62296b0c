package org.rdma4j.iwarp.capture;

/** What can be said of a FPDU's CRC. */
public enum CrcVerdict {
    RIGHT("right"),
    WRONG("WRONG"),
    /** Neither side asked for CRCs. */
    UNUSED("off");

    private final String text;

    CrcVerdict(String text) {
        this.text = text;
    }

    /** In a word. */
    public String text() {
        return text;
    }
}
