package org.rdma4j.ibsim.ethernet;

/** What a port counts. */
public final class EthernetCounters {

    /** Frames and their bytes, FCS among them, that it sent; MAC control too. */
    public long sentFrames;

    public long sentBytes;

    /** The same of those that came. */
    public long receivedFrames;

    public long receivedBytes;

    /** Frames that did not find room on their way out by this port. */
    public long tailDrops;

    /** Frames of a class without loss that came in although their sender was to stop: its headroom was too small. */
    public long headroomDrops;

    /** Frames that went no farther for another reason: no way there, too many hops, not for this station. */
    public long otherDrops;

    /** Frames that got the mark of congestion on their way out by this port. */
    public long marked;

    /** PFC frames that stop a class, and that end such a stop. */
    public long pausesSent;

    public long resumesSent;
    public long pausesReceived;

    /** ps for which a class was stopped here, of all classes together. */
    public long pausedTime;
}
