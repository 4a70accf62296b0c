package org.rdma4j.verbs;

/** {@code ibv_port_state}, with its numbers. */
public enum PortState {
    NOP("no state change"),
    DOWN("down"),
    INIT("initialised: the subnet manager has not configured it"),
    ARMED("armed"),
    ACTIVE("active"),
    ACTIVE_DEFER("active, the link is being retrained");

    private final String text;

    PortState(String text) {
        this.text = text;
    }

    public int number() {
        return ordinal();
    }

    /** As {@code ibv_port_state_str} does, in more words. */
    public String text() {
        return text;
    }
}
