package org.rdma4j.ibsim.fabric;

/** A host's channel adapter: each port has a LID of its own, and nothing is forwarded. */
public final class ChannelAdapter extends Node {

    ChannelAdapter(Fabric fabric, String name, int index, long guid, int ports) {
        super(fabric, name, index, guid);
        makePorts(1, ports);
    }

    @Override
    long portGuid(int number) {
        return guid() + number;
    }

    @Override
    boolean isEndNode() {
        return true;
    }

    @Override
    void received(FabricPacket packet, Port port, long now) {
        int lid = packet.destinationLid();
        boolean own = port.settings().has(lid)
                || Lids.isMulticast(lid)
                || lid == Lids.PERMISSIVE && packet.virtualLane() == Port.MANAGEMENT_LANE;
        if (own) {
            consumer().received(packet, port, now);
        } else {
            discard(FabricRule.NO_DESTINATION, port, packet, now);
        }
    }

    @Override
    boolean forward(FabricPacket packet, InputLane from, long now) {
        return forwardOwn(from, now);
    }

    @Override
    long arrival(long head, long tail, long femtosecondsAByte) {
        return tail;
    }

    @Override
    long lifetime() {
        return Long.MAX_VALUE;
    }
}
