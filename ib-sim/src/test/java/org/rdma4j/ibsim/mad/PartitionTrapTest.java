package org.rdma4j.ibsim.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.rdma4j.ibsim.fabric.ChannelAdapter;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.PacketIcrc;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.host.Host;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.verbs.DeviceContext;
import org.rdma4j.verbs.QpAttributes;
import org.rdma4j.verbs.QpInitAttributes;
import org.rdma4j.verbs.QpState;
import org.rdma4j.verbs.QueuePair;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/** FAB-12: a packet of a partition that it may not be in is dropped, and the manager hears of it. */
class PartitionTrapTest {

    private static final int FOREIGN = 0x8123;

    private final Asker asker = new Asker();
    private Port from;
    private Port to;

    @BeforeEach
    void up() {
        InstantSubnet.bringUp(asker.fabric);
        from = asker.port("H-2");
        to = asker.port("H-3");
        tellWhoIsMaster(Asker.SWITCH);
        tellWhoIsMaster(new byte[] {1, 3});
        asker.run(0.001);
        asker.received.clear();
    }

    private void tellWhoIsMaster(byte[] path) {
        Mad info = asker.get(path, SubnetAgent.PORT_INFO, 0);
        info.setInt16(
                Mad.DATA + PortInfo.MASTER_SM_LID, asker.port("H-1").settings().lid());
        info.setInt8(Mad.DATA + PortInfo.SPEED_SUPPORTED_STATE, 0);
        info.setInt8(Mad.DATA + PortInfo.PHYSICAL_STATE_DOWN_DEFAULT, 0);
        asker.set(path, SubnetAgent.PORT_INFO, 0, info);
    }

    private void send(int pKey, int qpn) {
        FabricPacket packet = asker.fabric.newPacket();
        int end = Lrh.LENGTH + Bth.LENGTH + 64;
        packet.bytes().fill((byte) 0);
        int words = (end + Icrc.LENGTH) / 4;
        Lrh.write(
                packet.bytes(),
                0,
                0,
                0,
                Lrh.LNH_IBA_LOCAL,
                to.settings().lid(),
                words,
                from.settings().lid());
        new Bth(Opcode.RC_SEND_ONLY, false, false, 0, 0, pKey, false, false, 0, qpn, false, 0, 0)
                .emit(packet.bytes(), Lrh.LENGTH);
        packet.setLength(end + Icrc.LENGTH + Vcrc.LENGTH);
        packet.leaveUnsealed(new PacketIcrc(), 0);
        from.node().send(packet, from, asker.fabric.events().now());
        asker.run(0.001);
    }

    @Test
    @DisplayName("FAB-12 a switch's port that filters tells of it by trap 259, with LIDs, P_Key and its number")
    void atASwitch() {
        asker.fabric.node("S-1").port(2).settings().setFilters(true, false);
        send(FOREIGN, 5);
        assertEquals(1, asker.fabric.discards(FabricRule.PARTITION_IN));
        Mad trap = asker.received.getFirst();
        assertEquals(Notice.BAD_P_KEY_AT_SWITCH, trap.int16(Notice.NUMBER));
        assertEquals(from.settings().lid(), trap.int16(Notice.DETAILS + 2));
        assertEquals(to.settings().lid(), trap.int16(Notice.DETAILS + 4));
        assertEquals(FOREIGN, trap.int16(Notice.DETAILS + 6));
        assertEquals(5, trap.int32(Notice.DETAILS + 12));
        assertEquals(2, trap.int8(Notice.DETAILS + 50));
        for (int more = 0; more < 100; more++) {
            send(FOREIGN, 5);
        }
        assertEquals(1, asker.received.size(), "one a second, whatever comes");
    }

    @Test
    @DisplayName("FAB-12 a host whose queue pair is in another partition tells of it by trap 257")
    void atAHost() {
        try (Host host = new Host((ChannelAdapter) to.node(), 1, 1)) {
            DeviceContext device = host.device();
            QueuePair qp = device.allocPd().createQp(QpInitAttributes.rc(device.createCq(4)));
            qp.modify(
                    new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0));
            send(FOREIGN, qp.qpNum());
            assertEquals(1, asker.fabric.discards(FabricRule.PARTITION_HOST));
            Mad trap = asker.received.getFirst();
            assertEquals(Notice.BAD_P_KEY, trap.int16(Notice.NUMBER));
            assertEquals(from.settings().lid(), trap.int16(Notice.DETAILS + 2));
            assertEquals(to.settings().lid(), trap.int16(Notice.DETAILS + 4));
            assertEquals(FOREIGN, trap.int32(Notice.DETAILS + 6));
            assertEquals(qp.qpNum(), trap.int32(Notice.DETAILS + 14));
        }
    }
}
