package org.rdma4j.wire;

/** Explicit congestion notification: the low two bits of an IP header's traffic class (RFC 3168, 5). */
public final class Ecn {

    /** The bits of a traffic class that it has. */
    public static final int MASK = 3;

    /** Whoever sends so does nothing about marks: it is not marked. */
    public static final int NOT_CAPABLE = 0;

    /** ECT(1). */
    public static final int CAPABLE_1 = 1;

    /** ECT(0), what senders are to use. */
    public static final int CAPABLE = 2;

    /** CE: a router on the way was congested. */
    public static final int CONGESTED = 3;

    private Ecn() {}

    /** True where a router may mark a packet of this traffic class. */
    public static boolean isCapable(int trafficClass) {
        return (trafficClass & MASK) != NOT_CAPABLE;
    }
}
