package org.rdma4j.ibsim.sm;

/**
 * How a subnet manager works.
 *
 * @param priority 0 to 15
 * @param key SM_Key: managers of one subnet have the same
 * @param routes how it leads the ways
 * @param sweepPeriod ps from one look at the whole subnet to the next
 * @param pollPeriod ps from one question of a standby to its master to the next
 */
public record SmOptions(int priority, long key, RouteEngine routes, long sweepPeriod, long pollPeriod) {

    private static final long SECOND = 1_000_000_000_000L;
    private static final int HIGHEST_PRIORITY = 15;

    /** What OpenSM has if it is not told otherwise; it takes no notice of managers with another one. */
    private static final long OPENSM_KEY = 1;

    public SmOptions {
        if (priority < 0 || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException("priority " + priority + ": 0 to " + HIGHEST_PRIORITY + " are possible");
        }
    }

    /** Priority 0, OpenSM's key, routes without a loop, a look every 10 seconds, a question every second. */
    public static SmOptions defaults() {
        return new SmOptions(0, OPENSM_KEY, RouteEngine.AUTO, 10 * SECOND, SECOND);
    }

    public SmOptions withPriority(int value) {
        return new SmOptions(value, key, routes, sweepPeriod, pollPeriod);
    }

    public SmOptions withRoutes(RouteEngine value) {
        return new SmOptions(priority, key, value, sweepPeriod, pollPeriod);
    }
}
