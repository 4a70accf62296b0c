package org.rdma4j.ibsim.mad;

import java.lang.foreign.MemorySegment;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.Management;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/** Management datagrams as packets, and back. */
final class MadPackets {

    private static final int BTH = Lrh.LENGTH;
    private static final int DETH = BTH + Bth.LENGTH;
    private static final int PAYLOAD = DETH + Deth.LENGTH;
    private static final int END = PAYLOAD + Mad.LENGTH;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private MadPackets() {}

    /** The packet that carries a datagram. */
    static FabricPacket of(Fabric fabric, Mad mad, int lane) {
        FabricPacket packet = fabric.newPacket();
        MemorySegment bytes = packet.bytes();
        int words = (END + Icrc.LENGTH) / Integer.BYTES;
        Lrh.write(bytes, 0, lane, 0, Lrh.LNH_IBA_LOCAL, mad.destinationLid, words, mad.sourceLid);
        new Bth(Opcode.UD_SEND_ONLY, false, false, 0, 0, DEFAULT_PKEY, false, false, 0, mad.destinationQp, false, 0, 0)
                .emit(bytes, BTH);
        int qKey = mad.destinationQp == Management.SMI_QPN ? 0 : MadHeader.GSI_Q_KEY;
        Deth.write(bytes, DETH, qKey, mad.sourceQp);
        MemorySegment.copy(mad.bytes(), 0, bytes, PAYLOAD, Mad.LENGTH);
        packet.setLength(END + Icrc.LENGTH + Vcrc.LENGTH);
        seal(packet);
        return packet;
    }

    /** Makes the ICRC right for the bytes as they are. */
    static void seal(FabricPacket packet) {
        int end = packet.length() - Icrc.LENGTH - Vcrc.LENGTH;
        Icrc.write(packet.bytes(), end, icrc(packet.bytes(), end));
        packet.leaveUnsealed();
    }

    private static int icrc(MemorySegment bytes, int end) {
        MemorySegment prefix = MemorySegment.ofArray(new byte[Lrh.LENGTH]);
        Icrc.writeLrhPrefix(prefix, 0, bytes, 0);
        return Icrc.of(prefix, bytes, BTH, end - BTH);
    }

    /** The datagram of a packet; {@code null} where it has none, or its ICRC is wrong (13.5.3.3). */
    static Mad parse(FabricPacket packet) {
        int bth = Management.bthOffset(packet);
        int payload = bth + Bth.LENGTH + Deth.LENGTH;
        MemorySegment bytes = packet.bytes();
        if (bth < 0
                || packet.length() != payload + Mad.LENGTH + Icrc.LENGTH + Vcrc.LENGTH
                || Bth.opcode(bytes, bth) != Opcode.UD_SEND_ONLY
                || MadHeader.baseVersion(bytes, payload) != MadHeader.BASE_VERSION) {
            return null;
        }
        if (bth == BTH && icrc(bytes, END) != Icrc.read(bytes, END)) {
            return null;
        }
        Mad mad = Mad.copyOf(bytes, payload);
        mad.sourceLid = packet.sourceLid();
        mad.destinationLid = packet.destinationLid();
        mad.sourceQp = Deth.sourceQp(bytes, (long) bth + Bth.LENGTH);
        mad.destinationQp = Bth.destQp(bytes, bth);
        return mad;
    }
}
