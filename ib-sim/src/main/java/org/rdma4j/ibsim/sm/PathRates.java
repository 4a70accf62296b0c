package org.rdma4j.ibsim.sm;

/** The codes that path and multicast member records have for a rate (IBTA volume 1, 15.2.5.16). */
final class PathRates {

    /** Gb/s of a lane, line code and all, by LinkSpeedActive: SDR, DDR, QDR. */
    private static final double[] PLAIN = {0, 2.5, 5, 0, 10};

    /** By LinkSpeedExtActive: FDR, EDR, HDR, NDR. */
    private static final double[] EXTENDED = {0, 14.0625, 25, 0, 50, 0, 0, 0, 100};

    private static final int[] LANES = {0, 1, 4, 0, 8, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 2};

    /** Gb/s and its code. */
    private static final double[][] CODES = {
        {2.5, 2},
        {5, 5},
        {10, 3},
        {14.0625, 11},
        {20, 6},
        {25, 15},
        {28.125, 19},
        {30, 4},
        {40, 7},
        {50, 20},
        {56.25, 12},
        {60, 8},
        {80, 9},
        {100, 16},
        {112.5, 13},
        {120, 10},
        {168.75, 14},
        {200, 17},
        {300, 18},
        {400, 21},
        {600, 22},
        {800, 23},
        {1200, 24}
    };

    private PathRates() {}

    /** @param extended 0 where the plain speed counts */
    static int code(int width, int speed, int extended) {
        double lane = extended > 0 ? at(EXTENDED, extended) : at(PLAIN, speed);
        double rate = lane * (width < LANES.length ? LANES[width] : 0);
        int code = 0;
        for (double[] entry : CODES) {
            if (entry[0] <= rate) {
                code = (int) entry[1];
            }
        }
        return code;
    }

    /** True where one code's rate is less than the other's; the codes are not in the rates' order. */
    static boolean isLess(int one, int other) {
        return place(one) < place(other);
    }

    private static int place(int code) {
        for (int at = 0; at < CODES.length; at++) {
            if (CODES[at][1] == code) {
                return at;
            }
        }
        return -1;
    }

    private static double at(double[] table, int index) {
        return index < table.length ? table[index] : 0;
    }
}
