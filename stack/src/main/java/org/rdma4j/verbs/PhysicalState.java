package org.rdma4j.verbs;

/** PortPhysicalState (14.2.5.6, {@code ibv_port_attr.phys_state}), with its numbers. */
public enum PhysicalState {
    NO_CHANGE,
    SLEEP,
    POLLING,
    DISABLED,
    PORT_CONFIGURATION_TRAINING,
    LINK_UP,
    LINK_ERROR_RECOVERY,
    PHY_TEST;

    public int number() {
        return ordinal();
    }
}
