package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * What stands in front of the private data of an MPA frame with the S flag: how many READs each side takes and makes at
 * once, and how a peer-to-peer connection starts (RFC 6581, 9).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-+-+---------------------------+-+-+---------------------------+
 * |A|B|           IRD             |C|D|           ORD             |
 * +-+-+---------------------------+-+-+---------------------------+
 * </pre>
 *
 * Both depths are meant from the sender of the frame: its IRD is how many READ requests it takes on at once, its ORD how
 * many it means to have outstanding.
 *
 * @param peerToPeer A: the responder may send first, once the initiator's ready-to-receive (RTR) message has come
 * @param sendRtr B: a zero-length FULPDU, which drivers build as a Send of no bytes, may be that message
 * @param ird 14 bits
 * @param writeRtr C: a zero-length RDMA Write may be it
 * @param readRtr D: a zero-length RDMA Read may be it
 * @param ord 14 bits
 */
public record EnhancedData(boolean peerToPeer, boolean sendRtr, int ird, boolean writeRtr, boolean readRtr, int ord) {

    /** Bytes on the wire; they count in the frame's private data length. */
    public static final int LENGTH = 4;

    /** The largest depth, which says that the ULPs settle it in their own private data (RFC 6581, 9.1). */
    public static final int UNNEGOTIATED = 0x3FFF;

    /** The largest depth that means a number. */
    public static final int MAX_DEPTH = UNNEGOTIATED - 1;

    public static final int IRD_OFFSET = 0;
    public static final int ORD_OFFSET = 2;

    private static final int UPPER = 0x8000;
    private static final int LOWER = 0x4000;

    public static boolean peerToPeer(MemorySegment segment, long offset) {
        return (first(segment, offset) & UPPER) != 0;
    }

    public static boolean sendRtr(MemorySegment segment, long offset) {
        return (first(segment, offset) & LOWER) != 0;
    }

    public static int ird(MemorySegment segment, long offset) {
        return first(segment, offset) & UNNEGOTIATED;
    }

    public static boolean writeRtr(MemorySegment segment, long offset) {
        return (second(segment, offset) & UPPER) != 0;
    }

    public static boolean readRtr(MemorySegment segment, long offset) {
        return (second(segment, offset) & LOWER) != 0;
    }

    public static int ord(MemorySegment segment, long offset) {
        return second(segment, offset) & UNNEGOTIATED;
    }

    private static int first(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + IRD_OFFSET) & 0xFFFF;
    }

    private static int second(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + ORD_OFFSET) & 0xFFFF;
    }

    public static void write(
            MemorySegment segment,
            long offset,
            boolean peerToPeer,
            boolean sendRtr,
            int ird,
            boolean writeRtr,
            boolean readRtr,
            int ord) {
        segment.set(NetworkOrder.SHORT, offset + IRD_OFFSET, word(peerToPeer, sendRtr, ird));
        segment.set(NetworkOrder.SHORT, offset + ORD_OFFSET, word(writeRtr, readRtr, ord));
    }

    private static short word(boolean upper, boolean lower, int depth) {
        return (short) ((upper ? UPPER : 0) | (lower ? LOWER : 0) | depth & UNNEGOTIATED);
    }

    public static EnhancedData parse(MemorySegment segment, long offset) {
        return new EnhancedData(
                peerToPeer(segment, offset),
                sendRtr(segment, offset),
                ird(segment, offset),
                writeRtr(segment, offset),
                readRtr(segment, offset),
                ord(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, peerToPeer, sendRtr, ird, writeRtr, readRtr, ord);
    }
}
