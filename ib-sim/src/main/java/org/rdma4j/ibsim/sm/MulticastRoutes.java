package org.rdma4j.ibsim.sm;

import java.util.Arrays;
import java.util.List;
import org.rdma4j.ibsim.fabric.Lids;

/**
 * Multicast forwarding tables: for each group a tree of switches that has all members at it, so that a packet comes to each
 * one once, whoever sends it.
 */
final class MulticastRoutes {

    private static final int ATTRIBUTE = 0x1B;
    private static final int LIDS_A_BLOCK = 32;
    private static final int PORTS_A_POSITION = 16;
    private static final int POSITION_SHIFT = 28;

    private final SmpClient client;
    private final FoundSubnet subnet;
    private final long[][] tables; // by switch and group
    private final boolean[] written; // by group: what the switches held before nobody knows

    MulticastRoutes(SmpClient client, FoundSubnet subnet, int groups) {
        this.client = client;
        this.subnet = subnet;
        this.tables = new long[subnet.switches().size()][groups];
        this.written = new boolean[groups];
    }

    /** Leads a group's packets to those who receive, from those who only send as well, and writes what has changed. */
    void set(int lid, List<FoundPort> receivers, List<FoundPort> senders) {
        int group = lid - Lids.FIRST_MULTICAST;
        long[] tree = tree(receivers, senders);
        for (int at = 0; at < tree.length; at++) {
            long changed = written[group] ? tables[at][group] ^ tree[at] : -1;
            tables[at][group] = tree[at];
            if (changed != 0) {
                write(at, group / LIDS_A_BLOCK, changed);
            }
        }
        written[group] = true;
    }

    private long[] tree(List<FoundPort> receivers, List<FoundPort> senders) {
        int count = subnet.switches().size();
        long[] ports = new long[count];
        boolean[] needed = new boolean[count];
        int root = -1;
        for (FoundPort sender : senders) {
            FoundPort last = FoundSubnet.lastHop(sender);
            if (last != null && last.node().isSwitch()) {
                needed[last.node().switchIndex()] = true;
            }
        }
        for (FoundPort receiver : receivers) {
            FoundPort last = FoundSubnet.lastHop(receiver);
            if (last != null && last.node().isSwitch()) {
                root = last.node().switchIndex();
                needed[root] = true;
                ports[root] |= 1L << last.number();
            }
        }
        if (root >= 0) {
            growFrom(root, ports, needed);
        }
        return ports;
    }

    /** From the root to the farthest, and back: whoever has somebody below him is reached by his parent. */
    private void growFrom(int root, long[] ports, boolean[] needed) {
        int count = ports.length;
        int[] parent = new int[count];
        FoundPort[] up = new FoundPort[count];
        int[] queue = new int[count];
        Arrays.fill(parent, -1);
        parent[root] = root;
        queue[0] = root;
        int end = 1;
        for (int next = 0; next < end; next++) {
            FoundNode node = subnet.switches().get(queue[next]);
            for (int number = 1; number <= node.portCount(); number++) {
                int neighbour = RouteSearch.neighbour(node, number);
                if (neighbour >= 0 && parent[neighbour] < 0) {
                    parent[neighbour] = queue[next];
                    up[neighbour] = node.port(number).peer();
                    queue[end++] = neighbour;
                }
            }
        }
        for (int place = end - 1; place > 0; place--) {
            int at = queue[place];
            if (needed[at]) {
                ports[at] |= 1L << up[at].number();
                ports[parent[at]] |= 1L << up[at].peer().number();
                needed[parent[at]] = true;
            }
        }
    }

    private void write(int at, int block, long changed) {
        FoundNode node = subnet.switches().get(at);
        for (int position = 0; position * PORTS_A_POSITION <= node.portCount(); position++) {
            int shift = position * PORTS_A_POSITION;
            if ((changed >>> shift & 0xFFFF) == 0) {
                continue;
            }
            byte[] data = new byte[2 * LIDS_A_BLOCK];
            for (int entry = 0; entry < LIDS_A_BLOCK; entry++) {
                long part = tables[at][block * LIDS_A_BLOCK + entry] >>> shift;
                data[2 * entry] = (byte) (part >> 8);
                data[2 * entry + 1] = (byte) part;
            }
            client.ask(SubnetSetup.request(node, ATTRIBUTE, position << POSITION_SHIFT | block, data), mad -> {});
        }
    }
}
