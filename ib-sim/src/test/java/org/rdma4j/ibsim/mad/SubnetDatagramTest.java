package org.rdma4j.ibsim.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.FabricRule;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.ibsim.subnet.InstantSubnet;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Opcode;

/** Which datagrams of subnet management a node takes, and where directed routes lead. */
class SubnetDatagramTest {

    private static final int NODE_INFO = SubnetAgent.NODE_INFO;
    private static final int BTH = Lrh.LENGTH;
    private static final int MAD = 28;

    private final Asker asker = new Asker();

    // SMP-01: what is sent is made by hand, on the way from H-1 to the switch.

    private Mad question() {
        Mad mad = Smp.directed(Mad.GET, NODE_INFO, 0, Asker.SWITCH, 0);
        mad.setTransactionId(1L << 48 | 77);
        Smp.setHopPointer(mad, 1);
        mad.sourceLid = 0xFFFF;
        mad.destinationLid = 0xFFFF;
        return mad;
    }

    private Mad answerTo(FabricPacket packet) {
        asker.received.clear();
        Port port = asker.port("H-1");
        port.node().send(packet, port, asker.fabric.events().now());
        asker.run(0.001);
        return asker.received.isEmpty() ? null : asker.received.getFirst();
    }

    private Mad answerToChanged(Consumer<FabricPacket> change) {
        FabricPacket packet = MadPackets.of(asker.fabric, question(), Port.MANAGEMENT_LANE);
        change.accept(packet);
        MadPackets.seal(packet);
        return answerTo(packet);
    }

    private static void setByte(FabricPacket packet, int offset, int value) {
        packet.bytes().set(NetworkOrder.BYTE, offset, (byte) value);
    }

    @Test
    @DisplayName("SMP-01 a right one is answered, so that the next ones are not dropped for another reason")
    void right() {
        Mad answer = answerToChanged(packet -> {});
        assertNotNull(answer);
        assertEquals(Mad.GET_RESP, answer.method());
    }

    @Test
    @DisplayName("SMP-01 payload of other than 256 bytes is dropped")
    void length() {
        assertNull(answerToChanged(packet -> {
            packet.setLength(packet.length() - 4);
            int words = Lrh.packetLength(packet.bytes(), 0) - 1;
            packet.bytes().set(NetworkOrder.SHORT, Lrh.PACKET_LENGTH_OFFSET, (short) words);
        }));
    }

