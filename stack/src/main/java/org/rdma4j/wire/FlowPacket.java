package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Flow control packet of a native InfiniBand link (IBTA volume 1, 7.9.4): what a receiver grants for one virtual lane, in
 * blocks of 64 bytes counted modulo 4,096.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------+-----------------------+-------+-----------------------+
 * |  Op   |         FCTBS         |  VL   |         FCCL          |  0
 * +-------+-----------------------+-------+-----------------------+
 * |             LPCRC             |                                  4
 * +-------------------------------+
 * </pre>
 *
 * @param operand 4 bits: {@link #NORMAL} or {@link #INIT}
 * @param totalBlocksSent 12 bits, FCTBS: blocks that this end has sent on the lane since the link was initialized
 * @param virtualLane 4 bits
 * @param creditLimit 12 bits, FCCL: up to which count the other end may send
 */
public record FlowPacket(int operand, int totalBlocksSent, int virtualLane, int creditLimit) {

    /** Bytes on the wire, LPCRC included. */
    public static final int LENGTH = 6;

    /** The link is up. */
    public static final int NORMAL = 0;

    /** The port's state is Init: the counts start anew. */
    public static final int INIT = 1;

    /** Bytes of the unit that credit is counted in (7.9.4.4). */
    public static final int BLOCK = 64;

    private static final int COUNT_MASK = 0xFFF;
    private static final int VL_OFFSET = 2;
    private static final int LPCRC_OFFSET = 4;

    /** @return {@code null} where its LPCRC is wrong */
    public static FlowPacket parse(MemorySegment segment, long offset) {
        if (Vcrc.read(segment, offset + LPCRC_OFFSET) != Vcrc.of(segment, offset, LPCRC_OFFSET)) {
            return null;
        }
        int first = segment.get(NetworkOrder.SHORT, offset) & 0xFFFF;
        int second = segment.get(NetworkOrder.SHORT, offset + VL_OFFSET) & 0xFFFF;
        return new FlowPacket(first >> 12, first & COUNT_MASK, second >> 12, second & COUNT_MASK);
    }

    /** Writes it with its LPCRC, which is the polynomial of the VCRC over the 4 bytes before (7.8.3). */
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.SHORT, offset, (short) (operand << 12 | totalBlocksSent & COUNT_MASK));
        segment.set(NetworkOrder.SHORT, offset + VL_OFFSET, (short) (virtualLane << 12 | creditLimit & COUNT_MASK));
        Vcrc.write(segment, offset + LPCRC_OFFSET, Vcrc.of(segment, offset, LPCRC_OFFSET));
    }
}
