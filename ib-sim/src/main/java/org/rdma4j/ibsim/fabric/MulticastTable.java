package org.rdma4j.ibsim.fabric;

import java.util.HashMap;
import java.util.Map;

/** A switch's multicast forwarding table (IBTA volume 1, 18.2.4.3.3): multicast LID to a set of ports, a bit each. */
public final class MulticastTable {

    /** Ports that a set can name: 0 to 63. */
    public static final int PORTS = Long.SIZE;

    private final Map<Integer, Long> ports = new HashMap<>();

    public long ports(int lid) {
        return ports.getOrDefault(lid, 0L);
    }

    public void set(int lid, long portMask) {
        if (portMask == 0) {
            ports.remove(lid);
        } else {
            ports.put(lid, portMask);
        }
    }
}
