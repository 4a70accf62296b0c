package org.rdma4j.wire;

/** What lies below the BTH. */
public enum Encapsulation {
    /** Ethernet and GRH (annex A16). */
    ROCE_V1("RoCE v1"),
    /** IPv4 and UDP (annex A17). */
    ROCE_V2_IPV4("RoCE v2/IPv4"),
    /** IPv6 and UDP (annex A17). */
    ROCE_V2_IPV6("RoCE v2/IPv6"),
    /** LRH (volume 1, chapter 7). */
    INFINIBAND_LOCAL("InfiniBand"),
    /** LRH and GRH. */
    INFINIBAND_GLOBAL("InfiniBand with GRH");

    private final String text;

    Encapsulation(String text) {
        this.text = text;
    }

    /** The one of RoCE v2 that a GID's kind asks for. */
    public static Encapsulation roceV2(Gid gid) {
        return gid.isIpv4() ? ROCE_V2_IPV4 : ROCE_V2_IPV6;
    }

    /** As people say it. */
    public String text() {
        return text;
    }

    /** True for packets of a native InfiniBand link. */
    public boolean isInfiniBand() {
        return this == INFINIBAND_LOCAL || this == INFINIBAND_GLOBAL;
    }

    /** True for RoCE v2, which has UDP ports. */
    public boolean hasUdp() {
        return this == ROCE_V2_IPV4 || this == ROCE_V2_IPV6;
    }
}
