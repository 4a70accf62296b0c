package org.rdma4j.ibsim.fabric;

/**
 * What a port counts (IBTA volume 1, 16.1.3 and 16.1.4), without the widths that the attributes give them: those saturate
 * where they are read.
 */
public final class PortCounters {

    /** Words of 4 bytes from LRH to ICRC. */
    public long xmitData;

    public long rcvData;
    public long xmitPackets;
    public long rcvPackets;
    public long unicastXmitPackets;
    public long unicastRcvPackets;
    public long multicastXmitPackets;
    public long multicastRcvPackets;

    /** Ticks (here ns) with something to send and nothing sent. */
    public long xmitWait;

    public long symbolErrors;
    public long linkErrorRecovery;
    public long linkDowned;
    public long rcvErrors;

    /** Packets that their sender marked as bad. */
    public long rcvRemotePhysicalErrors;

    /** Packets that had no way on. */
    public long rcvSwitchRelayErrors;

    public long xmitDiscards;
    public long xmitConstraintErrors;
    public long rcvConstraintErrors;
    public long localLinkIntegrityErrors;
    public long excessiveBufferOverruns;
    public long vl15Dropped;
}
