package org.rdma4j.ibsim.fabric;

import org.rdma4j.ibsim.time.Event;

/** Flow control packets, one for each of some lanes, on their way to a port. */
final class CreditUpdate extends Event {

    private final Port to;
    private final int[] totalBlocksSent = new int[Port.LANES];
    private final int[] creditLimit = new int[Port.LANES];
    private int lanes;

    CreditUpdate(Port to) {
        this.to = to;
    }

    void begin() {
        lanes = 0;
    }

    void add(int lane, int sent, int limit) {
        lanes |= 1 << lane;
        totalBlocksSent[lane] = sent;
        creditLimit[lane] = limit;
    }

    @Override
    protected void happen(long now) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            to.credited(lane, totalBlocksSent[lane], creditLimit[lane], now);
        }
        to.giveBack(this);
        to.trySend(now);
    }
}
