package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Service ID resolution reply (IBTA volume 1, 12.11.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                           Request ID                          |  0
 * +---------------+---------------+-------------------------------+
 * |    Status     |  InfoLength   |         VendorID high         |  4
 * +---------------+---------------+---------------+---------------+
 * |                      QPN                      | VendorID low  |  8
 * +-----------------------------------------------+---------------+
 * |                      ServiceID (8 bytes)                      | 12
 * +---------------------------------------------------------------+
 * |                             Q_Key                             | 20
 * +---------------------------------------------------------------+
 * |               Additional information (72 bytes)               | 24
 * |                   Private data (136 bytes)                    | 96
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param requestId from its request
 * @param status 8 bits, see {@link SidrStatus}
 * @param infoLength 8 bits: how many bytes of the additional information mean something, by the sender's word
 * @param eceVendorId 24 bits
 * @param qpn where the service's datagrams go
 * @param serviceId from its request
 * @param qKey that they must carry
 * @param info the additional information, all of its field
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmSidrRep(
        int requestId,
        int status,
        int infoLength,
        int eceVendorId,
        int qpn,
        long serviceId,
        int qKey,
        PrivateData info,
        PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0018;
    public static final int INFO_OFFSET = 24;
    public static final int INFO_LENGTH = 72;
    public static final int PRIVATE_DATA_OFFSET = 96;
    public static final int PRIVATE_DATA_LENGTH = 136;

    /** A reply that names a queue pair. */
    public static CmSidrRep found(int requestId, int qpn, long serviceId, int qKey, PrivateData privateData) {
        return new CmSidrRep(
                requestId, SidrStatus.VALID.number(), 0, 0, qpn, serviceId, qKey, PrivateData.EMPTY, privateData);
    }

    /** A reply that names none. */
    public static CmSidrRep refused(int requestId, SidrStatus status, long serviceId, PrivateData privateData) {
        return new CmSidrRep(requestId, status.number(), 0, 0, 0, serviceId, 0, PrivateData.EMPTY, privateData);
    }

    public static CmSidrRep parse(MemorySegment segment, long offset) {
        int first = segment.get(NetworkOrder.INT, offset + 4);
        int second = segment.get(NetworkOrder.INT, offset + 8);
        return new CmSidrRep(
                segment.get(NetworkOrder.INT, offset),
                first >>> 24,
                first >>> 16 & 0xFF,
                (first & 0xFFFF) << 8 | second & 0xFF,
                second >>> 8,
                segment.get(NetworkOrder.LONG, offset + 12),
                segment.get(NetworkOrder.INT, offset + 20),
                PrivateData.parse(segment, offset + INFO_OFFSET, INFO_LENGTH),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "SIDR_REP";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, requestId);
        int first = status << 24 | (infoLength & 0xFF) << 16 | eceVendorId >>> 8 & 0xFFFF;
        segment.set(NetworkOrder.INT, offset + 4, first);
        segment.set(NetworkOrder.INT, offset + 8, qpn << 8 | eceVendorId & 0xFF);
        segment.set(NetworkOrder.LONG, offset + 12, serviceId);
        segment.set(NetworkOrder.INT, offset + 20, qKey);
        info.emit(segment, offset + INFO_OFFSET, INFO_LENGTH);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
