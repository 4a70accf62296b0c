package org.rdma4j.transport;

/** How far a connection is prepared for another path (17.2.8), with libibverbs' numbers ({@code ibv_mig_state}). */
public enum MigrationState {
    /** It is on its path, and on no way to another. */
    MIGRATED,
    /** This side has another path; whether the peer has one too is not known yet. */
    REARM,
    /** Both sides have another path. */
    ARMED
}
