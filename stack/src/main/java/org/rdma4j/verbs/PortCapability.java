package org.rdma4j.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a port can do ({@code IBV_PORT_*} of {@code port_cap_flags}), with its bits: those that a device here can have. */
public enum PortCapability {
    /** It speaks connection management. */
    CM_SUP(16),
    /** Its GIDs are IP addresses. */
    IP_BASED_GIDS(26);

    /** What every RoCE port of rdma4j can do. */
    static final Set<PortCapability> ROCE = Collections.unmodifiableSet(EnumSet.allOf(PortCapability.class));

    private final int bit;

    PortCapability(int bit) {
        this.bit = bit;
    }

    public int mask() {
        return 1 << bit;
    }

    /** {@code port_cap_flags}. */
    public static int mask(Set<PortCapability> capabilities) {
        return capabilities.stream().mapToInt(PortCapability::mask).reduce(0, (some, more) -> some | more);
    }
}
