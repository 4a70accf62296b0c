package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Service ID resolution request: which queue pair do datagrams for a service go to (IBTA volume 1, 12.11.1)?
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                           Request ID                          |  0
 * +-------------------------------+-------------------------------+
 * |             P_Key             |            reserved           |  4
 * +-------------------------------+-------------------------------+
 * |                      ServiceID (8 bytes)                      |  8
 * |                   Private data (216 bytes)                    | 16
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param requestId pairs it with its reply
 * @param pKey 16 bits
 * @param serviceId who is asked for
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmSidrReq(int requestId, int pKey, long serviceId, PrivateData privateData) implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0017;
    public static final int PRIVATE_DATA_OFFSET = 16;
    public static final int PRIVATE_DATA_LENGTH = 216;

    public static CmSidrReq parse(MemorySegment segment, long offset) {
        return new CmSidrReq(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.SHORT, offset + 4) & 0xFFFF,
                segment.get(NetworkOrder.LONG, offset + 8),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "SIDR_REQ";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, requestId);
        segment.set(NetworkOrder.INT, offset + 4, pKey << 16);
        segment.set(NetworkOrder.LONG, offset + 8, serviceId);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
