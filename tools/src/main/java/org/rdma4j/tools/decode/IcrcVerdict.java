package org.rdma4j.tools.decode;

import org.rdma4j.wire.RoceFrame;

/** What the ICRC of a captured packet says. */
public enum IcrcVerdict {
    RIGHT("right"),
    WRONG("WRONG"),
    /** The capture did not keep the whole packet. */
    CUT_OFF("cut off");

    private final String text;

    IcrcVerdict(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static IcrcVerdict of(RoceFrame frame) {
        return frame.icrcIsRight() ? RIGHT : WRONG;
    }
}
