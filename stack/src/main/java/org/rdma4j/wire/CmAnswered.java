package org.rdma4j.wire;

/** Which message an MRA or a REJ is about (IBTA volume 1, 12.6.6 and 12.6.7); the number is its two bits there. */
public enum CmAnswered {
    REQ,
    REP,
    /** A LAP in an MRA; in a REJ any other message, or none. */
    OTHER,
    RESERVED;

    private static final CmAnswered[] BY_NUMBER = values();

    static CmAnswered of(int number) {
        return BY_NUMBER[number & 3];
    }
}
