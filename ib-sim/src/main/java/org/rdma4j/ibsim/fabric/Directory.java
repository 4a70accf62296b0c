package org.rdma4j.ibsim.fabric;

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
    private final Map<Integer, Port> byLid = new HashMap<>();

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
        return byLid.get(lid);
    }

    /** LIDs have changed. */
    void forget() {
        byGid.clear();
    }

    private void look() {
        if (!byGid.isEmpty()) {
            return;
        }
        byLid.clear();
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
            for (int offset = 0; offset < 1 << port.settings().lidMaskControl(); offset++) {
                byLid.put(lid + offset, port);
            }
        }
    }
}
