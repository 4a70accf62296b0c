package org.rdma4j.link.fault;

/** What a {@link FaultyLink} did, in one direction. */
public final class FaultCounters {

    /** Packets that came this way. */
    public long packets;

    /** Lost by chance. */
    public long lost;

    /** Lost because the filter picked them. */
    public long filtered;

    public long reordered;

    public long duplicated;

    public long corrupted;
}
