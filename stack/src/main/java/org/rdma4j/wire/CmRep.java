package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Reply to a request for communication: the passive side accepts (IBTA volume 1, 12.6.8).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---------------------------------------------------------------+
 * |                         Local Q_Key                           |  8
 * +-----------------------------------------------+---------------+
 * |                   Local QPN                   | VendorID high | 12
 * +-----------------------------------------------+---------------+
 * |                   Local EECN                  | VendorID mid  | 16
 * +-----------------------------------------------+---------------+
 * |                 Starting PSN                  | VendorID low  | 20
 * +---------------+---------------+---------+---+-+-----+-+-------+
 * |Responder Resrc|Initiator Depth|AckDelay |FoA|F|RnrRt|S|reservd| 24
 * +---------------+---------------+---------+---+-+-----+-+-------+
 * |                     Local CA GUID (8 bytes)                   | 28
 * |                   Private data (196 bytes)                    | 36
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's, from its REQ
 * @param localQKey its queue pair's Q_Key
 * @param localQpn its queue pair
 * @param localEecn 24 bits, of reliable datagrams
 * @param startingPsn 24 bits: where the addressee shall start
 * @param eceVendorId 24 bits, spread over three bytes
 * @param responderResources READs and atomics that it takes at a time
 * @param initiatorDepth READs and atomics that it will have outstanding
 * @param targetAckDelay 5 bits: 4.096 µs · 2^n until it acknowledges
 * @param failoverAccepted 2 bits: 0 where the alternate path is taken
 * @param flowControl end-to-end flow control is in use
 * @param rnrRetry 3 bits, 7 is for ever
 * @param srq the sender's queue pair receives from a shared receive queue
 * @param localCaGuid the sender
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmRep(
        int localCommId,
        int remoteCommId,
        int localQKey,
        int localQpn,
        int localEecn,
        int startingPsn,
        int eceVendorId,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failoverAccepted,
        boolean flowControl,
        int rnrRetry,
        boolean srq,
        long localCaGuid,
        PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0013;
    public static final int PRIVATE_DATA_OFFSET = 36;
    public static final int PRIVATE_DATA_LENGTH = 196;

    /** The same to another addressee, for another queue pair of the sender's, whose peer starts with another PSN. */
    public CmRep withEnds(int addressee, int qpn, int psn) {
        return new CmRep(
                localCommId,
                addressee,
                localQKey,
                qpn,
                localEecn,
                psn,
                eceVendorId,
                responderResources,
                initiatorDepth,
                targetAckDelay,
                failoverAccepted,
                flowControl,
                rnrRetry,
                srq,
                localCaGuid,
                privateData);
    }

    public static CmRep parse(MemorySegment segment, long offset) {
        int qpn = segment.get(NetworkOrder.INT, offset + 12);
        int eecn = segment.get(NetworkOrder.INT, offset + 16);
        int psn = segment.get(NetworkOrder.INT, offset + 20);
        int bits = segment.get(NetworkOrder.INT, offset + 24);
        return new CmRep(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                segment.get(NetworkOrder.INT, offset + 8),
                qpn >>> 8,
                eecn >>> 8,
                psn >>> 8,
                (qpn & 0xFF) << 16 | (eecn & 0xFF) << 8 | psn & 0xFF,
                bits >>> 24,
                bits >>> 16 & 0xFF,
                bits >>> 11 & 0x1F,
                bits >>> 9 & 3,
                (bits >>> 8 & 1) != 0,
                bits >>> 5 & 7,
                (bits >>> 4 & 1) != 0,
                segment.get(NetworkOrder.LONG, offset + 28),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "REP";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.INT, offset + 8, localQKey);
        segment.set(NetworkOrder.INT, offset + 12, localQpn << 8 | eceVendorId >>> 16 & 0xFF);
        segment.set(NetworkOrder.INT, offset + 16, localEecn << 8 | eceVendorId >>> 8 & 0xFF);
        segment.set(NetworkOrder.INT, offset + 20, startingPsn << 8 | eceVendorId & 0xFF);
        int bits = responderResources << 24
                | (initiatorDepth & 0xFF) << 16
                | (targetAckDelay & 0x1F) << 11
                | (failoverAccepted & 3) << 9
                | (flowControl ? 1 : 0) << 8
                | (rnrRetry & 7) << 5
                | (srq ? 1 : 0) << 4;
        segment.set(NetworkOrder.INT, offset + 24, bits);
        segment.set(NetworkOrder.LONG, offset + 28, localCaGuid);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