    @Test
    @DisplayName("SMP-01 on a data lane, or on VL15 to another queue pair, is dropped")
    void laneAndQueuePair() {
        InstantSubnet.bringUp(asker.fabric);
        asker.run(0.001);
        assertNull(answerTo(MadPackets.of(asker.fabric, question(), 0)));
        assertEquals(1, asker.fabric.discards(FabricRule.SUBNET_MANAGEMENT_ON_DATA_LANE));
        assertNull(answerToChanged(packet -> packet.bytes().set(NetworkOrder.INT, BTH + 4L, 1)));
        assertEquals(1, asker.fabric.discards(FabricRule.LANE_15_FOR_DATA));
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.UC_SEND_ONLY, Opcode.RC_SEND_ONLY, Opcode.UD_SEND_ONLY_WITH_IMMEDIATE})
    @DisplayName("SMP-01 an opcode other than UD SEND ONLY is dropped")
    void opcode(int opcode) {
        assertNull(answerToChanged(packet -> Bth.setOpcode(packet.bytes(), BTH, opcode)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 255})
    @DisplayName("SMP-01 a base version other than 1 is dropped")
    void baseVersion(int version) {
        assertNull(answerToChanged(packet -> setByte(packet, MAD + MadHeader.BASE_VERSION_OFFSET, version)));
    }

    @ParameterizedTest
    @ValueSource(ints = {Mad.PERFORMANCE, Mad.SUBNET_ADMINISTRATION, 0x32})
    @DisplayName("SMP-01 a class on QP 0 that is not subnet management is dropped")
    void managementClass(int managementClass) {
        assertNull(
                answerToChanged(packet -> setByte(packet, MAD + MadHeader.MANAGEMENT_CLASS_OFFSET, managementClass)));
    }

    @Test
    @DisplayName("SMP-01 a class version that there is not gets an answer with its status")
    void classVersion() {
        Mad answer = answerToChanged(packet -> setByte(packet, MAD + MadHeader.CLASS_VERSION_OFFSET, 9));
        assertEquals(Mad.BAD_VERSION | Smp.DIRECTION, answer.status());
    }

    // SMP-02

    @Test
    @DisplayName("SMP-02 0, 1 and 2 hops lead to the asker itself, the switch, the next host; the answer has D")
    void hops() {
        String[] names = {"H-1", "S-1", "H-2"};
        byte[][] paths = {Asker.SELF, Asker.SWITCH, Asker.SECOND_HOST};
        for (int hops = 0; hops < 3; hops++) {
            Mad answer = asker.get(paths[hops], NODE_INFO, 0);
            assertEquals(asker.fabric.node(names[hops]).guid(), answer.int64(Mad.DATA + 4), names[hops]);
            assertEquals(Smp.DIRECTION, answer.status());
            assertEquals(0, Smp.hopPointer(answer));
        }
    }

    @Test
    @DisplayName("SMP-02 the return path names the port that each node was entered by")
    void returnPath() {
        Mad answer = asker.get(Asker.SECOND_HOST, NODE_INFO, 0);
        assertEquals(1, Smp.returnPath(answer, 1));
        assertEquals(1, Smp.returnPath(answer, 2));
        assertEquals(2, Smp.initialPath(answer, 2));
    }

    @Test
    @DisplayName("SMP-02 63 hops to and fro between two switches come back, 64 are dropped")
    void manyHops() {
        Asker ring = new Asker("ring:3");
        Port out = ring.fabric.node("S-1").port(1);
        byte[] path = new byte[Smp.MAX_HOPS];
        for (int hop = 1; hop < path.length; hop++) {
            path[hop] = (byte) (hop % 2 == 1 ? out : out.peer()).number();
        }
        path[0] = 1;
        Mad answer = ring.get(path, NODE_INFO, 0);
        assertEquals(ring.fabric.node("S-1").guid(), answer.int64(Mad.DATA + 4));
        assertEquals(Smp.DIRECTION, answer.status());
        Mad tooMany = Smp.directed(Mad.GET, NODE_INFO, 0, Asker.SWITCH, 0);
        tooMany.setInt8(Smp.HOP_COUNT, 64);
        assertNull(asker.ask(tooMany));
        Mad onItsWay = question();
        onItsWay.setInt8(Smp.HOP_COUNT, 64);
        assertNull(answerTo(MadPackets.of(asker.fabric, onItsWay, Port.MANAGEMENT_LANE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 64, 255})
    @DisplayName("SMP-02 a hop pointer that does not stand where the datagram is drops it")
    void hopPointer(int pointer) {
        Mad mad = question();
        Smp.setHopPointer(mad, pointer);
        assertNull(answerTo(MadPackets.of(asker.fabric, mad, Port.MANAGEMENT_LANE)));
    }

    @Test
    @DisplayName("SMP-02 a path by a port that is not there, or has no cable, ends there")
    void nowhere() {
        assertNull(asker.get(new byte[] {1, 9}, NODE_INFO, 0));
        assertNull(asker.get(new byte[] {1, 0}, NODE_INFO, 0));
        assertNull(asker.get(new byte[] {2}, NODE_INFO, 0));
    }

    // SMP-10

    @Test
    @DisplayName("SMP-10 an attribute that there is not has status 0x000C, a method that there is not 0x0008")
    void unknown() {
        assertEquals(
                Mad.BAD_ATTRIBUTE | Smp.DIRECTION,
                asker.get(Asker.SWITCH, 0x7777, 0).status());
        Mad method = Smp.directed(0x03, NODE_INFO, 0, Asker.SWITCH, 0);
        Mad answer = asker.ask(method);
        assertEquals(Mad.BAD_METHOD | Smp.DIRECTION, answer.status());
        assertEquals(Mad.GET_RESP, answer.method());

        InstantSubnet.bringUp(asker.fabric);
        int lid = asker.port("H-2").settings().lid();
        for (int managementClass : new int[] {Mad.SUBNET_LID_ROUTED, Mad.PERFORMANCE}) {
            answer = asker.ask(asker.routed(lid, managementClass, 0x03, 0x01, 0));
            assertEquals(Mad.BAD_METHOD, answer.status());
            answer = asker.ask(asker.routed(lid, managementClass, Mad.GET, 0x7777, 0));
            assertEquals(Mad.BAD_ATTRIBUTE, answer.status());
        }
    }
}
