package org.rdma4j.link;

/**
 * What may be chosen when a link is opened.
 *
 * @param udpPort the UDP port of RoCE v2, 4791 unless a test needs another
 * @param receiveBuffer bytes asked of the operating system for the receive buffer; 0 leaves the link its choice
 * @param implementation a link's variant: empty for the best one here; {@code ffm} or {@code nio} for roce2
 * @param strictIcrc refuse packets whose IPv4 identification had to be solved for, where the link cannot see it
 */
public record LinkOptions(int udpPort, int receiveBuffer, String implementation, boolean strictIcrc) {

    /** The UDP port that IANA gave RoCE v2. */
    public static final int ROCE_V2_PORT = 4791;

    /** What everyone wants. */
    public static final LinkOptions DEFAULT = new LinkOptions(ROCE_V2_PORT, 0, "", false);
}
