package org.rdma4j.ibsim.door;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rdma4j.ibsim.mad.Mad;

/**
 * A management datagram on its way to or from a program: 288 bytes.
 *
 * <pre>
 *  0 dlid   4 slid   8 dqp   12 sqp   16 status   20 pad   24 u64 length   32 mad[256]
 * </pre>
 *
 * LIDs are the first two bytes of their words, queue pairs and status are big-endian.
 */
final class DataMessage {

    static final int LENGTH = 288;

    private static final int DESTINATION_LID = 0;
    private static final int SOURCE_LID = 4;
    private static final int DESTINATION_QP = 8;
    private static final int SOURCE_QP = 12;
    private static final int STATUS = 16;
    private static final int SIZE = 24;
    private static final int MAD = 32;

    private DataMessage() {}

    static Mad read(ByteBuffer bytes) {
        ByteBuffer message = bytes.order(ByteOrder.BIG_ENDIAN);
        Mad mad = new Mad();
        mad.destinationLid = message.getShort(DESTINATION_LID) & 0xFFFF;
        mad.sourceLid = message.getShort(SOURCE_LID) & 0xFFFF;
        mad.destinationQp = message.getInt(DESTINATION_QP) & 0xFF_FFFF;
        mad.sourceQp = message.getInt(SOURCE_QP) & 0xFF_FFFF;
        MemorySegment.copy(MemorySegment.ofBuffer(message.duplicate().position(MAD)), 0, mad.bytes(), 0, Mad.LENGTH);
        return mad;
    }

    static ByteBuffer write(Mad mad, int status) {
        ByteBuffer message = ByteBuffer.allocate(LENGTH).order(ByteOrder.BIG_ENDIAN);
        message.putShort(DESTINATION_LID, (short) mad.destinationLid);
        message.putShort(SOURCE_LID, (short) mad.sourceLid);
        message.putInt(DESTINATION_QP, mad.destinationQp);
        message.putInt(SOURCE_QP, mad.sourceQp);
        message.putInt(STATUS, status);
        message.putLong(SIZE, Mad.LENGTH);
        MemorySegment.copy(mad.bytes(), 0, MemorySegment.ofBuffer(message), MAD, Mad.LENGTH);
        return message;
    }
}
