package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Endace's extensible record format, as capture cards write it in front of each frame (ERF, version 17 of its guide).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |           timestamp: 32.32 bits, lowest byte first            |  0
 * |                                                               |  4
 * +-+-------------+---------------+-------------------------------+
 * |X|    type     |     flags     |         record length         |  8
 * +-+-------------+---------------+-------------------------------+
 * |   loss counter, or color      |          wire length          | 12
 * +-------------------------------+-------------------------------+
 * X: an extension header of 8 bytes follows; its own highest bit says whether another one does
 * </pre>
 */
public final class ErfHeader {

    /** Bytes without extension headers. */
    public static final int LENGTH = 16;

    static final int EXTENSION_LENGTH = 8;

    /** In front of an Ethernet frame lie two bytes of offset and pad. */
    static final int ETHERNET_PAD = 2;

    private static final int INFINIBAND = 21;
    private static final int TYPE_OFFSET = 8;
    private static final long SECOND = 1_000_000_000;
    private static final int MORE = 0x80;
    private static final int TYPE_MASK = 0x7F;

    private ErfHeader() {}

    /**
     * The header of a native InfiniBand packet.
     *
     * @param timestamp ns since 1970
     * @param packetLength bytes from LRH to VCRC
     */
    public static void writeInfiniband(MemorySegment segment, long offset, long timestamp, int packetLength) {
        long fixed = timestamp / SECOND << 32 | (timestamp % SECOND << 32) / SECOND;
        segment.set(NetworkOrder.LONG, offset, Long.reverseBytes(fixed));
        segment.set(NetworkOrder.INT, offset + TYPE_OFFSET, INFINIBAND << 24 | LENGTH + packetLength);
        segment.set(NetworkOrder.INT, offset + TYPE_OFFSET + Integer.BYTES, packetLength);
    }

    static int type(FrameBytes bytes, long offset) {
        return bytes.uint8(offset + TYPE_OFFSET) & TYPE_MASK;
    }

    /** Bytes of the header with its extensions; -1 where it breaks off. */
    static int length(FrameBytes bytes, long offset, long end) {
        if (end - offset < LENGTH) {
            return -1;
        }
        long at = offset + LENGTH;
        boolean more = (bytes.uint8(offset + TYPE_OFFSET) & MORE) != 0;
        while (more) {
            if (end - at < EXTENSION_LENGTH) {
                return -1;
            }
            more = (bytes.uint8(at) & MORE) != 0;
            at += EXTENSION_LENGTH;
        }
        return (int) (at - offset);
    }

    static boolean isEthernet(int type) {
        return type == 2 || type == 11 || type == 16 || type == 20;
    }

    static boolean isInfiniBand(int type) {
        return type == 21 || type == 25;
    }

    static boolean isIp(int type) {
        return type == 22 || type == 23;
    }
}
