package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * FLUSH extended transport header, between BTH and RETH of a FLUSH request (IBTA volume 1, annex A19).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------+---+-------+
 * |                     reserved                      |SEL|  PLT  |  0
 * +---------------------------------------------------+---+-------+
 * </pre>
 *
 * @param reserved 26 bits, ignored by receivers
 * @param selectivity 2 bits: {@link #RANGE} or {@link #MEMORY_REGION}
 * @param placement 4 bits: {@link #GLOBAL_VISIBILITY}, {@link #PERSISTENCE} or both
 */
public record Feth(int reserved, int selectivity, int placement) implements ExtensionHeader {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** Placement: the data is to be seen by all of the responder's processors. */
    public static final int GLOBAL_VISIBILITY = 1;

    /** Placement: the data is to outlast a loss of power. */
    public static final int PERSISTENCE = 2;

    /** Selectivity: the bytes that the RETH names. */
    public static final int RANGE = 0;

    /** Selectivity: the whole region that the R_Key names. */
    public static final int MEMORY_REGION = 1;

    private static final int SELECTIVITY_SHIFT = 4;
    private static final int RESERVED_SHIFT = 6;

    public Feth(int selectivity, int placement) {
        this(0, selectivity, placement);
    }

    public static int selectivity(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset) >> SELECTIVITY_SHIFT & 3;
    }

    public static int placement(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset) & 0xF;
    }

    /** Writes the reserved bits as 0. */
    public static void write(MemorySegment segment, long offset, int selectivity, int placement) {
        segment.set(NetworkOrder.INT, offset, (selectivity & 3) << SELECTIVITY_SHIFT | placement & 0xF);
    }

    public static Feth parse(MemorySegment segment, long offset) {
        int reserved = segment.get(NetworkOrder.INT, offset) >>> RESERVED_SHIFT;
        return new Feth(reserved, selectivity(segment, offset), placement(segment, offset));
    }

    @Override
    public int length() {
        return LENGTH;
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        int known = (selectivity & 3) << SELECTIVITY_SHIFT | placement & 0xF;
        segment.set(NetworkOrder.INT, offset, reserved << RESERVED_SHIFT | known);
    }
}
