package org.rdma4j.ibsim.fabric;

import java.util.Arrays;

/** A switch's linear forwarding table (IBTA volume 1, 18.2.4.3.1): LID to port. */
public final class ForwardingTable {

    /** No port. */
    public static final int NOWHERE = 255;

    private static final int GROWTH = 64;

    private byte[] ports = new byte[0];

    public int port(int lid) {
        return lid < ports.length ? ports[lid] & 0xFF : NOWHERE;
    }

    public void set(int lid, int port) {
        if (lid >= ports.length) {
            int old = ports.length;
            ports = Arrays.copyOf(ports, (lid / GROWTH + 1) * GROWTH);
            Arrays.fill(ports, old, ports.length, (byte) NOWHERE);
        }
        ports[lid] = (byte) port;
    }
}
