package org.rdma4j.ibsim.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.wire.NetworkOrder;

/**
 * A port's M_Key (IBTA volume 1, 14.2.4): who may read and set it. Where somebody comes with a wrong one a lease begins to
 * run; a datagram with the right one ends it, and when it is over M_KeyProtectBits are 0: a manager whose predecessor died
 * with the key can read it then, and go on with it.
 */
final class MKeyLease {

    private static final long SECOND = 1_000_000_000_000L;
    private static final int PROTECTION_SHIFT = 6;
    private static final int MOST_VIOLATIONS = 0xFFFF;

    private final MemorySegment portInfo;
    private long ends = Long.MAX_VALUE;

    /** @param portInfo the attribute as it is kept */
    MKeyLease(MemorySegment portInfo) {
        this.portInfo = portInfo;
    }

    private long key() {
        return portInfo.get(NetworkOrder.LONG, PortInfo.M_KEY);
    }

    private int period() {
        return portInfo.get(NetworkOrder.SHORT, PortInfo.M_KEY_LEASE_PERIOD) & 0xFFFF;
    }

    /** M_KeyProtectBits: from 1 on a wrong key does not read the key, from 2 on nothing. */
    int protection(long now) {
        if (now >= ends) {
            ends = Long.MAX_VALUE;
            int byteThere = portInfo.get(ValueLayout.JAVA_BYTE, PortInfo.PROTECT_LMC);
            portInfo.set(ValueLayout.JAVA_BYTE, PortInfo.PROTECT_LMC, (byte) (byteThere & 0x3F));
        }
        return (portInfo.get(ValueLayout.JAVA_BYTE, PortInfo.PROTECT_LMC) & 0xFF) >> PROTECTION_SHIFT;
    }

    /** True for a datagram with the right key, or where there is none; the right one ends a lease that runs. */
    boolean isTrusted(long theirs, long now) {
        protection(now);
        boolean right = key() == 0 || key() == theirs;
        if (right) {
            renew();
        }
        return right;
    }

    /** The lease does not run. */
    void renew() {
        ends = Long.MAX_VALUE;
    }

    /** A wrong key: M_KeyViolations counts it, and the lease runs, if it has an end and does not run yet. */
    void violated(long now) {
        int count = portInfo.get(NetworkOrder.SHORT, PortInfo.M_KEY_VIOLATIONS) & 0xFFFF;
        portInfo.set(NetworkOrder.SHORT, PortInfo.M_KEY_VIOLATIONS, (short) Math.min(count + 1, MOST_VIOLATIONS));
        if (ends == Long.MAX_VALUE && period() != 0) {
            ends = now + period() * SECOND;
        }
    }
}
