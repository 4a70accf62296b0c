package org.rdma4j.ibsim.fabric;

/** What one lane of a link carries (IBTA volume 2, 5; the codes are those of PortInfo, volume 1, 14.2.5.6). */
public enum LinkSpeed {
    SDR(1, 0, 2.0),
    DDR(2, 0, 4.0),
    QDR(4, 0, 8.0),
    FDR(4, 1, 13.636_363_636),
    EDR(4, 2, 25.0),
    HDR(4, 4, 50.0),
    NDR(4, 8, 100.0);

    private final int code;
    private final int extendedCode;
    private final double gigabits;

    LinkSpeed(int code, int extendedCode, double gigabits) {
        this.code = code;
        this.extendedCode = extendedCode;
        this.gigabits = gigabits;
    }

    /** LinkSpeedActive. */
    public int code() {
        return code;
    }

    /** LinkSpeedExtActive; 0 up to QDR. */
    public int extendedCode() {
        return extendedCode;
    }

    /** Gb/s of data a lane, line code taken off. */
    public double gigabits() {
        return gigabits;
    }
}
