package org.rdma4j.link;

/** What a link counts. Written by the thread that drives the link; a reader elsewhere may see a value late. */
public final class LinkCounters {

    /** Packets and bytes (BTH to ICRC) handed to the network. */
    public long sentPackets;

    public long sentBytes;

    /** System calls, or whatever stands for one, that sent them. */
    public long sentTrains;

    /** Packets that the network did not take. */
    public long sendErrors;

    /** Trains that the network could not take in one call, so that their packets went one by one. */
    public long splitTrains;

    /** Packets and bytes that arrived, bad ones included. */
    public long receivedPackets;

    public long receivedBytes;

    /** Packets whose ICRC was wrong. */
    public long icrcErrors;

    /** Packets too short to hold a BTH and an ICRC, or of a length that is no multiple of 4. */
    public long malformed;
}
