package org.rdma4j.ibsim.rmpp;

import org.rdma4j.ibsim.mad.Mad;

/**
 * The header behind that of a datagram of a class that uses RMPP (IBTA volume 1, 13.6.2.1).
 *
 * <pre>
 *     0                   1                   2                   3
 *     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * 24  |  RMPPVersion  |   RMPPType    |RRespTime| Flags |  RMPPStatus |
 * 28  |              SegmentNumber (Data1)                            |
 * 32  |              PayloadLength or NewWindowLast (Data2)           |
 * </pre>
 */
public final class RmppHeader {

    public static final int VERSION_OFFSET = 24;
    public static final int TYPE_OFFSET = 25;
    public static final int FLAGS_OFFSET = 26;
    public static final int STATUS_OFFSET = 27;
    public static final int SEGMENT_OFFSET = 28;
    public static final int DATA_2_OFFSET = 32;

    /** Where the class's own header starts, and the bytes from there to the end of the datagram. */
    public static final int PAYLOAD_OFFSET = 36;

    public static final int PAYLOAD_ROOM = Mad.LENGTH - PAYLOAD_OFFSET;

    public static final int VERSION = 1;

    /** Types. */
    public static final int DATA = 1;

    public static final int ACK = 2;
    public static final int STOP = 3;
    public static final int ABORT = 4;

    /** Flags. */
    public static final int ACTIVE = 1;

    public static final int FIRST = 2;
    public static final int LAST = 4;

    /** Status of an ABORT: too many retries (13.6.2.2). */
    public static final int TOO_MANY_RETRIES = 122;

    private static final int FLAGS = 7;

    private RmppHeader() {}

    /** True where a datagram is a part of such a message. */
    public static boolean isActive(Mad mad) {
        return (mad.int8(FLAGS_OFFSET) & ACTIVE) != 0;
    }

    public static int type(Mad mad) {
        return mad.int8(TYPE_OFFSET);
    }

    public static int flags(Mad mad) {
        return mad.int8(FLAGS_OFFSET) & FLAGS;
    }

    /** From 1 on. */
    public static int segment(Mad mad) {
        return mad.int32(SEGMENT_OFFSET);
    }

    /** PayloadLength of DATA, NewWindowLast of an ACK. */
    public static int data2(Mad mad) {
        return mad.int32(DATA_2_OFFSET);
    }

    static void write(Mad mad, int type, int flags, int segment, int data2) {
        mad.setInt8(VERSION_OFFSET, VERSION);
        mad.setInt8(TYPE_OFFSET, type);
        mad.setInt8(FLAGS_OFFSET, flags | ACTIVE);
        mad.setInt8(STATUS_OFFSET, 0);
        mad.setInt32(SEGMENT_OFFSET, segment);
        mad.setInt32(DATA_2_OFFSET, data2);
    }
}
