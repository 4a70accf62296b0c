package org.rdma4j.verbs;

/** {@code ibv_mig_state}, with its numbers: how far a connection is prepared for another path (17.2.8). */
public enum PathMigrationState {
    /** It is on its path, and on no way to another; asked for in ARMED: go to the alternate path. */
    MIGRATED,
    /** Asked for: the alternate path may be used once the peer says the same. */
    REARM,
    /** Both sides are prepared; never asked for, but brought about by the peer's packets. */
    ARMED;

    public int number() {
        return ordinal();
    }
}
