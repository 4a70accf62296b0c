package org.rdma4j.ibsim.fabric;

import org.rdma4j.wire.FlowPacket;

/**
 * Which virtual lane of a port sends next (IBTA volume 1, 7.6.9): VL15 before all, then the high-priority table, and the
 * low-priority one where that has nothing or has had its limit.
 */
public final class LaneArbiter {

    /** A limit that is none. */
    public static final int UNLIMITED = 255;

    private static final int LIMIT_UNIT = 4096 / FlowPacket.BLOCK;

    private final ArbitrationTable high = new ArbitrationTable();
    private final ArbitrationTable low;
    private int limit;
    private int highSent;
    private ArbitrationTable chosen;

    /** @param lanes data lanes of the port: in equal parts until somebody sets the tables */
    LaneArbiter(int lanes) {
        low = ArbitrationTable.even(lanes);
    }

    public ArbitrationTable high() {
        return high;
    }

    public ArbitrationTable low() {
        return low;
    }

    /** LimitOfHighPriority: units of 4 KB, 0 for one packet, 255 for no limit. */
    public int limit() {
        return limit;
    }

    public void setLimit(int units) {
        limit = units;
    }

    /** @param ready lanes that can send, a bit each; @return -1 where the tables let none of them */
    int pick(int ready) {
        chosen = null;
        if ((ready >> Port.MANAGEMENT_LANE & 1) != 0) {
            return Port.MANAGEMENT_LANE;
        }
        boolean highMay = limit == UNLIMITED || highSent == 0 || highSent < limit * LIMIT_UNIT;
        if (highMay) {
            int lane = high.pick(ready);
            if (lane >= 0) {
                chosen = high;
                return lane;
            }
        }
        int lane = low.pick(ready);
        if (lane >= 0) {
            chosen = low;
            return lane;
        }
        highSent = 0; // the low-priority table had its chance
        lane = high.pick(ready);
        chosen = lane >= 0 ? high : null;
        return lane;
    }

    /** The lane that was picked has sent so many blocks. */
    void charge(int blocks) {
        if (chosen == null) {
            return;
        }
        chosen.charge(blocks);
        highSent = chosen == high ? highSent + blocks : 0;
    }
}
