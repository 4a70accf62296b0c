package org.rdma4j.iwarp.rdmap;

import org.rdma4j.iwarp.mpa.RtrKind;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.Marker;

/**
 * What two sides have agreed upon for a stream.
 *
 * @param sendsCrc FPDUs of this side carry a CRC
 * @param sendsMarkers and markers
 * @param maxUlpdu bytes of the longest ULPDU that this side makes: MULPDU (RFC 5044, 5)
 * @param ird Reads and atomics of the peer that may wait here
 * @param ord those of this side that may wait there
 * @param extended the peer has RFC 7306: atomics and immediate data
 * @param ready how the side that asked for the connection says that it is ready; {@code null} where it does not
 */
record StreamRules(
        boolean sendsCrc, boolean sendsMarkers, int maxUlpdu, int ird, int ord, boolean extended, RtrKind ready) {

    private static final int WORD = 4;

    /** Every stream can carry as much (RFC 5044, 5.1). */
    private static final int LEAST = 128;

    /**
     * The longest ULPDU whose FPDU fits a TCP segment: with its length, its CRC, a pad to words, and as many markers as
     * can lie in that many bytes.
     */
    static int maxUlpdu(int segmentSize, boolean markers) {
        int room = Math.min(segmentSize, Fpdu.MAX_ULPDU);
        if (markers) {
            room -= Marker.LENGTH * (1 + (room - 1) / Marker.INTERVAL);
        }
        return Math.max(LEAST, (room - Fpdu.CRC_LENGTH) / WORD * WORD - Fpdu.HEADER_LENGTH);
    }
}
