package org.rdma4j.ibsim.sm;

/**
 * Which link's buffer a packet may hold while it waits for which other's: a circle of these is where a credit loop can come
 * about (Dally and Seitz).
 */
final class ChannelDependencies {

    private static final int PORTS = 64;
    private static final byte NEW = 0;
    private static final byte OPEN = 1;
    private static final byte CLOSED = 2;

    private final long[] next; // by switch and port: the ports of the next switch, a bit each
    private final int[] beyond; // the next switch, or -1
    private final byte[] mark;
    private final int[] path;
    private final long[] left;

    private ChannelDependencies(FoundSubnet subnet, Routes routes) {
        int switches = subnet.switches().size();
        next = new long[switches * PORTS];
        beyond = new int[switches * PORTS];
        mark = new byte[switches * PORTS];
        path = new int[switches * PORTS];
        left = new long[switches * PORTS];
        for (int at = 0; at < switches; at++) {
            FoundNode node = subnet.switches().get(at);
            for (int number = 1; number <= node.portCount(); number++) {
                beyond[at * PORTS + number] = RouteSearch.neighbour(node, number);
            }
            for (int lid = 1; lid < routes.lids(); lid++) {
                int port = routes.port(at, lid);
                int then = port == 0 || port >= PORTS ? -1 : beyond[at * PORTS + port];
                int out = then < 0 ? 0 : routes.port(then, lid);
                if (out > 0 && out < PORTS) {
                    next[at * PORTS + port] |= 1L << out;
                }
            }
        }
    }

    /** True where packets that follow the routes can come to wait for each other in a circle. */
    static boolean haveLoop(FoundSubnet subnet, Routes routes) {
        ChannelDependencies graph = new ChannelDependencies(subnet, routes);
        for (int channel = 0; channel < graph.next.length; channel++) {
            if (graph.leadsToLoop(channel)) {
                return true;
            }
        }
        return false;
    }

    private boolean leadsToLoop(int start) {
        int depth = 0;
        if (mark[start] != NEW) {
            return false;
        }
        mark[start] = OPEN;
        path[0] = start;
        left[0] = next[start];
        while (depth >= 0) {
            if (left[depth] == 0) {
                mark[path[depth--]] = CLOSED;
                continue;
            }
            int port = Long.numberOfTrailingZeros(left[depth]);
            left[depth] &= left[depth] - 1;
            int channel = beyond[path[depth]] * PORTS + port;
            if (mark[channel] == OPEN) {
                return true;
            }
            if (mark[channel] == NEW) {
                mark[channel] = OPEN;
                depth++;
                path[depth] = channel;
                left[depth] = next[channel];
            }
        }
        return false;
    }
}
