package org.rdma4j.verbs;

/** What the first 40 bytes of a datagram's receive hold. */
public enum NetworkHeader {
    /** No datagram, and nothing. */
    NONE,
    /** A global route header: RoCE v1. */
    GRH,
    /** 20 bytes of zero and an IPv4 header: RoCE v2 over IPv4. */
    IPV4,
    /** An IPv6 header: RoCE v2 over IPv6. */
    IPV6;

    private static final NetworkHeader[] BY_NUMBER = values();

    static NetworkHeader of(int number) {
        return BY_NUMBER[number];
    }
}
