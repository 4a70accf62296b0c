package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * ACK extended transport header, in every acknowledge and in the first, last and only packet of a READ response (IBTA
 * volume 1, 9.3.5).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+-----------------------------------------------+
 * |   Syndrome    |                      MSN                      |  0
 * +---------------+-----------------------------------------------+
 * </pre>
 *
 * @param syndrome 8 bits, see {@link Syndrome}
 * @param msn messages that the responder has completed, 24 bits
 */
public record Aeth(int syndrome, int msn) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    public static final int SYNDROME_OFFSET = 0;
    public static final int MSN_OFFSET = 0;

    public static int syndrome(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + SYNDROME_OFFSET) & 0xFF;
    }

    public static int msn(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + MSN_OFFSET) & NetworkOrder.MASK_24;
    }

    public static void setSyndrome(MemorySegment segment, long offset, int syndrome) {
        segment.set(NetworkOrder.BYTE, offset + SYNDROME_OFFSET, (byte) syndrome);
    }

    public static void setMsn(MemorySegment segment, long offset, int msn) {
        write(segment, offset, syndrome(segment, offset), msn);
    }

    public static void write(MemorySegment segment, long offset, int syndrome, int msn) {
        segment.set(NetworkOrder.INT, offset, syndrome << 24 | msn & NetworkOrder.MASK_24);
    }

    public static Aeth parse(MemorySegment segment, long offset) {
        return new Aeth(syndrome(segment, offset), msn(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, syndrome, msn);
    }
}
