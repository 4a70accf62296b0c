package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * VLAN tag, between an Ethernet header's addresses and its type (IEEE 802.1Q, 9.3 to 9.6). Frames may carry two.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-----+-+-----------------------+
 * |        TPID (0x8100)          | PCP |D|          VID          |  0
 * +-------------------------------+-----+-+-----------------------+
 * </pre>
 *
 * @param protocol 16 bits: {@link #CUSTOMER} or {@link #SERVICE}
 * @param priority PCP, 3 bits: what priority flow control acts on
 * @param dropEligible DEI
 * @param id VID, 12 bits; 0 tags a priority only
 */
public record VlanTag(int protocol, int priority, boolean dropEligible, int id) {

    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** 802.1Q. */
    public static final int CUSTOMER = 0x8100;

    /** 802.1ad, the outer one of two. */
    public static final int SERVICE = 0x88A8;

    private static final int ID_MASK = 0xFFF;
    private static final int DROP_ELIGIBLE = 0x1000;

    /** True where an Ethernet type announces a tag. */
    public static boolean isVlan(int etherType) {
        return etherType == CUSTOMER || etherType == SERVICE;
    }

    public static int priority(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + 2) >> 13 & 7;
    }

    public static int id(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + 2) & ID_MASK;
    }

    public static void write(
            MemorySegment segment, long offset, int protocol, int priority, boolean dropEligible, int id) {
        int control = (priority & 7) << 13 | (dropEligible ? DROP_ELIGIBLE : 0) | id & ID_MASK;
        segment.set(NetworkOrder.INT, offset, protocol << 16 | control);
    }

    public static VlanTag parse(MemorySegment segment, long offset) {
        int word = segment.get(NetworkOrder.INT, offset);
        return new VlanTag(word >>> 16, priority(segment, offset), (word & DROP_ELIGIBLE) != 0, id(segment, offset));
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, protocol, priority, dropEligible, id);
    }
}
