package org.rdma4j.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.rdma4j.wire.NetworkOrder;

/**
 * RDMAP header of an atomic response, behind its untagged DDP header (RFC 7306, 5.2.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                 Original request identifier                   |  0
 * +---------------------------------------------------------------+
 * |             Original remote data value (63..32)               |  4
 * +---------------------------------------------------------------+
 * |             Original remote data value (31..0)                |  8
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param identifier that of the request
 * @param value what lay there before the operation
 */
public record AtomicResponse(int identifier, long value) {

    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    public static final int IDENTIFIER_OFFSET = 0;
    public static final int VALUE_OFFSET = 4;

    public static int identifier(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + IDENTIFIER_OFFSET);
    }

    public static long value(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.LONG, offset + VALUE_OFFSET);
    }

    public static void write(MemorySegment segment, long offset, int identifier, long value) {
        segment.set(NetworkOrder.INT, offset + IDENTIFIER_OFFSET, identifier);
        segment.set(NetworkOrder.LONG, offset + VALUE_OFFSET, value);
    }

    public static AtomicResponse parse(MemorySegment segment, long offset) {
        return new AtomicResponse(identifier(segment, offset), value(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, identifier, value);
    }
}
