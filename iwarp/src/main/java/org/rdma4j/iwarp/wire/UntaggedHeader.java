package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * DDP header of an untagged segment, of all but Write and Read Response: the receiver picks the buffer, by queue and
 * message number (RFC 5041, 4.3; what RDMAP puts into the ULP's word: RFC 5040, 4.1 and 4.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 *                                 +-------------------------------+
 *                                 |     control ({@link DdpControl})      |  0
 * +-------------------------------+-------------------------------+
 * |          Invalidate STag, or reserved: 0 when sent            |  2
 * +---------------------------------------------------------------+
 * |                     Queue number (QN)                         |  6
 * +---------------------------------------------------------------+
 * |                Message sequence number (MSN)                  | 10
 * +---------------------------------------------------------------+
 * |                    Message offset (MO)                        | 14
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param control 16 bits: T, L, versions and opcode
 * @param invalidateSTag the STag that a Send with Invalidate takes away
 * @param queueNumber one of the four queues that RDMAP uses
 * @param messageSequenceNumber 1 in a queue's first message, one more in each that follows, modulo 2^32
 * @param messageOffset where in the message the segment's first byte belongs
 */
public record UntaggedHeader(
        int control, int invalidateSTag, int queueNumber, int messageSequenceNumber, int messageOffset) {

    /** Bytes on the wire. */
    public static final int LENGTH = 18;

    public static final int CONTROL_OFFSET = 0;
    public static final int INVALIDATE_S_TAG_OFFSET = 2;
    public static final int QUEUE_NUMBER_OFFSET = 6;
    public static final int MESSAGE_SEQUENCE_NUMBER_OFFSET = 10;
    public static final int MESSAGE_OFFSET_OFFSET = 14;

    /** Sends and immediate data. */
    public static final int SEND_QUEUE = 0;

    /** Read Requests and atomic requests. */
    public static final int REQUEST_QUEUE = 1;

    public static final int TERMINATE_QUEUE = 2;

    /** RFC 7306, 4.2. */
    public static final int ATOMIC_RESPONSE_QUEUE = 3;

    /** The control field, the same two bytes in tagged and untagged segments. */
    public static int control(MemorySegment segment, long offset) {
        return TaggedHeader.control(segment, offset);
    }

    public static int invalidateSTag(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + INVALIDATE_S_TAG_OFFSET);
    }

    public static int queueNumber(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + QUEUE_NUMBER_OFFSET);
    }

    public static int messageSequenceNumber(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + MESSAGE_SEQUENCE_NUMBER_OFFSET);
    }

    public static int messageOffset(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + MESSAGE_OFFSET_OFFSET);
    }

    public static void write(
            MemorySegment segment,
            long offset,
            int control,
            int invalidateSTag,
            int queueNumber,
            int messageSequenceNumber,
            int messageOffset) {
        segment.set(NetworkOrder.SHORT, offset + CONTROL_OFFSET, (short) control);
        segment.set(NetworkOrder.INT, offset + INVALIDATE_S_TAG_OFFSET, invalidateSTag);
        segment.set(NetworkOrder.INT, offset + QUEUE_NUMBER_OFFSET, queueNumber);
        segment.set(NetworkOrder.INT, offset + MESSAGE_SEQUENCE_NUMBER_OFFSET, messageSequenceNumber);
        segment.set(NetworkOrder.INT, offset + MESSAGE_OFFSET_OFFSET, messageOffset);
    }

    public static UntaggedHeader parse(MemorySegment segment, long offset) {
        return new UntaggedHeader(
                control(segment, offset),
                invalidateSTag(segment, offset),
                queueNumber(segment, offset),
                messageSequenceNumber(segment, offset),
                messageOffset(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, control, invalidateSTag, queueNumber, messageSequenceNumber, messageOffset);
    }
}
