package org.rdma4j.ibsim.fabric;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.NetworkOrder;

/**
 * The ICRC of a packet where it lies (IBTA volume 1, 7.8.1): what may change on the way is taken as ones for the moment of
 * the count, VL in the LRH, all of the LRH where a GRH follows, the GRH's changing fields, FECN and BECN.
 */
public final class PacketIcrc {

    private static final int VL_ONES = 0xF0;
    private static final int GRH_ONES = 0x0FFF_FFFF;

    private final CRC32 crc = new CRC32();

    /** @param end where the ICRC is to stand */
    public int of(FabricPacket packet, int bth, int end) {
        MemorySegment bytes = packet.bytes();
        long lrh = bytes.get(NetworkOrder.LONG, 0);
        byte congestion = bytes.get(NetworkOrder.BYTE, (long) bth + Bth.CONGESTION_OFFSET);
        bytes.set(NetworkOrder.BYTE, (long) bth + Bth.CONGESTION_OFFSET, (byte) -1);
        int grh = 0;
        byte hopLimit = 0;
        if (bth == Lrh.LENGTH) {
            bytes.set(NetworkOrder.BYTE, 0, (byte) (bytes.get(NetworkOrder.BYTE, 0) | VL_ONES));
        } else {
            grh = bytes.get(NetworkOrder.INT, Lrh.LENGTH);
            hopLimit = bytes.get(NetworkOrder.BYTE, (long) Lrh.LENGTH + Grh.HOP_LIMIT_OFFSET);
            bytes.set(NetworkOrder.LONG, 0, -1L);
            bytes.set(NetworkOrder.INT, Lrh.LENGTH, grh | GRH_ONES);
            bytes.set(NetworkOrder.BYTE, (long) Lrh.LENGTH + Grh.HOP_LIMIT_OFFSET, (byte) -1);
        }
        crc.reset();
        ByteBuffer view = packet.view();
        crc.update(view.limit(end).position(0));
        view.clear();
        bytes.set(NetworkOrder.LONG, 0, lrh);
        bytes.set(NetworkOrder.BYTE, (long) bth + Bth.CONGESTION_OFFSET, congestion);
        if (bth != Lrh.LENGTH) {
            bytes.set(NetworkOrder.INT, Lrh.LENGTH, grh);
            bytes.set(NetworkOrder.BYTE, (long) Lrh.LENGTH + Grh.HOP_LIMIT_OFFSET, hopLimit);
        }
        return (int) crc.getValue();
    }
}
