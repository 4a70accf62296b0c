package org.rdma4j.ibsim.sm;

/** Ways of the fewest hops. */
final class MinHop extends RouteSearch {

    MinHop(FoundSubnet subnet) {
        super(subnet);
    }

    @Override
    int[] distances(int target) {
        return hops(target);
    }

    @Override
    boolean mayStep(int from, int to, int[] distances) {
        return distances[to] == distances[from] - 1;
    }
}
