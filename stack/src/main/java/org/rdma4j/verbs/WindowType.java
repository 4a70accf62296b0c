package org.rdma4j.verbs;

/** {@code ibv_mw_type}, with its numbers. */
public enum WindowType {
    /** Bound by {@link QueuePair#bind}, which draws the R_Key; of use to all queue pairs of its domain. */
    TYPE_1(1),

    /** Bound by a BIND_MW work request with an R_Key of the application's choice; of use to that queue pair (2B). */
    TYPE_2(2);

    private final int number;

    WindowType(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
