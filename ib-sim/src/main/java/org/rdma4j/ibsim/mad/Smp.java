package org.rdma4j.ibsim.mad;

import org.rdma4j.ibsim.fabric.Lids;
import org.rdma4j.wire.MadHeader;

/** The fields of a subnet management datagram (IBTA volume 1, 14.2.1). */
public final class Smp {

    public static final int M_KEY = 24;

    // With a directed route only.
    static final int HOP_POINTER = MadHeader.CLASS_SPECIFIC_OFFSET;
    static final int HOP_COUNT = HOP_POINTER + 1;
    static final int SOURCE_LID = 32;
    static final int DESTINATION_LID = 34;
    static final int INITIAL_PATH = 128;
    static final int RETURN_PATH = 192;

    /** The status' first bit: on the way back. */
    public static final int DIRECTION = 0x8000;

    static final int MAX_HOPS = 63;

    private static final int CLASS_VERSION = 1;

    private Smp() {}

    /**
     * A datagram that goes by a path.
     *
     * @param path the port that it leaves each node by, the sender's first; empty for the sender itself
     * @param key M_Key
     */
    public static Mad directed(int method, int attribute, int modifier, byte[] path, long key) {
        if (path.length > MAX_HOPS) {
            throw new IllegalArgumentException("a path of " + path.length + " hops, " + MAX_HOPS + " are possible");
        }
        Mad mad = new Mad();
        mad.setInt8(MadHeader.BASE_VERSION_OFFSET, MadHeader.BASE_VERSION);
        mad.setInt8(MadHeader.MANAGEMENT_CLASS_OFFSET, Mad.SUBNET_DIRECTED);
        mad.setInt8(MadHeader.CLASS_VERSION_OFFSET, CLASS_VERSION);
        mad.setMethod(method);
        mad.setAttribute(attribute, modifier);
        mad.setInt64(M_KEY, key);
        mad.setInt8(HOP_COUNT, path.length);
        mad.setInt16(SOURCE_LID, Lids.PERMISSIVE);
        mad.setInt16(DESTINATION_LID, Lids.PERMISSIVE);
        for (int hop = 1; hop <= path.length; hop++) {
            mad.setInt8(INITIAL_PATH + hop, path[hop - 1]);
        }
        return mad;
    }

    /** Makes of a request its answer; how that goes back stands in the datagram. */
    public static void turnRound(Mad mad, int status) {
        mad.setMethod(Mad.GET_RESP);
        mad.setStatus(isDirected(mad) ? status | DIRECTION : status);
        if (!isDirected(mad)) {
            mad.turnRound();
        }
    }

    public static boolean isDirected(Mad mad) {
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
