package org.rdma4j.ibsim.fabric;

import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Lrh;

/**
 * A switch. It cuts through: a packet goes on as soon as its headers have come, where the way on is no faster than the way
 * in. Port 0 is its own.
 */
public final class Switch extends Node {

    /** LifeTimeValue from which on nothing is ever too old (14.2.5.4). */
    private static final int INFINITE_LIFE = 20;

    /** Crossing the switch, ps. */
    private static final long LATENCY = 100_000;

    /** What must have come before the way on is known: LRH and BTH. */
    private static final int HEADERS = Lrh.LENGTH + Bth.LENGTH;

    private static final int GOES_NOWHERE = 15;

    private final ForwardingTable forwarding = new ForwardingTable();
    private final MulticastTable multicast = new MulticastTable();
    private int lifetimeExponent = INFINITE_LIFE;

    Switch(Fabric fabric, String name, int index, long guid, int ports) {
        super(fabric, name, index, guid);
        makePorts(0, ports);
    }

    public ForwardingTable forwarding() {
        return forwarding;
    }

    public MulticastTable multicast() {
        return multicast;
    }

    /** LifeTimeValue: 4.096 µs times 2 to this power; from 20 on for ever. */
    public int lifetimeExponent() {
        return lifetimeExponent;
    }

    public void setLifetimeExponent(int exponent) {
        lifetimeExponent = exponent;
    }

    @Override
    long portGuid(int number) {
        return guid();
    }

    @Override
    boolean isEndNode() {
        return false;
    }

    @Override
    void received(FabricPacket packet, Port port, long now) {
        throw new IllegalStateException("a switch's packets go by its lanes");
    }

    @Override
    long arrival(long head, long tail, long femtosecondsAByte) {
        boolean fasterOn = femtosecondsAByte > fastestByte();
        long known = fasterOn ? tail : Math.min(tail, head + HEADERS * femtosecondsAByte / 1000);
        return known + LATENCY;
    }

    @Override
    long lifetime() {
        return lifetimeExponent >= INFINITE_LIFE ? Long.MAX_VALUE : QueueLives.ticks(lifetimeExponent);
    }

    @Override
    boolean forward(FabricPacket packet, InputLane from, long now) {
        if (from.isSource()) {
            return forwardOwn(from, now);
        }
        if (packet.targets != 0) {
            return toNextTarget(packet, from, now);
        }
        Port in = from.port;
        int lid = packet.destinationLid;
        if (lid == Lids.PERMISSIVE || lid == port(0).settings().lid() && lid != Lids.NONE) {
            consumer().received(packet, in, now);
            return false;
        }
        if (lid == Lids.NONE) {
            return discard(FabricRule.NO_DESTINATION, in, packet, now);
        }
        if (in.settings().filtersIn() && !in.settings().admits(pKey(packet))) {
            in.counters().rcvConstraintErrors++;
            return discard(FabricRule.PARTITION_IN, in, packet, now);
        }
        return Lids.isMulticast(lid) ? replicate(packet, from, now) : unicast(packet, from, forwarding.port(lid), now);
    }

    private boolean unicast(FabricPacket packet, InputLane from, int out, long now) {
        if (out == 0) {
            consumer().received(packet, from.port, now);
            return false;
        }
        if (!hasPort(out) || port(out) == from.port) {
            from.port.counters().rcvSwitchRelayErrors++;
            return discard(FabricRule.UNROUTED, from.port, packet, now);
        }
        return to(port(out), packet, from, now);
    }

    private boolean replicate(FabricPacket packet, InputLane from, long now) {
        long targets = multicast.ports(packet.destinationLid) & ~(1L << from.port.number());
        if ((targets & 1) != 0) {
            consumer().received(packet, from.port, now);
            targets &= ~1L;
        }
        packet.targets = targets;
        return targets == 0
                ? discard(FabricRule.NO_MULTICAST_MEMBER, from.port, packet, now)
                : toNextTarget(packet, from, now);
    }

    private boolean toNextTarget(FabricPacket packet, InputLane from, long now) {
        while (packet.targets != 0) {
            int number = Long.numberOfTrailingZeros(packet.targets);
            packet.targets &= packet.targets - 1;
            if (hasPort(number) && to(port(number), packet, from, now)) {
                return true;
            }
        }
        return false;
    }

    private boolean to(Port out, FabricPacket packet, InputLane from, long now) {
        boolean management = from.virtualLane == Port.MANAGEMENT_LANE;
        LinkState state = out.state();
        if (out.peer() == null || state == LinkState.DOWN || !management && state != LinkState.ACTIVE) {
            out.counters().xmitDiscards++;
            return discard(FabricRule.PORT_STATE, out, packet, now);
        }
        if (packet.length > out.settings().mtuBytes() + FabricPacket.OVERHEAD) {
            out.counters().xmitDiscards++;
            return discard(FabricRule.MTU, out, packet, now);
        }
        if (!management && out.settings().filtersOut() && !out.settings().admits(pKey(packet))) {
            out.counters().xmitConstraintErrors++;
            return discard(FabricRule.PARTITION_OUT, out, packet, now);
        }
        int lane =
                management ? Port.MANAGEMENT_LANE : lanes().lane(from.port.number(), out.number(), packet.serviceLevel);
        if (!management && (lane == GOES_NOWHERE || lane >= out.settings().operationalLanes())) {
            out.counters().xmitDiscards++;
            return discard(FabricRule.SL_TO_VL, out, packet, now);
        }
        if (out.sender().isStalled(lane, now)) {
            out.counters().xmitDiscards++;
            return discard(FabricRule.LANE_STALLED, out, packet, now);
        }
        out.sender().enqueue(from, lane, now);
        return true;
    }

    private static int pKey(FabricPacket packet) {
        int bth = Management.bthOffset(packet);
        return bth < 0 ? 0 : Bth.pKey(packet.bytes(), bth);
    }
}
