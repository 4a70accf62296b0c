package org.rdma4j.iwarp.rdmap;

import org.rdma4j.iwarp.mpa.RtrKind;

/**
 * What two sides have agreed upon for a stream.
 *
 * @param sendsCrc FPDUs of this side carry a CRC
 * @param sendsMarkers and markers
 * @param maxUlpdu bytes of the longest ULPDU that this side makes: {@link org.rdma4j.iwarp.wire.Fpdu#mulpdu}
 * @param ird Reads and atomics of the peer that may wait here
 * @param ord those of this side that may wait there
 * @param extended the peer has RFC 7306: atomics and immediate data
 * @param ready how the side that asked for the connection says that it is ready; {@code null} where it does not
 */
record StreamRules(
        boolean sendsCrc, boolean sendsMarkers, int maxUlpdu, int ird, int ord, boolean extended, RtrKind ready) {}
