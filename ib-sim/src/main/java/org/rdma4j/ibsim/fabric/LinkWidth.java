package org.rdma4j.ibsim.fabric;

/** Lanes of a link; the codes are those of PortInfo. */
public enum LinkWidth {
    X1(1, 1),
    X4(2, 4),
    X8(4, 8),
    X12(8, 12);

    private final int code;
    private final int lanes;

    LinkWidth(int code, int lanes) {
        this.code = code;
        this.lanes = lanes;
    }

    /** LinkWidthActive. */
    public int code() {
        return code;
    }

    public int lanes() {
        return lanes;
    }
}
