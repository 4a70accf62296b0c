package org.rdma4j.ibsim.fabric;

import org.rdma4j.wire.Vcrc;

/** The receiving side of a port: what comes in is checked, counted, and given to the node or to the lane that it waits in. */
final class PortReceiver {

    private static final int MANAGEMENT_ROOM = 64;

    private final Port port;
    private final Node node;
    private final boolean endNode;
    private final PortCounters counters;
    private final PortSettings settings;
    private final InputLane[] inputs = new InputLane[Port.LANES];

    PortReceiver(Port port) {
        this.port = port;
        this.node = port.node();
        this.endNode = node.isEndNode();
        this.counters = port.counters();
        this.settings = port.settings();
    }

    InputLane input(int lane) {
        if (inputs[lane] == null) {
            Grant grant = lane == Port.MANAGEMENT_LANE ? null : new Grant(settings.bufferBlocks());
            inputs[lane] = new InputLane(port, lane, grant, false);
        }
        return inputs[lane];
    }

    /** The input of a lane, if anything came by it yet, or {@code null}. */
    InputLane inputOrNull(int lane) {
        return inputs[lane];
    }

    /** When the packet is there for this port's node, whose first bit comes at one time and its last at another, all ps. */
    long arrival(long head, long tail, long femtosecondsAByte) {
        return node.arrival(head, tail, femtosecondsAByte);
    }

    void comeUp() {
        for (InputLane input : inputs) {
            if (input != null && input.grant() != null) {
                input.grant().reset();
            }
        }
    }

    /** What came in here and has not gone on is lost. */
    void goDown() {
        for (InputLane input : inputs) {
            if (input != null) {
                input.clear();
            }
        }
    }

    void arrived(FabricPacket packet, long now) {
        FabricRule refusal = linkRule(packet);
        if (refusal != null) {
            refused(refusal, packet, now);
            return;
        }
        int lane = packet.virtualLane;
        InputLane input = input(lane);
        port.sender().takeCredit(now);
        input.settle(now);
        refusal = laneRule(packet, input);
        if (refusal != null) {
            pass(input, packet, now);
            refused(refusal, packet, now);
            return;
        }
        if (lane != Port.MANAGEMENT_LANE && port.state() == LinkState.ARMED) {
            port.activatedByData();
        }
        count(packet);
        packet.received = now;
        if (endNode) {
            pass(input, packet, now);
            node.received(packet, port, now);
            node.fabric().giveBack(packet);
        } else {
            if (lane != Port.MANAGEMENT_LANE) {
                input.grant().take(packet.blocks());
            }
            input.add(packet, now);
        }
    }

    private void count(FabricPacket packet) {
        counters.rcvData += packet.words;
        counters.rcvPackets++;
        if (Lids.isMulticast(packet.destinationLid)) {
            counters.multicastRcvPackets++;
        } else {
            counters.unicastRcvPackets++;
        }
    }

    /** It takes no room here for longer than this moment. */
    private void pass(InputLane input, FabricPacket packet, long now) {
        if (input.virtualLane < settings.operationalLanes()) {
            input.grant().pass(packet.blocks());
            port.sender().owesCredit(input, now);
        }
    }

    private FabricRule linkRule(FabricPacket packet) {
        if (port.state() == LinkState.DOWN) {
            return FabricRule.LINK_DOWN;
        }
        if (packet.markedBad) {
            counters.rcvRemotePhysicalErrors++;
            return FabricRule.MARKED_BAD;
        }
        if (!packet.vcrcIsRight()) {
            counters.symbolErrors++;
            counters.rcvErrors++;
            return FabricRule.VCRC;
        }
        if (packet.linkVersion != 0) {
            counters.rcvErrors++;
            return FabricRule.LINK_VERSION;
        }
        if (Integer.BYTES * packet.words + Vcrc.LENGTH != packet.length) {
            counters.rcvErrors++;
            return FabricRule.PACKET_LENGTH;
        }
        return null;
    }

    private FabricRule laneRule(FabricPacket packet, InputLane input) {
        if (input.virtualLane == Port.MANAGEMENT_LANE) {
            return managementRule(packet, input);
        }
        if (packet.subnetManagement) {
            counters.rcvErrors++;
            return FabricRule.SUBNET_MANAGEMENT_ON_DATA_LANE;
        }
        if (input.virtualLane >= settings.operationalLanes()) {
            counters.rcvErrors++;
            return FabricRule.LANE_NOT_CONFIGURED;
        }
        if (!port.state().receivesData()) {
            return FabricRule.PORT_STATE;
        }
        if (packet.length > settings.mtuBytes() + FabricPacket.OVERHEAD) {
            counters.rcvErrors++;
            return FabricRule.MTU;
        }
        if (!endNode && !input.grant().admits(packet.blocks())) {
            counters.excessiveBufferOverruns++;
            return FabricRule.BUFFER_OVERRUN;
        }
        return null;
    }

    private FabricRule managementRule(FabricPacket packet, InputLane input) {
        if (!packet.subnetManagement) {
            counters.rcvErrors++;
            return FabricRule.LANE_15_FOR_DATA;
        }
        if (input.packets() >= MANAGEMENT_ROOM) {
            counters.vl15Dropped++;
            return FabricRule.LANE_15_FULL;
        }
        return null;
    }

    private void refused(FabricRule rule, FabricPacket packet, long now) {
        node.fabric().discarded(rule, port, packet, now);
        if (rule == FabricRule.VCRC && port.peer() != null) {
            port.peer().sender().lostOnTheWay();
        }
        node.fabric().giveBack(packet);
    }
}
