package org.rdma4j.ibsim.mad;

import org.rdma4j.wire.MadHeader;

/** The fields of a subnet management datagram (IBTA volume 1, 14.2.1). */
final class Smp {

    static final int M_KEY = 24;

    // With a directed route only.
    static final int HOP_POINTER = MadHeader.CLASS_SPECIFIC_OFFSET;
    static final int HOP_COUNT = HOP_POINTER + 1;
    static final int SOURCE_LID = 32;
    static final int DESTINATION_LID = 34;
    static final int INITIAL_PATH = 128;
    static final int RETURN_PATH = 192;

    /** The status' first bit: on the way back. */
    static final int DIRECTION = 0x8000;

    static final int MAX_HOPS = 63;

    private Smp() {}

    static boolean isDirected(Mad mad) {
        return mad.managementClass() == Mad.SUBNET_DIRECTED;
    }

    static boolean isReturning(Mad mad) {
        return (mad.status() & DIRECTION) != 0;
    }

    static int hopPointer(Mad mad) {
        return mad.int8(HOP_POINTER);
    }

    static void setHopPointer(Mad mad, int value) {
        mad.setInt8(HOP_POINTER, value);
    }

    static int hopCount(Mad mad) {
        return mad.int8(HOP_COUNT);
    }

    static int initialPath(Mad mad, int hop) {
        return mad.int8(INITIAL_PATH + hop);
    }

    static int returnPath(Mad mad, int hop) {
        return mad.int8(RETURN_PATH + hop);
    }

    static void setReturnPath(Mad mad, int hop, int port) {
        mad.setInt8(RETURN_PATH + hop, port);
    }
}
