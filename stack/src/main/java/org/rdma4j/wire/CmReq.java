package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Request for communication: the active side offers a connection (IBTA volume 1, 12.6.5).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------+-----------------------------------------------+
 * |   reserved    |                  VendorID (ECE)               |  4
 * +---------------+-----------------------------------------------+
 * |                      ServiceID (8 bytes)                      |  8
 * +---------------------------------------------------------------+
 * |                     Local CA GUID (8 bytes)                   | 16
 * +---------------------------------------------------------------+
 * |                           reserved                            | 24
 * +---------------------------------------------------------------+
 * |                         Local Q_Key                           | 28
 * +-----------------------------------------------+---------------+
 * |                   Local QPN                   |Responder Resrc| 32
 * +-----------------------------------------------+---------------+
 * |                   Local EECN                  |Initiator Depth| 36
 * +-----------------------------------------------+---------+---+-+
 * |                  Remote EECN                  |RespTimeo|TrT|F| 40
 * +-----------------------------------------------+---------+---+-+
 * |                 Starting PSN                  |LRespTime|Retry| 44
 * +-------------------------------+-------+-+-----+-------+-+-----+
 * |             P_Key             |  MTU  |R|RnrRt|CMRetry|S|ExTrT| 48
 * +-------------------------------+-------+-+-----+-------+-+-----+
 * |                Primary path (44 bytes), see CmPath            | 52
 * |               Alternate path (44 bytes), see CmPath           | 96
 * |                   Private data (92 bytes)                     |140
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param eceVendorId 24 bits; which vendor's extension the MAD's attribute modifier is of
 * @param serviceId who is asked
 * @param localCaGuid the sender
 * @param localQKey its queue pair's Q_Key
 * @param localQpn its queue pair
 * @param responderResources READs and atomics that it takes at a time
 * @param localEecn 24 bits, of reliable datagrams
 * @param initiatorDepth READs and atomics that it wants to have outstanding
 * @param remoteEecn 24 bits, of reliable datagrams
 * @param remoteResponseTimeout 5 bits: within 4.096 µs · 2^n the addressee shall answer
 * @param transportType 2 bits: {@link #RC}, {@link #UC}, {@link #RD}, {@link #EXTENDED}
 * @param flowControl end-to-end flow control is in use
 * @param startingPsn 24 bits: where the addressee shall start
 * @param localResponseTimeout 5 bits: within 4.096 µs · 2^n the sender will answer
 * @param retryCount 3 bits
 * @param pKey 16 bits
 * @param pathMtu 4 bits: 1 is 256 bytes, 5 is 4096
 * @param rdcExists of reliable datagrams
 * @param rnrRetry 3 bits, 7 is for ever
 * @param maxCmRetries 4 bits: how often a message of this exchange is sent again
 * @param srq the sender's queue pair receives from a shared receive queue
 * @param extendedTransport 3 bits, with {@link #EXTENDED}: 1 is XRC
 * @param primaryPath the way
 * @param alternatePath another, or {@link CmPath#NONE}
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmReq(
        int localCommId,
        int eceVendorId,
        long serviceId,
        long localCaGuid,
        int localQKey,
        int localQpn,
        int responderResources,
        int localEecn,
        int initiatorDepth,
        int remoteEecn,
        int remoteResponseTimeout,
        int transportType,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int pKey,
        int pathMtu,
        boolean rdcExists,
        int rnrRetry,
        int maxCmRetries,
        boolean srq,
        int extendedTransport,
        CmPath primaryPath,
        CmPath alternatePath,
        PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0010;
    public static final int PRIVATE_DATA_OFFSET = 140;
    public static final int PRIVATE_DATA_LENGTH = 92;

    public static final int RC = 0;
    public static final int UC = 1;
    public static final int RD = 2;
    public static final int EXTENDED = 3;

    /** The path MTU in bytes; 0 for a reserved code. */
    public int pathMtuBytes() {
        return pathMtu >= 1 && pathMtu <= 5 ? 128 << pathMtu : 0;
    }

    /** The same between other ports, for another queue pair of the sender's, whose peer starts with another PSN. */
    public CmReq withEnds(int qpn, int psn, CmPath primary, CmPath alternate, PrivateData data) {
        return new CmReq(
                localCommId,
                eceVendorId,
                serviceId,
                localCaGuid,
                localQKey,
                qpn,
                responderResources,
                localEecn,
                initiatorDepth,
                remoteEecn,
                remoteResponseTimeout,
                transportType,
                flowControl,
                psn,
                localResponseTimeout,
                retryCount,
                pKey,
                pathMtu,
                rdcExists,
                rnrRetry,
                maxCmRetries,
                srq,
                extendedTransport,
                primary,
                alternate,
                data);
    }

    public static CmReq parse(MemorySegment segment, long offset) {
        int qpn = segment.get(NetworkOrder.INT, offset + 32);
        int eecn = segment.get(NetworkOrder.INT, offset + 36);
        int remote = segment.get(NetworkOrder.INT, offset + 40);
        int psn = segment.get(NetworkOrder.INT, offset + 44);
        int bits = segment.get(NetworkOrder.INT, offset + 48);
        return new CmReq(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4) & NetworkOrder.MASK_24,
                segment.get(NetworkOrder.LONG, offset + 8),
                segment.get(NetworkOrder.LONG, offset + 16),
                segment.get(NetworkOrder.INT, offset + 28),
                qpn >>> 8,
                qpn & 0xFF,
                eecn >>> 8,
                eecn & 0xFF,
                remote >>> 8,
                remote >>> 3 & 0x1F,
                remote >>> 1 & 3,
                (remote & 1) != 0,
                psn >>> 8,
                psn >>> 3 & 0x1F,
                psn & 7,
                bits >>> 16,
                bits >>> 12 & 0xF,
                (bits >>> 11 & 1) != 0,
                bits >>> 8 & 7,
                bits >>> 4 & 0xF,
                (bits >>> 3 & 1) != 0,
                bits & 7,
                CmPath.parse(segment, offset + 52),
                CmPath.parse(segment, offset + 96),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "REQ";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, eceVendorId & NetworkOrder.MASK_24);
        segment.set(NetworkOrder.LONG, offset + 8, serviceId);
        segment.set(NetworkOrder.LONG, offset + 16, localCaGuid);
        segment.set(NetworkOrder.INT, offset + 24, 0);
        segment.set(NetworkOrder.INT, offset + 28, localQKey);
        segment.set(NetworkOrder.INT, offset + 32, localQpn << 8 | responderResources & 0xFF);
        segment.set(NetworkOrder.INT, offset + 36, localEecn << 8 | initiatorDepth & 0xFF);
        int remote = remoteEecn << 8
                | (remoteResponseTimeout & 0x1F) << 3
                | (transportType & 3) << 1
                | (flowControl ? 1 : 0);
        segment.set(NetworkOrder.INT, offset + 40, remote);
        segment.set(
                NetworkOrder.INT, offset + 44, startingPsn << 8 | (localResponseTimeout & 0x1F) << 3 | retryCount & 7);
        int bits = pKey << 16
                | (pathMtu & 0xF) << 12
                | (rdcExists ? 1 : 0) << 11
                | (rnrRetry & 7) << 8
                | (maxCmRetries & 0xF) << 4
                | (srq ? 1 : 0) << 3
                | extendedTransport & 7;
        segment.set(NetworkOrder.INT, offset + 48, bits);
        primaryPath.emit(segment, offset + 52);
        alternatePath.emit(segment, offset + 96);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
