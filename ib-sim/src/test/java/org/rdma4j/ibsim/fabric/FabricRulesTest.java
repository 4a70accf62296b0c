package org.rdma4j.ibsim.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.ibsim.topology.Topologies;
import org.rdma4j.ibsim.traffic.Traffic;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/** What ports and switches take, pass on and drop, by the catalogue's rows; packets made by hand, nobody behind them. */
class FabricRulesTest {

    private static final long SECOND = 1_000_000_000_000L;
    private static final int ICRC = 4;
    private static final int FAR_QP = 5;

    private final Fabric fabric = new Fabric(1);
    private final List<byte[]> arrived = new ArrayList<>();
    private Port from;
    private Port to;
    private Switch middle;

    @BeforeEach
    void threeHostsAndASwitch() {
        Topologies.build("star:3", fabric);
        InstantSubnet.bringUp(fabric);
        from = fabric.node("H-1").port(1);
        to = fabric.node("H-2").port(1);
        middle = (Switch) fabric.node("S-1");
        for (String name : List.of("H-2", "H-3")) {
            fabric.node(name)
                    .setConsumer((packet, port, now) -> arrived.add(
                            packet.bytes().asSlice(0, packet.length()).toArray(NetworkOrder.BYTE)));
        }
        fabric.events().runUntil(SECOND); // credit has come
    }

    private FabricPacket packet(int lid, int payload) {
        FabricPacket packet = fabric.newPacket();
        int end = Lrh.LENGTH + Bth.LENGTH + payload + ICRC;
        packet.bytes().fill((byte) 0);
        Lrh.write(
                packet.bytes(),
                0,
                0,
                0,
                Lrh.LNH_IBA_LOCAL,
                lid,
                end / 4,
                from.settings().lid());
        new Bth(Opcode.RC_SEND_ONLY, false, false, 0, 0, 0xFFFF, false, false, 0, FAR_QP, false, 0, 0)
                .emit(packet.bytes(), Lrh.LENGTH);
        packet.setLength(end + Vcrc.LENGTH);
        packet.leaveUnsealed();
        return packet;
    }

    private FabricPacket toPeer(int payload) {
        return packet(to.settings().lid(), payload);
    }

    private void send(FabricPacket packet) {
        from.node().send(packet, from, fabric.events().now());
        fabric.events().runUntil(fabric.events().now() + SECOND);
    }

    private void sendAndExpect(FabricPacket packet, FabricRule rule) {
        send(packet);
        assertEquals(0, arrived.size());
        assertEquals(1, fabric.discards(rule));
    }

    private static void setByte(FabricPacket packet, int offset, int value) {
        packet.bytes().set(NetworkOrder.BYTE, offset, (byte) value);
    }

    @Test
    @DisplayName("a packet that is right arrives as it was sent, with a right VCRC where one looks")
    void right() {
        List<Integer> seen = new ArrayList<>();
        middle.port(2).tap((port, packet, now) -> {
            int covered = packet.length() - Vcrc.LENGTH;
            assertEquals(Vcrc.of(packet.bytes(), 0, covered), Vcrc.read(packet.bytes(), covered));
            seen.add(packet.length());
        });
        send(toPeer(256));
        assertEquals(1, arrived.size());
        assertEquals(List.of(8 + 12 + 256 + 4 + 2), seen);
    }

    @Test
    @DisplayName("CRC-09 a wrong VCRC is dropped at the next hop and counted")
    void wrongVcrc() {
        FabricPacket packet = toPeer(64);
        packet.seal();
        setByte(packet, 40, 0x55);
        packet.distrust();
        sendAndExpect(packet, FabricRule.VCRC);
        assertEquals(1, middle.port(1).counters().symbolErrors);
        assertEquals(1, middle.port(1).counters().rcvErrors);
    }

    @Test
    @DisplayName("CRC-10 a right VCRC around a wrong ICRC is forwarded: a switch does not look at it")
    void wrongIcrc() {
        send(toPeer(64)); // the ICRC of these packets is 0
        assertEquals(1, arrived.size());
    }

    @Test
    @DisplayName("CRC-11 FAB-11 a switch that changes the lane makes the VCRC anew and leaves the ICRC")
    void changedLane() {
        middle.lanes().set(1, 2, 0, 3);
        FabricPacket packet = toPeer(64);
        setByte(packet, packet.length() - Vcrc.LENGTH - 1, 0x77);
        packet.seal();
        packet.distrust();
        send(packet);
        MemorySegment there = MemorySegment.ofArray(arrived.getFirst());
        int covered = (int) there.byteSize() - Vcrc.LENGTH;
        assertEquals(3, Lrh.virtualLane(there, 0));
        assertEquals(0x77, there.get(NetworkOrder.BYTE, covered - 1L));
    }

