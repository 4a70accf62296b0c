package org.rdma4j.verbs;

import org.rdma4j.link.GidType;

/** {@code IBV_LINK_LAYER_*}, with its numbers. */
public enum LinkLayer {
    UNSPECIFIED("Unspecified"),
    INFINIBAND("InfiniBand"),
    ETHERNET("Ethernet");

    private final String text;

    LinkLayer(String text) {
        this.text = text;
    }

    static LinkLayer under(GidType type) {
        return type == GidType.IB ? INFINIBAND : ETHERNET;
    }

    public int number() {
        return ordinal();
    }

    /** As {@code ibv_devinfo} prints it. */
    public String text() {
        return text;
    }
}
