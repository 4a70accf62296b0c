package org.rdma4j.ibsim.sm;

/**
 * How a subnet manager works.
 *
 * @param priority 0 to 15
 * @param routes how it leads the ways
 * @param sweepPeriod ps from one look at the whole subnet to the next
 * @param pollPeriod ps from one question of a standby to its master to the next
 */
public record SmOptions(int priority, RouteEngine routes, long sweepPeriod, long pollPeriod) {

    private static final long SECOND = 1_000_000_000_000L;
    private static final int HIGHEST_PRIORITY = 15;

    public SmOptions {
        if (priority < 0 || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException("priority " + priority + ": 0 to " + HIGHEST_PRIORITY + " are possible");
        }
    }

    /** Priority 0, routes without a loop, a look every 10 seconds, a question every second. */
    public static SmOptions defaults() {
        return new SmOptions(0, RouteEngine.AUTO, 10 * SECOND, SECOND);
    }

    public SmOptions withPriority(int value) {
        return new SmOptions(value, routes, sweepPeriod, pollPeriod);
    }

    public SmOptions withRoutes(RouteEngine value) {
        return new SmOptions(priority, value, sweepPeriod, pollPeriod);
    }
}
