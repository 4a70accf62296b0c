package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;

/**
 * Load alternate path: the active side offers another way for a standing connection (IBTA volume 1, 12.8.1).
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |                     Local Communication ID                    |  0
 * +---------------------------------------------------------------+
 * |                    Remote Communication ID                    |  4
 * +---------------------------------------------------------------+
 * |                           reserved                            |  8
 * +-----------------------------------------------+---------+-----+
 * |               Remote QPN or EECN              |RespTimeo| rsv | 12
 * +-----------------------------------------------+---------+-----+
 * |                           reserved                            | 16
 * +-------------------------------+-------------------------------+
 * |      Alternate local LID      |      Alternate remote LID     | 20
 * +-------------------------------+-------------------------------+
 * |                Alternate local GID (16 bytes)                 | 24
 * |                Alternate remote GID (16 bytes)                | 40
 * +---------------------------------------+-------+---------------+
 * |              Flow Label               |  rsv  | Traffic Class | 56
 * +---------------+---+-----------+-------+-+-----+---------+-----+
 * |   Hop Limit   |rsv|    Rate   |  SL   |N| rsv |AckTimeou| rsv | 60
 * +---------------+---+-----------+-------+-+-----+---------+-----+
 * |                   Private data (168 bytes)                    | 64
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param localCommId the sender's name for the connection
 * @param remoteCommId the addressee's
 * @param remoteQpn the addressee's queue pair
 * @param remoteResponseTimeout 5 bits: within 4.096 µs · 2^n the addressee shall answer
 * @param alternatePath the way that is offered
 * @param privateData up to {@link #PRIVATE_DATA_LENGTH} bytes
 */
public record CmLap(
        int localCommId,
        int remoteCommId,
        int remoteQpn,
        int remoteResponseTimeout,
        CmPath alternatePath,
        PrivateData privateData)
        implements CmMessage {

    public static final int ATTRIBUTE_ID = 0x0019;
    public static final int PRIVATE_DATA_OFFSET = 64;
    public static final int PRIVATE_DATA_LENGTH = 168;

    public static CmLap parse(MemorySegment segment, long offset) {
        int qpn = segment.get(NetworkOrder.INT, offset + 12);
        int label = segment.get(NetworkOrder.INT, offset + 56);
        int rest = segment.get(NetworkOrder.INT, offset + 60);
        CmPath path = new CmPath(
                segment.get(NetworkOrder.SHORT, offset + 20) & 0xFFFF,
                segment.get(NetworkOrder.SHORT, offset + 22) & 0xFFFF,
                CmPath.gid(segment, offset + 24),
                CmPath.gid(segment, offset + 40),
                label >>> 12,
                rest >>> 16 & 0x3F,
                label & 0xFF,
                rest >>> 24,
                rest >>> 12 & 0xF,
                (rest >>> 11 & 1) != 0,
                rest >>> 3 & 0x1F);
        return new CmLap(
                segment.get(NetworkOrder.INT, offset),
                segment.get(NetworkOrder.INT, offset + 4),
                qpn >>> 8,
                qpn >>> 3 & 0x1F,
                path,
                PrivateData.parse(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH));
    }

    @Override
    public int attributeId() {
        return ATTRIBUTE_ID;
    }

    @Override
    public String name() {
        return "LAP";
    }

    @Override
    public void emit(MemorySegment segment, long offset) {
        segment.set(NetworkOrder.INT, offset, localCommId);
        segment.set(NetworkOrder.INT, offset + 4, remoteCommId);
        segment.set(NetworkOrder.INT, offset + 8, 0);
        segment.set(NetworkOrder.INT, offset + 12, remoteQpn << 8 | (remoteResponseTimeout & 0x1F) << 3);
        segment.set(NetworkOrder.INT, offset + 16, 0);
        segment.set(NetworkOrder.SHORT, offset + 20, (short) alternatePath.localLid());
        segment.set(NetworkOrder.SHORT, offset + 22, (short) alternatePath.remoteLid());
        CmPath.setGid(segment, offset + 24, alternatePath.localGid());
        CmPath.setGid(segment, offset + 40, alternatePath.remoteGid());
        segment.set(
                NetworkOrder.INT, offset + 56, alternatePath.flowLabel() << 12 | alternatePath.trafficClass() & 0xFF);
        int rest = (alternatePath.hopLimit() & 0xFF) << 24
                | (alternatePath.rate() & 0x3F) << 16
                | (alternatePath.serviceLevel() & 0xF) << 12
                | (alternatePath.subnetLocal() ? 1 : 0) << 11
                | (alternatePath.ackTimeout() & 0x1F) << 3;
        segment.set(NetworkOrder.INT, offset + 60, rest);
        privateData.emit(segment, offset + PRIVATE_DATA_OFFSET, PRIVATE_DATA_LENGTH);
    }
}
