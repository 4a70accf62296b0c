package org.rdma4j.ibsim.fabric;

/** What a port lets through (IBTA volume 1, 7.2.7); the numbers are those of PortInfo's PortState. */
public enum LinkState {
    /** Nothing: no cable, or the other end is off. */
    DOWN(1),
    /** Flow control and subnet management packets. */
    INIT(2),
    /** And other packets that arrive, the first of which makes it ACTIVE. */
    ARMED(3),
    /** Everything. */
    ACTIVE(4);

    private final int number;

    LinkState(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** True where data may arrive. */
    boolean receivesData() {
        return this == ARMED || this == ACTIVE;
    }
}
