package org.rdma4j.ibsim.fabric;

import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.MadHeader;

/** What a port sees of management in a packet. */
public final class Management {

    /** The queue pair of subnet management (13.5.1). */
    public static final int SMI_QPN = 0;

    private Management() {}

    /** Where a packet's BTH starts; -1 for a raw packet, which has none. */
    public static int bthOffset(FabricPacket packet) {
        return switch (Lrh.nextHeader(packet.bytes(), 0)) {
            case Lrh.LNH_IBA_LOCAL -> Lrh.LENGTH;
            case Lrh.LNH_IBA_GLOBAL -> Lrh.LENGTH + Grh.LENGTH;
            default -> -1;
        };
    }

    /** True for a datagram to QP 1 whose class is connection management. */
    public static boolean isConnectionManagement(FabricPacket packet) {
        int mad = bthOffset(packet) + Bth.LENGTH + Deth.LENGTH;
        return packet.length() >= mad + MadHeader.MAD_LENGTH
                && MadHeader.managementClass(packet.bytes(), mad) == MadHeader.CLASS_CM;
    }

    /** True for a packet to QP 0, which goes by VL15 and by no other lane (7.6.3). */
    static boolean isSubnetManagement(FabricPacket packet) {
        int bth = bthOffset(packet);
        return bth >= 0 && packet.length() >= bth + Bth.LENGTH && Bth.destQp(packet.bytes(), bth) == SMI_QPN;
    }
}
