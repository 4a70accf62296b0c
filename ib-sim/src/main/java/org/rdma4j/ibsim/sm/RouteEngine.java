package org.rdma4j.ibsim.sm;

/** How ways through a subnet are chosen. */
public enum RouteEngine {
    /** The fewest hops, spread over equal ways. In a ring or a torus that can lock up. */
    MIN_HOP,
    /** Up towards a root and down again, never up after down: without a loop in every topology. */
    UP_DOWN,
    /** The fewest hops where no credit loop can come of it, up and down elsewhere. */
    AUTO;

    Routes compute(FoundSubnet subnet) {
        return switch (this) {
            case MIN_HOP -> new MinHop(subnet).routes();
            case UP_DOWN -> new UpDown(subnet).routes();
            case AUTO -> {
                Routes shortest = new MinHop(subnet).routes();
                yield ChannelDependencies.haveLoop(subnet, shortest) ? new UpDown(subnet).routes() : shortest;
            }
        };
    }
}
