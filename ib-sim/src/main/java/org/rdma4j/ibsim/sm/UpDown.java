package org.rdma4j.ibsim.sm;

import java.util.Arrays;

/**
 * Ways that go up towards a root and then down, and never up again: a packet that holds a link down waits for links down
 * only, so no circle of waiting can come about. Since a switch knows of a packet no more than where it is bound, one that has a
 * way down takes it, even where going up first would be shorter.
 */
final class UpDown extends RouteSearch {

    private final int[] rank;
    private final int[] byRank;
    private int[] down = {};

    UpDown(FoundSubnet subnet) {
        super(subnet);
        int count = switches.size();
        rank = count == 0 ? new int[0] : hops(root());
        byRank = new int[count];
        Integer[] order = new Integer[count];
        Arrays.setAll(order, at -> at);
        Arrays.sort(order, (one, other) -> isUp(other, one) ? -1 : isUp(one, other) ? 1 : 0);
        Arrays.setAll(byRank, at -> order[at]);
    }

    /** The switch from which the farthest one is nearest, the first of these by GUID. */
    private int root() {
        int best = 0;
        int nearest = FAR + 1;
        for (int at = 0; at < switches.size(); at++) {
            int farthest = Arrays.stream(hops(at)).max().orElse(0);
            boolean before = farthest < nearest
                    || farthest == nearest
                            && Long.compareUnsigned(
                                            switches.get(at).guid(),
                                            switches.get(best).guid())
                                    < 0;
            if (before) {
                best = at;
                nearest = farthest;
            }
        }
        return best;
    }

    /** True where a link leads up: nearer to the root, and of the same distance to the one with the lower GUID. */
    private boolean isUp(int from, int to) {
        return rank[to] < rank[from]
                || rank[to] == rank[from]
                        && Long.compareUnsigned(
                                        switches.get(to).guid(),
                                        switches.get(from).guid())
                                < 0;
    }

    @Override
    int[] distances(int target) {
        down = new int[switches.size()];
        Arrays.fill(down, FAR);
        down[target] = 0;
        // From the bottom upwards: whoever has a neighbour below it with a way down has one itself.
        for (int place = byRank.length - 1; place >= 0; place--) {
            int at = byRank[place];
            if (at != target) {
                down[at] = nearest(at, down, false);
            }
        }
        int[] all = down.clone();
        for (int at : byRank) {
            if (down[at] == FAR) {
                all[at] = nearest(at, all, true);
            }
        }
        return all;
    }

    private int nearest(int at, int[] distances, boolean up) {
        FoundNode node = switches.get(at);
        int nearest = FAR;
        for (int number = 1; number <= node.portCount(); number++) {
            int neighbour = neighbour(node, number);
            if (neighbour >= 0 && neighbour != at && isUp(at, neighbour) == up) {
                nearest = Math.min(nearest, distances[neighbour] + 1);
            }
        }
        return Math.min(nearest, FAR);
    }

    @Override
    boolean mayStep(int from, int to, int[] distances) {
        boolean down = this.down[from] != FAR;
        return isUp(from, to) != down && distances[to] == distances[from] - 1 && (!down || this.down[to] != FAR);
    }
}
