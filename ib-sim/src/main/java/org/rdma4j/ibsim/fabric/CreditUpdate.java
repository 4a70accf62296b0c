package org.rdma4j.ibsim.fabric;

/** Flow control packets, one for each of some lanes, on their way to a port. */
final class CreditUpdate {

    private final int[] totalBlocksSent = new int[Port.LANES];
    private final int[] creditLimit = new int[Port.LANES];
    private int lanes;
    private long time;

    /** The one that comes behind it, or that is unused as well. */
    CreditUpdate next;

    /** @param arrival when it is there, ps */
    void begin(long arrival) {
        lanes = 0;
        next = null;
        time = arrival;
    }

    void add(int lane, int sent, int limit) {
        lanes |= 1 << lane;
        totalBlocksSent[lane] = sent;
        creditLimit[lane] = limit;
    }

    /** When it is there, ps. */
    long time() {
        return time;
    }

    /** The lanes that it is about, a bit each. */
    int lanes() {
        return lanes;
    }

    /** FCTBS of a lane. */
    int totalBlocksSent(int lane) {
        return totalBlocksSent[lane];
    }

    /** FCCL of a lane. */
    int creditLimit(int lane) {
        return creditLimit[lane];
    }
}
