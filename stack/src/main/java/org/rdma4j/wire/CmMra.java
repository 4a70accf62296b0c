package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Message receipt acknowledgment: the message came, its answer takes longer than was thought (IBTA volume 1, 12.6.6).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---+-----------+---------+-------------------------------------+
 * |Msg| reserved  |SvcTimeou| reserved and                        |  8
 * +---+-----------+---------+ private data (222 bytes, from 10 on)+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's
 * @param answered what came
 * @param serviceTimeout 5 bits: within 4.096 µs · 2^n more its answer will follow
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmMra(int localCommId, int remoteCommId, CmAnswered answered, int serviceTimeout, PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0011;
    public static final int PRIVATE_DATA_OFFSET = 10;
    public static final int PRIVATE_DATA_LENGTH = 222;

    public static CmMra parse(MemorySegment segment, long offset) {
        return new CmMra(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                CmAnswered.of(segment.get(NetworkOrder.BYTE, offset + 8) >>> 6),
                segment.get(NetworkOrder.BYTE, offset + 9) >>> 3 & 0x1F,
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "MRA";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.BYTE, offset + 8, (byte) (answered.ordinal() << 6));
        segment.set(NetworkOrder.BYTE, offset + 9, (byte) (serviceTimeout << 3));
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
