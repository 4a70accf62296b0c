package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Request for disconnection, by either side (IBTA volume 1, 12.6.10).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +-----------------------------------------------+---------------+
 * |               Remote QPN or EECN              |   reserved    |  8
 * +-----------------------------------------------+---------------+
 * |                   Private data (220 bytes)                    | 12
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's
 * @param remoteQpn the addressee's queue pair, so that a late message hits no other connection
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmDreq(int localCommId, int remoteCommId, int remoteQpn, PrivateData privateData) implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0015;
    public static final int PRIVATE_DATA_OFFSET = 12;
    public static final int PRIVATE_DATA_LENGTH = 220;

    public static CmDreq parse(MemorySegment segment, long offset) {
        return new CmDreq(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                segment.get(NetworkOrder.INT, offset + 8) >>> 8,
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "DREQ";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.INT, offset + 8, remoteQpn << 8);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
