package org.rdma4j.iwarp.rdmap;

/**
 * What two sides have agreed upon for a stream.
 *
 * @param sendsCrc FPDUs of this side carry a CRC
 * @param sendsMarkers and markers
 * @param maxUlpdu bytes of the longest ULPDU that this side makes: MULPDU (RFC 5044, 5)
 * @param ird Reads and atomics of the peer that may wait here
 * @param ord those of this side that may wait there
 * @param extended the peer has RFC 7306: atomics and immediate data
 * @param ready how the side that asked for the connection says that it is ready
 */
public record StreamRules(
        boolean sendsCrc, boolean sendsMarkers, int maxUlpdu, int ird, int ord, boolean extended, Ready ready) {

    /** The first message of a peer-to-peer connection (RFC 6581, 9). */
    public enum Ready {
        /** None is sent: the first message is the application's. */
        NONE,
        SEND,
        WRITE,
        READ
    }
}
