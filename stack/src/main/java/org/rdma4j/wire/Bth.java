package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Base transport header, the first of every transport packet (IBTA volume 1, 9.2).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------+-+-+---+-------+-------------------------------+
 * |    OpCode     |S|M|Pad| TVer  |             P_Key             |  0
 * +-+-+-----------+-+-+---+-------+-------------------------------+
 * |F|B| reserved6 |                    DestQP                     |  4
 * +-+-+-----------+-----------------------------------------------+
 * |A|  reserved7  |                      PSN                      |  8
 * +-+-------------+-----------------------------------------------+
 * S solicited event, M MigReq, F FECN, B BECN, A AckReq
 * </pre>
 *
 * The byte at 4 is taken as all ones by the ICRC, so FECN and BECN may change on the way. Receivers ignore the reserved
 * bits; the record keeps them, so that a parsed header is emitted as it was.
 *
 * @param opcode 0 to 255, see {@link Opcode}
 * @param solicited the receive completion is to raise a solicited event
 * @param migReq the path migration state is "migrated"
 * @param padCount bytes of pad behind the payload, 0 to 3
 * @param transportVersion 0 in every packet that is legal
 * @param pKey 16 bits
 * @param fecn forward congestion was met
 * @param becn backward congestion: set in a CNP
 * @param reserved6 6 bits
 * @param destQp 24 bits
 * @param ackReq the requester wants an acknowledge
 * @param reserved7 7 bits
 * @param psn 24 bits
 */
