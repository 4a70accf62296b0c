package org.rdma4j.ibsim.fabric;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.rdma4j.wire.Gid;

/**
 * Which port has which LID and which GID: what a host learns from the subnet administrator's path records, looked up where
 * it is known.
 */
public final class Directory {

    /** The prefix of a subnet that has been given none. */
    public static final long DEFAULT_PREFIX = 0xFE80_0000_0000_0000L;

    private final Fabric fabric;
    private final Map<Gid, Port> byGid = new HashMap<>();
    private Port[] byLid = {};

    Directory(Fabric fabric) {
        this.fabric = fabric;
    }

    /** The port's first GID. */
    public static Gid gidOf(Port port) {
        return new Gid(DEFAULT_PREFIX, port.guid());
    }

    /** The port that a GID is one of, or {@code null}. */
    public Port portOf(Gid gid) {
        look();
        return byGid.get(gid);
    }

    /** The port that has a LID, or {@code null}. */
    public Port portOf(int lid) {
        look();
        return lid < byLid.length ? byLid[lid] : null;
    }

    /** LIDs have changed. */
    void forget() {
        byGid.clear();
    }

    private void look() {
        if (!byGid.isEmpty()) {
            return;
        }
        byLid = new Port[0];
        for (Node node : fabric.nodes()) {
            for (int number = 0; number <= node.portCount(); number++) {
                if (node.hasPort(number)) {
                    enter(node.port(number));
                }
            }
        }
    }

    private void enter(Port port) {
        byGid.put(gidOf(port), port);
        int lid = port.settings().lid();
        if (lid != Lids.NONE) {
            int end = lid + (1 << port.settings().lidMaskControl());
            if (end > byLid.length) {
                byLid = Arrays.copyOf(byLid, Math.max(end, 2 * byLid.length));
            }
            Arrays.fill(byLid, lid, end, port);
        }
    }
}