    @Test
    @DisplayName("FAB-11 SLtoVL with VL15 drops the packets of a service level")
    void serviceLevelWithoutLane() {
        middle.lanes().set(1, 2, 0, 15);
        sendAndExpect(toPeer(64), FabricRule.SL_TO_VL);
        assertEquals(1, middle.port(2).counters().xmitDiscards);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 15})
    @DisplayName("FAB-01 LVer other than 0 is dropped")
    void linkVersion(int version) {
        FabricPacket packet = toPeer(64);
        setByte(packet, 0, version);
        sendAndExpect(packet, FabricRule.LINK_VERSION);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    @DisplayName("FAB-02 PktLen one off is dropped")
    void packetLength(int off) {
        FabricPacket packet = toPeer(64);
        int words = Lrh.packetLength(packet.bytes(), 0);
        packet.bytes().set(NetworkOrder.SHORT, Lrh.PACKET_LENGTH_OFFSET, (short) (words + off));
        sendAndExpect(packet, FabricRule.PACKET_LENGTH);
    }

    @Test
    @DisplayName("FAB-03 a packet that ends with EBP is dropped and counted as the sender's error")
    void markedBad() {
        FabricPacket packet = toPeer(64);
        packet.markBad();
        sendAndExpect(packet, FabricRule.MARKED_BAD);
        assertEquals(1, middle.port(1).counters().rcvRemotePhysicalErrors);
    }

    @Test
    @DisplayName("FAB-04 a lane that the port does not have, data on VL15, QP 0 on a data lane are dropped")
    void lanes() {
        send(toPeer(64));
        assertEquals(1, arrived.size());
        middle.port(1).settings().setOperationalLanes(3); // VL0 to VL3; the sender still has credit for VL5
        FabricPacket unknownLane = toPeer(64);
        setByte(unknownLane, 0, 5 << 4);
        send(unknownLane);
        assertEquals(1, fabric.discards(FabricRule.LANE_NOT_CONFIGURED));
        FabricPacket dataOn15 = toPeer(64);
        setByte(dataOn15, 0, 15 << 4);
        send(dataOn15);
        assertEquals(1, fabric.discards(FabricRule.LANE_15_FOR_DATA));
        FabricPacket toQp0 = toPeer(64);
        toQp0.bytes().set(NetworkOrder.INT, Lrh.LENGTH + 4L, 0);
        send(toQp0);
        assertEquals(1, fabric.discards(FabricRule.SUBNET_MANAGEMENT_ON_DATA_LANE));
        assertEquals(1, arrived.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x1234, 0xFFFF})
    @DisplayName("FAB-05 DLID 0, an unknown one, and the permissive one for data go nowhere")
    void destinations(int lid) {
        send(packet(lid, 64));
        assertEquals(0, arrived.size());
    }

    @Test
    @DisplayName("FAB-06 a packet longer than the next link's MTU is discarded there")
    void mtu() {
        middle.port(2).settings().setMtu(1);
        send(toPeer(256));
        assertEquals(1, arrived.size());
        arrived.clear();
        sendAndExpect(toPeer(512), FabricRule.MTU);
        assertEquals(1, middle.port(2).counters().xmitDiscards);
    }

    @Test
    @DisplayName("FAB-07 credit is never overdrawn, and its counts wrap at 4,096")
    void credit() {
        for (int count = 0; count < 10_000; count++) { // 66 blocks each: the counts wrap 160 times
            from.node().send(toPeer(4096), from, fabric.events().now());
            FabricPacket other = packet(to.settings().lid(), 4096);
            fabric.node("H-3")
                    .send(other, fabric.node("H-3").port(1), fabric.events().now());
        }
        fabric.events().runUntil(fabric.events().now() + SECOND);
        assertEquals(20_000, arrived.size());
        for (int number = 1; number <= 3; number++) {
            assertEquals(0, middle.port(number).counters().excessiveBufferOverruns);
        }
        assertTrue(from.counters().xmitWait > 0, "both want one cable: each has waited for credit");
    }

    @Test
    @DisplayName("FAB-07 FCCL is what has come and what there is room for, and FCTBS makes up for what was lost")
    void creditArithmetic() {
        Grant grant = new Grant(100);
        assertEquals(100, grant.tell());
        grant.take(66);
        assertEquals(100, grant.limit());
        grant.release(66);
        assertEquals(166, grant.limit());
        grant.synchronize(4090);
        assertEquals((4090 + 100) % 4096, grant.limit());
        OutputLane lane = new OutputLane(from, 0);
        lane.granted(94);
        for (int sent = 0; sent < 4090; sent += 10) {
            lane.granted(sent + 10 & 4095);
            lane.sent(10);
        }
        assertEquals(4090, lane.totalBlocksSent());
        lane.granted(4090 + 100 & 4095);
        assertTrue(lane.hasCredit(100));
        assertFalse(lane.hasCredit(101));
    }

    @Test
    @DisplayName("FAB-07 small packets never use up the credit that a large one needs")
    void creditOfSmallPackets() {
        Fabric own = new Fabric(9);
        own.setLaneBuffer(4480); // one packet of 4 KB
        Topologies.build("star:2", own);
        InstantSubnet.bringUp(own);
        Port sender = own.node("H-1").port(1);
        int lid = own.node("H-2").port(1).settings().lid();
        for (int payload : List.of(128, 256, 256, 4096)) {
            FabricPacket packet = packet(lid, payload);
            own.node("H-1").send(packet, sender, own.events().now());
            own.events().runUntil(own.events().now() + SECOND);
        }
        assertEquals(4, own.node("H-2").port(1).counters().rcvPackets);
    }

    @Test
    @DisplayName("FAB-08 what waits at the head of a queue for longer than HOQLife is discarded")
    void headOfQueueLife() {
        middle.port(2).settings().setHeadOfQueueLife(0);
        crowd(FabricRule.HEAD_OF_QUEUE);
    }

    @Test
    @DisplayName("FAB-08 what is in the switch for longer than LifeTimeValue is discarded")
    void switchLifetime() {
        middle.setLifetimeExponent(0);
        crowd(FabricRule.SWITCH_LIFETIME);
    }

    @Test
    @DisplayName(
            "FAB-08 a lane that drops VLStallCount packets in a row drops all for eight HOQLives; with 0 it never does")
    void stall() {
        middle.port(2).settings().setHeadOfQueueLife(0);
        middle.port(2).settings().setStallCount(1);
        sendMuchBySlowCable();
        long stalled = fabric.discards(FabricRule.LANE_STALLED);
        long tooOld = fabric.discards(FabricRule.HEAD_OF_QUEUE);
        assertTrue(tooOld > 0 && stalled > tooOld, tooOld + " too old, " + stalled + " in a stall");
        assertEquals(400, arrived.size() + tooOld + stalled);
        arrived.clear();
        middle.port(2).settings().setStallCount(0);
        sendMuchBySlowCable();
        assertEquals(stalled, fabric.discards(FabricRule.LANE_STALLED));
    }

    private void crowd(FabricRule rule) {
        sendMuchBySlowCable();
        assertTrue(fabric.discards(rule) > 0);
        assertEquals(400, arrived.size() + fabric.discards(rule));
        assertEquals(fabric.discards(rule), middle.port(2).counters().xmitDiscards);
    }

    /** Two hosts send more to the third than a slow cable takes in time. */
    private void sendMuchBySlowCable() {
        middle.port(2).setRate(LinkSpeed.SDR, LinkWidth.X1);
        for (int count = 0; count < 200; count++) {
            from.node().send(toPeer(4096), from, fabric.events().now());
            Port third = fabric.node("H-3").port(1);
            third.node()
                    .send(
                            packet(to.settings().lid(), 4096),
                            third,
                            fabric.events().now());
        }
        fabric.events().runUntil(fabric.events().now() + SECOND);
    }

    @Test
    @DisplayName("FAB-09 an entry of 255 in the forwarding table is a relay error")
    void unrouted() {
        middle.forwarding().set(to.settings().lid(), ForwardingTable.NOWHERE);
        sendAndExpect(toPeer(64), FabricRule.UNROUTED);
        assertEquals(1, middle.port(1).counters().rcvSwitchRelayErrors);
    }

    @Test
    @DisplayName("FAB-10 lanes share a link by their weights, and the high table has its limit")
    void arbitration() {
        LaneArbiter arbiter = new LaneArbiter(8);
        arbiter.low().clear();
        arbiter.low().set(0, 0, 30);
        arbiter.low().set(1, 1, 10);
        int[] blocks = new int[3];
        for (int turn = 0; turn < 4000; turn++) {
            int lane = arbiter.pick(0b011);
            arbiter.charge(10);
            blocks[lane] += 10;
        }
        assertEquals(3.0, blocks[0] / (double) blocks[1], 0.01);

        arbiter.high().set(0, 2, 255);
        arbiter.setLimit(1); // 4 KB of lane 2, then a chance for the others
        blocks = new int[3];
        for (int turn = 0; turn < 4000; turn++) {
            int lane = arbiter.pick(0b111);
            arbiter.charge(16);
            blocks[lane] += 16;
        }
        assertEquals(4.0, blocks[2] / (double) (blocks[0] + blocks[1]), 0.05);
        assertEquals(Port.MANAGEMENT_LANE, arbiter.pick(1 << Port.MANAGEMENT_LANE | 0b111));
    }

    @Test
    @DisplayName("FAB-12 P_Key filters at a switch's port, in and out")
    void partitions() {
        middle.port(1).settings().setFilters(true, false);
        middle.port(1).settings().setPKey(0, 0x8001);
        sendAndExpect(toPeer(64), FabricRule.PARTITION_IN);
        assertEquals(1, middle.port(1).counters().rcvConstraintErrors);
        middle.port(1).settings().setFilters(false, false);
        middle.port(2).settings().setFilters(false, true);
        middle.port(2).settings().setPKey(0, 0x8001);
        sendAndExpect(toPeer(64), FabricRule.PARTITION_OUT);
        assertEquals(1, middle.port(2).counters().xmitConstraintErrors);
    }

    @Test
    @DisplayName("FAB-13 a multicast packet goes to each port of its group but the one that it came from")
    void multicast() {
        middle.multicast().set(0xC001, 0b1110);
        send(packet(0xC001, 64));
        assertEquals(2, arrived.size());
        assertEquals(0, from.counters().rcvPackets);
    }

    @Test
    @DisplayName("FAB-15 a link that flaps under traffic costs time and nothing else")
    void flap() {
        Fabric own = new Fabric(5);
        Topologies.build("star:2", own);
        InstantSubnet.bringUp(own);
        try (Traffic traffic = new Traffic(own, 5)) {
            traffic.allToAll(1 << 22);
            own.events().runUntil(200_000_000);
            Port end = own.node("H-2").port(1);
            Port other = end.peer();
            own.disconnect(end);
            own.events().runUntil(own.events().now() + 1_000_000);
            own.connect(end, other);
            for (LinkState state : List.of(LinkState.ARMED, LinkState.ACTIVE)) {
                assertTrue(end.setState(state));
                assertTrue(other.setState(state));
            }
            assertTrue(traffic.run(10 * SECOND));
            assertEquals(1, end.counters().linkDowned);
        }
    }

    @Test
    @DisplayName("FAB-16 a ring with routes of the fewest hops locks up, and the loop is named")
    void creditLoop() {
        Fabric ring = new Fabric(6);
        ring.setLaneBuffer(4480); // one packet
        Topologies.build("ring:5", ring);
        InstantSubnet.bringUp(ring);
        try (Traffic traffic = new Traffic(ring, 6)) {
            traffic.shift(2, 1 << 22);
            assertFalse(traffic.run(SECOND));
            assertEquals(5, traffic.creditLoop().size(), traffic.creditLoop().toString());
            assertTrue(
                    traffic.creditLoop().getFirst().startsWith("S-1["),
                    traffic.creditLoop().toString());
        }
    }

    @Test
    @DisplayName("SMP-04 a link goes from Down to Init by itself, to Armed and Active as it is told, and no other way")
    void states() {
        Port port = middle.port(1);
        assertEquals(LinkState.ACTIVE, port.state());
        assertFalse(port.setState(LinkState.INIT));
        fabric.disconnect(port);
        assertEquals(LinkState.DOWN, port.state());
        assertFalse(port.setState(LinkState.ARMED));
        fabric.connect(port, from);
        assertEquals(LinkState.INIT, port.state());
        assertFalse(port.setState(LinkState.ACTIVE));
        assertTrue(port.setState(LinkState.ARMED));
        from.setState(LinkState.ARMED);
        from.setState(LinkState.ACTIVE);
        send(toPeer(64));
        assertEquals(LinkState.ACTIVE, port.state(), "a data packet makes an armed port active");
    }
}
