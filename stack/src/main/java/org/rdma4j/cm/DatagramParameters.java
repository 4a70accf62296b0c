package org.rdma4j.cm;

import org.rdma4j.verbs.AhAttributes;

/**
 * Where datagrams go ({@code struct rdma_ud_param}).
 *
 * @param ah the way to the port
 * @param qpNum the queue pair there
 * @param qkey that it expects
 */
public record DatagramParameters(AhAttributes ah, int qpNum, int qkey) {

    /** The Q_Key of all queue pairs of the UDP port space ({@code RDMA_UDP_QKEY}). */
    public static final int UDP_QKEY = 0x0123_4567;

    /** The queue pair that datagrams to a group name. */
    public static final int MULTICAST_QPN = 0xFF_FFFF;
}
