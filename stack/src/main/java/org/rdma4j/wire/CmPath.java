package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * The path of a connection as REQ describes it, once for the primary and once for the alternate one (IBTA volume 1,
 * 12.6.5). "Local" is the sender of the message.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +-------------------------------+-------------------------------+
 * |           Local LID           |          Remote LID           |  0
 * +-------------------------------+-------------------------------+
 * |                     Local GID (16 bytes)                      |  4
 * +---------------------------------------------------------------+
 * |                     Remote GID (16 bytes)                     | 20
 * +---------------------------------------+-----------+-----------+
 * |              Flow Label               | reserved  |   Rate    | 36
 * +---------------+---------------+-------+-+-----+---+-----+-----+
 * | Traffic Class |   Hop Limit   |  SL   |N| rsv | AckTimeo| rsv | 40
 * +---------------+---------------+-------+-+-----+---------+-----+
 * </pre>
 *
 * @param localLid 16 bits; 0xFFFF on RoCE, which has none
 * @param remoteLid 16 bits; 0xFFFF on RoCE
 * @param localGid the sender's port
 * @param remoteGid the addressee's port
 * @param flowLabel 20 bits
 * @param rate 6 bits, the encoding of static rates
 * @param trafficClass 8 bits
 * @param hopLimit 8 bits
 * @param serviceLevel 4 bits
 * @param subnetLocal N: no router in between
 * @param ackTimeout 5 bits: 4.096 µs · 2^n, path and the peer's delay
 */
public record CmPath(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int rate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {

    /** Bytes on the wire. */
    public static final int LENGTH = 44;

    /** The LID of a port that has none. */
    public static final int PERMISSIVE_LID = 0xFFFF;

    /** No path: all zeros, as in a REQ without an alternate one. */
    public static final CmPath NONE = new CmPath(0, 0, Gid.ZERO, Gid.ZERO, 0, 0, 0, 0, 0, false, 0);

    /** The same between other ports. */
    public CmPath withGids(Gid local, Gid remote) {
        return new CmPath(
                localLid,
                remoteLid,
                local,
                remote,
                flowLabel,
                rate,
                trafficClass,
                hopLimit,
                serviceLevel,
                subnetLocal,
                ackTimeout);
    }

    public static CmPath parse(MemorySegment segment, long offset) {
        int labelAndRate = segment.get(NetworkOrder.INT, offset + 36);
        int rest = segment.get(NetworkOrder.INT, offset + 40);
        return new CmPath(
                segment.get(NetworkOrder.SHORT, offset) & 0xFFFF,
                segment.get(NetworkOrder.SHORT, offset + 2) & 0xFFFF,
                gid(segment, offset + 4),
                gid(segment, offset + 20),
                labelAndRate >>> 12,
                labelAndRate & 0x3F,
                rest >>> 24,
                rest >>> 16 & 0xFF,
                rest >>> 12 & 0xF,
                (rest >>> 11 & 1) != 0,
                rest >>> 3 & 0x1F);
    }

    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.SHORT, offset, (short) localLid);
        segment.set(NetworkOrder.SHORT, offset + 2, (short) remoteLid);
        setGid(segment, offset + 4, localGid);
        setGid(segment, offset + 20, remoteGid);
        segment.set(NetworkOrder.INT, offset + 36, flowLabel << 12 | rate & 0x3F);
        int rest = (trafficClass & 0xFF) << 24
                | (hopLimit & 0xFF) << 16
                | (serviceLevel & 0xF) << 12
                | (subnetLocal ? 1 : 0) << 11
                | (ackTimeout & 0x1F) << 3;
        segment.set(NetworkOrder.INT, offset + 40, rest);
    }

    static Gid gid(MemorySegment segment, long offset) {
        return new Gid(segment.get(NetworkOrder.LONG, offset), segment.get(NetworkOrder.LONG, offset + 8));
    }

    static void setGid(MemorySegment segment, long offset, Gid gid) {
        segment.set(NetworkOrder.LONG, offset, gid.high());
        segment.set(NetworkOrder.LONG, offset + 8, gid.low());
    }
}
