package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Ready to use: the active side has taken the reply, the connection stands (IBTA volume 1, 12.6.9).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---------------------------------------------------------------+
 * |                   Private data (224 bytes)                    |  8
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmRtu(int localCommId, int remoteCommId, PrivateData privateData) implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0014;
    public static final int PRIVATE_DATA_OFFSET = 8;
    public static final int PRIVATE_DATA_LENGTH = 224;

    public static CmRtu parse(MemorySegment segment, long offset) {
        return new CmRtu(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "RTU";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
