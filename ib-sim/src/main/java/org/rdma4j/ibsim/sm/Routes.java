package org.rdma4j.ibsim.sm;

import java.util.Arrays;

/** By which port each switch sends packets to each LID. */
public final class Routes {

    static final int NOWHERE = 255;

    private final byte[][] ports;
    private final int[][] load;

    /**
     * A way.
     *
     * @param mtu the code of the smallest MTU on it
     * @param rate the code of the lowest rate on it
     * @param hops switches on it
     */
    public record Way(int mtu, int rate, int hops) {}

    /** @param lids one more than the last LID */
    Routes(int switches, int lids) {
        ports = new byte[switches][lids];
        load = new int[switches][NOWHERE + 1];
        for (byte[] row : ports) {
            Arrays.fill(row, (byte) NOWHERE);
        }
    }

    void set(int at, int lid, int port) {
        ports[at][lid] = (byte) port;
        load[at][port]++;
    }

    int port(int at, int lid) {
        return ports[at][lid] & 0xFF;
    }

    /** One more than the last LID. */
    int lids() {
        return ports.length == 0 ? 0 : ports[0].length;
    }

    /** LIDs that go by a port. */
    int load(int at, int port) {
        return load[at][port];
    }

    /** The way from an end port to a LID; {@code null} where there is none. */
    Way way(FoundPort from, int lid) {
        int mtu = from.mtu();
        int rate = from.rate();
        int hops = 0;
        FoundPort in = from.isEndPort() && !from.node().isSwitch() ? from.peer() : from;
        if (from.lid() == lid) {
            return new Way(mtu, rate, hops);
        }
        while (in != null && in.node().isSwitch()) {
            int out = lid < lids() ? port(in.node().switchIndex(), lid) : NOWHERE;
            if (out == 0) {
                return new Way(mtu, rate, hops);
            }
            FoundPort next = in.node().port(out);
            if (next == null || next.peer() == null || hops > ports.length) {
                return null;
            }
            hops++;
            mtu = Math.min(mtu, next.mtu());
            rate = PathRates.isLess(next.rate(), rate) ? next.rate() : rate;
            in = next.peer();
        }
        return in != null && in.lid() == lid ? new Way(mtu, rate, hops) : null;
    }
}
