package org.rdma4j.ibsim.sm;

/** What a subnet manager is at the moment (IBTA volume 1, 14.4.1); its place is SMInfo's SMState. */
public enum SmState {
    NOT_ACTIVE,
    DISCOVERING,
    STANDBY,
    MASTER
}
