package org.rdma4j.tools.replay;

import org.rdma4j.analysis.Flow;
import org.rdma4j.wire.Gid;

/**
 * One number in place of another, or all moved by the difference of two.
 *
 * @param any whether every number is meant, whatever {@code old} is
 * @param old what the capture has; -1 for no VLAN
 * @param host whose number it is in the capture; {@code null} for anybody's
 * @param flow of a PSN, the flow that it belongs to; {@code null} for each one of the host's
 */
record NumberRule(MapKind kind, boolean any, long old, long replacement, Gid host, Flow flow) {

    /** Whether it says something of this number. */
    boolean covers(long value, Gid owner) {
        return (host == null || host.equals(owner)) && (any || kind.isShift() || value == old);
    }

    long apply(long value) {
        return kind.isShift() ? value + (replacement - old) : replacement;
    }
}
