package org.rdma4j.link;

import org.rdma4j.wire.Gid;

/** What a link knows of a received packet besides its bytes. One object a link, filled anew for each packet. */
public final class PacketInfo {

    /** The sender's GID, in two halves so that nothing is allocated. */
    public long remoteHigh;

    public long remoteLow;

    /** The GID that the packet was sent to. */
    public long localHigh;

    public long localLow;

    /** What {@link #nextHeader} is for RoCE v2. */
    public static final int UDP = 17;

    /** The protocol behind the network header: {@link #UDP}, or 0x1B behind the GRH of RoCE v1. */
    public int nextHeader = UDP;

    /** IPv4 identification; 0 elsewhere. */
    public int identification;

    /** Flow label of a GRH or IPv6 header; 0 where the link cannot see it. */
    public int flowLabel;

    /** UDP source port; 0 where the link has none. */
    public int udpSourcePort;

    /** DSCP and ECN; 0 where the link cannot see it. */
    public int trafficClass;

    /** TTL or hop limit; 0 where the link cannot see it. */
    public int hopLimit;

    /** The sender. */
    public Gid remote() {
        return new Gid(remoteHigh, remoteLow);
    }

    /** The addressee. */
    public Gid local() {
        return new Gid(localHigh, localLow);
    }
}
