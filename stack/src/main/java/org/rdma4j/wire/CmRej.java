package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Reject: no connection, or no longer (IBTA volume 1, 12.6.7).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---+-----------+-------------+-+-------------------------------+
 * |Msg| reserved  | InfoLength  |r|            Reason             |  8
 * +---+-----------+-------------+-+-------------------------------+
 * |           Additional reject information (72 bytes)            | 12
 * |                   Private data (148 bytes)                    | 84
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection, 0 where it has none
 * @param remoteCommId the addressee's, 0 where the sender does not know it
 * @param answered what is rejected
 * @param infoLength 7 bits: how many bytes of the additional information mean something, by the sender's word
 * @param reason 16 bits, see {@link RejReason}
 * @param info the additional information, all of its field
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmRej(
        int localCommId,
        int remoteCommId,
        CmAnswered answered,
        int infoLength,
        int reason,
        PrivateData info,
        PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0012;
    public static final int INFO_OFFSET = 12;
    public static final int INFO_LENGTH = 72;
    public static final int PRIVATE_DATA_OFFSET = 84;
    public static final int PRIVATE_DATA_LENGTH = 148;

    /** A reject whose additional information is {@code info}, as long as that is. */
    public static CmRej of(
            int localCommId,
            int remoteCommId,
            CmAnswered answered,
            RejReason reason,
            PrivateData info,
            PrivateData privateData) {
        return new CmRej(localCommId, remoteCommId, answered, info.length(), reason.number(), info, privateData);
    }

    public static CmRej parse(MemorySegment segment, long offset) {
        return new CmRej(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                CmAnswered.of(segment.get(NetworkOrder.BYTE, offset + 8) >>> 6),
                segment.get(NetworkOrder.BYTE, offset + 9) >>> 1 & 0x7F,
                segment.get(NetworkOrder.SHORT, offset + 10) & 0xFFFF,
                PrivateData.parse(segment, offset + INFO_OFFSET, INFO_LENGTH),
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "REJ";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.BYTE, offset + 8, (byte) (answered.ordinal() << 6));
        segment.set(NetworkOrder.BYTE, offset + 9, (byte) (infoLength << 1));
        segment.set(NetworkOrder.SHORT, offset + 10, (short) reason);
        info.emit(segment, offset + INFO_OFFSET, INFO_LENGTH);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