public record Bth(
        int opcode,
        boolean solicited,
        boolean migReq,
        int padCount,
        int transportVersion,
        int pKey,
        boolean fecn,
        boolean becn,
        int reserved6,
        int destQp,
        boolean ackReq,
        int reserved7,
        int psn) {

    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    public static final int OPCODE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int P_KEY_OFFSET = 2;
    public static final int CONGESTION_OFFSET = 4;
    public static final int DEST_QP_OFFSET = 4;
    public static final int ACK_REQ_OFFSET = 8;
    public static final int PSN_OFFSET = 8;

    static final int SOLICITED = 0x80;
    static final int MIG_REQ = 0x40;
    static final int PAD_SHIFT = 4;
    static final int PAD_MASK = 3;
    static final int VERSION_MASK = 0x0F;
    static final int FECN = 0x80;
    static final int BECN = 0x40;
    private static final int RESERVED_6 = 0x3F;
    static final int ACK_REQ = 0x80;
    private static final int RESERVED_7 = 0x7F;

    public static int opcode(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + OPCODE_OFFSET) & 0xFF;
    }

    public static boolean solicited(MemorySegment segment, long offset) {
        return (flags(segment, offset) & SOLICITED) != 0;
    }

    public static boolean migReq(MemorySegment segment, long offset) {
        return (flags(segment, offset) & MIG_REQ) != 0;
    }

    public static int padCount(MemorySegment segment, long offset) {
        return flags(segment, offset) >> PAD_SHIFT & PAD_MASK;
    }

    public static int transportVersion(MemorySegment segment, long offset) {
        return flags(segment, offset) & VERSION_MASK;
    }

    public static int pKey(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + P_KEY_OFFSET) & 0xFFFF;
    }

    public static boolean fecn(MemorySegment segment, long offset) {
        return (segment.get(NetworkOrder.BYTE, offset + CONGESTION_OFFSET) & FECN) != 0;
    }

    public static boolean becn(MemorySegment segment, long offset) {
        return (segment.get(NetworkOrder.BYTE, offset + CONGESTION_OFFSET) & BECN) != 0;
    }

    public static int destQp(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + DEST_QP_OFFSET) & NetworkOrder.MASK_24;
    }

    public static boolean ackReq(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + ACK_REQ_OFFSET) < 0;
    }

    public static int psn(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.INT, offset + PSN_OFFSET) & NetworkOrder.MASK_24;
    }

    public static void setOpcode(MemorySegment segment, long offset, int opcode) {
        segment.set(NetworkOrder.BYTE, offset + OPCODE_OFFSET, (byte) opcode);
    }

    public static void setSolicited(MemorySegment segment, long offset, boolean solicited) {
        setBit(segment, offset + FLAGS_OFFSET, SOLICITED, solicited);
    }

    public static void setMigReq(MemorySegment segment, long offset, boolean migReq) {
        setBit(segment, offset + FLAGS_OFFSET, MIG_REQ, migReq);
    }

    public static void setPadCount(MemorySegment segment, long offset, int padCount) {
        int others = flags(segment, offset) & ~(PAD_MASK << PAD_SHIFT);
        segment.set(NetworkOrder.BYTE, offset + FLAGS_OFFSET, (byte) (others | (padCount & PAD_MASK) << PAD_SHIFT));
    }

    public static void setTransportVersion(MemorySegment segment, long offset, int version) {
        int others = flags(segment, offset) & ~VERSION_MASK;
        segment.set(NetworkOrder.BYTE, offset + FLAGS_OFFSET, (byte) (others | version & VERSION_MASK));
    }

    public static void setPKey(MemorySegment segment, long offset, int pKey) {
        segment.set(NetworkOrder.SHORT, offset + P_KEY_OFFSET, (short) pKey);
    }

    public static void setFecn(MemorySegment segment, long offset, boolean fecn) {
        setBit(segment, offset + CONGESTION_OFFSET, FECN, fecn);
    }

    public static void setBecn(MemorySegment segment, long offset, boolean becn) {
        setBit(segment, offset + CONGESTION_OFFSET, BECN, becn);
    }

    public static void setDestQp(MemorySegment segment, long offset, int destQp) {
        set24(segment, offset + DEST_QP_OFFSET, destQp);
    }

    public static void setAckReq(MemorySegment segment, long offset, boolean ackReq) {
        setBit(segment, offset + ACK_REQ_OFFSET, ACK_REQ, ackReq);
    }

    public static void setPsn(MemorySegment segment, long offset, int psn) {
        set24(segment, offset + PSN_OFFSET, psn);
    }

    /** What the packets of a path have in common, for {@link #writeOnPath}: MigReq and P_Key. */
    public static int path(boolean migReq, int pKey) {
        return (migReq ? MIG_REQ << 16 : 0) | pKey & 0xFFFF;
    }

    /** The whole header as a sender makes it: MigReq 1, TVer 0, no congestion bits, reserved bits 0. */
    public static void write(
            MemorySegment segment,
            long offset,
            int opcode,
            boolean solicited,
            int padCount,
            int pKey,
            int destQp,
            boolean ackReq,
            int psn) {
        writeOnPath(segment, offset, opcode, solicited, padCount, path(true, pKey), destQp, ackReq, psn);
    }

    /**
     * The same with MigReq as the path has it.
     *
     * @param path of {@link #path}
     */
    public static void writeOnPath(
            MemorySegment segment,
            long offset,
            int opcode,
            boolean solicited,
            int padCount,
            int path,
            int destQp,
            boolean ackReq,
            int psn) {
        int flags = (solicited ? SOLICITED : 0) | padCount << PAD_SHIFT;
        segment.set(NetworkOrder.INT, offset, opcode << 24 | flags << 16 | path);
        segment.set(NetworkOrder.INT, offset + DEST_QP_OFFSET, destQp & NetworkOrder.MASK_24);
        segment.set(NetworkOrder.INT, offset + PSN_OFFSET, (ackReq ? ACK_REQ << 24 : 0) | psn & NetworkOrder.MASK_24);
    }

    public static Bth parse(MemorySegment segment, long offset) {
        return new Bth(
                opcode(segment, offset),
                solicited(segment, offset),
                migReq(segment, offset),
                padCount(segment, offset),
                transportVersion(segment, offset),
                pKey(segment, offset),
                fecn(segment, offset),
                becn(segment, offset),
                segment.get(NetworkOrder.BYTE, offset + CONGESTION_OFFSET) & RESERVED_6,
                destQp(segment, offset),
                ackReq(segment, offset),
                segment.get(NetworkOrder.BYTE, offset + ACK_REQ_OFFSET) & RESERVED_7,
                psn(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, opcode, solicited, padCount, pKey, destQp, ackReq, psn);
        setMigReq(segment, offset, migReq);
        setTransportVersion(segment, offset, transportVersion);
        int congestion = (fecn ? FECN : 0) | (becn ? BECN : 0) | reserved6 & RESERVED_6;
        segment.set(NetworkOrder.BYTE, offset + CONGESTION_OFFSET, (byte) congestion);
        segment.set(
                NetworkOrder.BYTE, offset + ACK_REQ_OFFSET, (byte) ((ackReq ? ACK_REQ : 0) | reserved7 & RESERVED_7));
    }

    private static int flags(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.BYTE, offset + FLAGS_OFFSET) & 0xFF;
    }

    private static void setBit(MemorySegment segment, long at, int bit, boolean value) {
        int others = segment.get(NetworkOrder.BYTE, at) & ~bit;
        segment.set(NetworkOrder.BYTE, at, (byte) (value ? others | bit : others));
    }

    private static void set24(MemorySegment segment, long at, int value) {
        int other = segment.get(NetworkOrder.INT, at) & ~NetworkOrder.MASK_24;
        segment.set(NetworkOrder.INT, at, other | value & NetworkOrder.MASK_24);
    }
}
