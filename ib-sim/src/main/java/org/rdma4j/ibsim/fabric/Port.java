package org.rdma4j.ibsim.fabric;

import java.util.ArrayDeque;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.FlowPacket;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Vcrc;

/**
 * One port of a node: the sending and the receiving end of a cable. It sends what its node has queued for it, lane by lane
 * as credit and arbitration let it, and gives its node what comes in and is right.
 */
public final class Port {

    /** Virtual lanes, VL15 among them. */
    public static final int LANES = 16;

    /** The lane of subnet management, which has no flow control (7.6.3). */
    public static final int MANAGEMENT_LANE = 15;

    /** HOQLife from which on nothing is ever too old (14.2.5.6). */
    private static final int INFINITE_LIFE = 20;

    /** Delimiters of a packet on the link. */
    private static final int FRAMING = 2;

    /** A flow control packet with its delimiters. */
    private static final int FLOW_BYTES = FlowPacket.LENGTH + FRAMING;

    private static final int MANAGEMENT_ROOM = 64;
    private static final long FEMTOSECONDS_A_BYTE_AT_GIGABIT = 8_000_000;

    /** 65,536 symbol times of a lane: how long a flow control packet may be awaited at most (7.9.4.1). */
    private static final int SYMBOL_TIMES = 65_536;

    private final Node node;
    private final int number;
    private final EventQueue events;
    private final InputLane[] inputs = new InputLane[LANES];
    private final InputLane[] sources = new InputLane[LANES];
    private final OutputLane[] outputs = new OutputLane[LANES];
    private final PortCounters counters = new PortCounters();
    private final PortSettings settings;
    private final LaneArbiter arbiter;
    private final ArrayDeque<CreditUpdate> updates = new ArrayDeque<>();
    private final Event txEnd = new TransmitEnd();
    private final Event expiry = new Expiry();
    private final Event resync = new Resync();

    private Port peer;
    private long delay;
    private LinkState state = LinkState.DOWN;
    private long femtosecondsAByte;
    private int waiting; // lanes with somebody who waits, a bit each
    private int owed; // lanes whose credit is to be told
    private InputLane sendingFrom;
    private int sendingBlocks;
    private boolean sendingCopy;
    private long stalledSince = -1;
    private PortTap tap;

    Port(Node node, int number) {
        this.node = node;
        this.number = number;
        this.events = node.fabric().events();
        this.settings = new PortSettings(node.fabric().bufferBlocks());
        this.arbiter = new LaneArbiter(settings.operationalLanes());
        for (int lane = 0; lane < LANES; lane++) {
            outputs[lane] = new OutputLane(this, lane);
        }
        setRate(settings.speed(), settings.width());
    }

    public Node node() {
        return node;
    }

    public int number() {
        return number;
    }

    /** PortGUID: one for each port of a channel adapter, one for all of a switch. */
    public long guid() {
        return node.portGuid(number);
    }

    public PortCounters counters() {
        return counters;
    }

    public PortSettings settings() {
        return settings;
    }

    public LaneArbiter arbiter() {
        return arbiter;
    }

    /** The other end of the cable; {@code null} where there is no cable. */
    public Port peer() {
        return peer;
    }

    public LinkState state() {
        return state;
    }

    /** As messages name it: the node's name and the port's number. */
    @Override
    public String toString() {
        return node.name() + "[" + number + "]";
    }

    /** Shows what this port sends; {@code null} ends it. */
    public void tap(PortTap next) {
        tap = next;
    }

    // The cable.

    /** @param cableDelay ps from one end to the other */
    void plug(Port other, long cableDelay) {
        peer = other;
        delay = cableDelay;
        setRate(settings.speed(), settings.width());
    }

    void unplug() {
        goDown();
        peer = null;
        updates.clear();
    }

    /** How fast both ends go from now on. */
    public void setRate(LinkSpeed speed, LinkWidth width) {
        settings.setRate(speed, width);
        femtosecondsAByte = Math.round(FEMTOSECONDS_A_BYTE_AT_GIGABIT / (speed.gigabits() * width.lanes()));
        node.noteRate(femtosecondsAByte);
    }

    /** ps that so many bytes take. */
    private long duration(long count) {
        return count * femtosecondsAByte / 1000;
    }

    /** The base LID and its mask, as the subnet manager gives them. */
    public void setLid(int base, int maskControl) {
        settings.setLid(base, maskControl);
        node.fabric().directory().forget();
    }

    // States.

    /** Takes the port where it is told, where that is a way that the state machine knows (7.2.7). */
    public boolean setState(LinkState next) {
        boolean legal = switch (next) {
            case DOWN -> true;
            case INIT -> false; // the link's training leads there
            case ARMED -> state == LinkState.INIT || state == LinkState.ARMED;
            case ACTIVE -> state == LinkState.ARMED || state == LinkState.ACTIVE;
        };
        if (legal && next == LinkState.DOWN) {
            goDown();
            return true;
        }
        if (legal) {
            state = next;
            if (next == LinkState.ACTIVE) {
                trySend(events.now());
            }
        }
        return legal;
    }

    /** The link was trained: both ends know of each other. */
    void comeUp() {
        if (state != LinkState.DOWN || peer == null) {
            return;
        }
        state = LinkState.INIT;
        node.fabric().stateChanged(this);
        for (int lane = 0; lane < settings.operationalLanes(); lane++) {
            outputs[lane].reset();
            if (inputs[lane] != null) {
                inputs[lane].grant().reset();
            }
            owed |= 1 << lane;
        }
    }

    private void goDown() {
        if (state == LinkState.DOWN) {
            return;
        }
        state = LinkState.DOWN;
        counters.linkDowned++;
        owed = 0;
        for (InputLane input : inputs) {
            if (input != null) {
                input.clear(); // what came in here and has not gone on is lost
            }
        }
        dropWaiting(Long.MAX_VALUE);
        node.fabric().stateChanged(this);
    }

    void stopWaiting(InputLane input) {
        OutputLane lane = input.waitsFor;
        lane.remove(input);
        noteWaiting(lane);
    }

    // Sending.

    /** Packets that the node itself sends by a lane of this port. */
    InputLane source(int lane) {
        if (sources[lane] == null) {
            sources[lane] = InputLane.source(this, lane);
        }
        return sources[lane];
    }

    /** Puts an input's first packet in the queue of a lane. */
    void enqueue(InputLane input, int lane, long now) {
        outputs[lane].enqueue(input);
        waiting |= 1 << lane;
        if (!expiry.isPlanned()) {
            long deadline = deadline(input);
            if (deadline != Long.MAX_VALUE) {
                events.plan(expiry, deadline);
            }
        }
        trySend(now);
    }

    void trySend(long now) {
        if (txEnd.isPlanned() || state == LinkState.DOWN) {
            return;
        }
        if (owed != 0) {
            sendCredit(now);
            return;
        }
        int lane = waiting == 0 ? -1 : arbiter.pick(ready());
        if (lane >= 0) {
            send(outputs[lane], now);
        } else if (waiting != 0 && stalledSince < 0) {
            stalledSince = now;
        }
    }

    private int ready() {
        int open = state == LinkState.ACTIVE ? waiting : waiting & 1 << MANAGEMENT_LANE;
        int ready = 0;
        for (int rest = open; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            if (outputs[lane].isReady()) {
                ready |= 1 << lane;
            }
        }
        return ready;
    }

    private void send(OutputLane lane, long now) {
        InputLane from = lane.dequeue();
        noteWaiting(lane);
        FabricPacket packet = from.head();
        sendingCopy = packet.targets != 0; // others get it after this port
        packet = sendingCopy ? node.fabric().copy(packet) : from.take();
        sendingFrom = from;
        sendingBlocks = packet.blocks();
        packet.changeLane(lane.virtualLane);
        lane.sent(sendingBlocks);
        arbiter.charge(sendingBlocks);
        count(packet, now);
        node.fabric().damage(this, packet);
        if (tap != null) {
            packet.seal();
            tap.sent(this, packet, now);
        }
        long end = now + duration(packet.length + (long) FRAMING);
        events.plan(txEnd, end);
        packet.to = peer;
        events.plan(packet, peer.node.arrival(now + delay, end + delay, femtosecondsAByte));
    }

    private void count(FabricPacket packet, long now) {
        counters.xmitData += Lrh.packetLength(packet.bytes, 0);
        counters.xmitPackets++;
        if (Lids.isMulticast(packet.destinationLid())) {
            counters.multicastXmitPackets++;
        } else {
            counters.unicastXmitPackets++;
        }
        if (stalledSince >= 0) {
            counters.xmitWait += (now - stalledSince) / EventQueue.NANOSECOND;
            stalledSince = -1;
        }
    }

    private final class TransmitEnd extends Event {
        @Override
        protected void happen(long now) {
            InputLane from = sendingFrom;
            sendingFrom = null;
            if (from != null && sendingCopy) {
                from.again(now);
            } else if (from != null) {
                from.left(sendingBlocks, now);
            }
            trySend(now);
        }
    }

    private void noteWaiting(OutputLane lane) {
        if (lane.firstWaiting() == null) {
            waiting &= ~(1 << lane.virtualLane);
        }
    }

    // What waits too long.

    private long deadline(InputLane input) {
        return Math.min(queueDeadline(input), switchDeadline(input));
    }

    private long queueDeadline(InputLane input) {
        int life = settings.headOfQueueLife();
        return life >= INFINITE_LIFE ? Long.MAX_VALUE : input.headSince + ticks(life);
    }

    private long switchDeadline(InputLane input) {
        long life = node.lifetime();
        return life == Long.MAX_VALUE ? Long.MAX_VALUE : input.head().received + life;
    }

    /** 4.096 µs times a power of two, ps. */
    static long ticks(int exponent) {
        return 4_096_000L << exponent;
    }

    private final class Expiry extends Event {
        @Override
        protected void happen(long now) {
            dropWaiting(now);
            long earliest = Long.MAX_VALUE;
            for (OutputLane lane : outputs) {
                for (InputLane input = lane.firstWaiting(); input != null; input = input.nextWaiting) {
                    earliest = Math.min(earliest, deadline(input));
                }
            }
            if (earliest != Long.MAX_VALUE && !isPlanned()) {
                events.plan(this, earliest);
            }
        }
    }

    /** Drops each first packet whose time is over by then; of a link that is down, all of them. */
    private void dropWaiting(long time) {
        for (OutputLane lane : outputs) {
            InputLane next;
            for (InputLane input = lane.firstWaiting(); input != null; input = next) {
                next = input.nextWaiting;
                FabricRule rule = expired(input, time);
                if (rule != null) {
                    lane.remove(input);
                    noteWaiting(lane);
                    counters.xmitDiscards++;
                    node.fabric().discarded(rule, this, input.head(), events.now());
                    input.giveUp(events.now());
                }
            }
        }
    }

    /** @return {@code null} where a first packet may wait on */
    private FabricRule expired(InputLane input, long time) {
        if (state == LinkState.DOWN) {
            return FabricRule.LINK_DOWN;
        }
        if (queueDeadline(input) <= time) {
            return FabricRule.HEAD_OF_QUEUE;
        }
        return switchDeadline(input) <= time ? FabricRule.SWITCH_LIFETIME : null;
    }

    // Credit.

    void owesCredit(int lane, long now) {
        if (state != LinkState.DOWN && inputs[lane].grant().isWorthTelling()) {
            owed |= 1 << lane;
            trySend(now);
        }
    }

    private void sendCredit(long now) {
        CreditUpdate update = updates.isEmpty() ? new CreditUpdate(peer) : updates.pop();
        update.begin();
        for (int rest = owed; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            update.add(
                    lane, outputs[lane].totalBlocksSent(), input(lane).grant().tell());
        }
        long end = now + duration((long) Integer.bitCount(owed) * FLOW_BYTES);
        owed = 0;
        events.plan(txEnd, end);
        events.plan(update, end + delay);
    }

    /** A flow control packet has come. */
    void credited(int lane, int totalBlocksSent, int creditLimit, long now) {
        if (state != LinkState.DOWN) {
            outputs[lane].granted(creditLimit);
            input(lane).grant().synchronize(totalBlocksSent);
            owesCredit(lane, now);
        }
    }

    void giveBack(CreditUpdate update) {
        if (peer != null) {
            peer.updates.push(update);
        }
    }

    /** A packet that was sent is lost on the way: its credit is, until the other end hears what was sent. */
    void lostOnTheWay() {
        if (!resync.isPlanned()) {
            events.plan(resync, events.now() + duration(SYMBOL_TIMES));
        }
    }

    private final class Resync extends Event {
        @Override
        protected void happen(long now) {
            if (state != LinkState.DOWN) {
                owed |= (1 << settings.operationalLanes()) - 1;
                trySend(now);
            }
        }
    }

    // Receiving.

    private InputLane input(int lane) {
        if (inputs[lane] == null) {
            Grant grant = lane == MANAGEMENT_LANE ? null : new Grant(settings.bufferBlocks());
            inputs[lane] = new InputLane(this, lane, grant, false);
        }
        return inputs[lane];
    }

    /** The input of a lane, if anything came by it yet, or {@code null}. */
    InputLane inputOrNull(int lane) {
        return inputs[lane];
    }

    OutputLane output(int lane) {
        return outputs[lane];
    }

    void arrived(FabricPacket packet, long now) {
        FabricRule refusal = linkRule(packet);
        if (refusal != null) {
            refused(refusal, packet, now);
            return;
        }
        int lane = packet.virtualLane();
        refusal = laneRule(packet, lane);
        if (refusal != null) {
            pass(lane, packet, now);
            refused(refusal, packet, now);
            return;
        }
        if (lane != MANAGEMENT_LANE && state == LinkState.ARMED) {
            state = LinkState.ACTIVE; // the other end is (7.2.7.2)
        }
        counters.rcvData += Lrh.packetLength(packet.bytes, 0);
        counters.rcvPackets++;
        if (Lids.isMulticast(packet.destinationLid())) {
            counters.multicastRcvPackets++;
        } else {
            counters.unicastRcvPackets++;
        }
        packet.received = now;
        if (node.isEndNode()) {
            pass(lane, packet, now);
            node.received(packet, this, now);
            node.fabric().giveBack(packet);
        } else {
            InputLane input = input(lane);
            if (lane != MANAGEMENT_LANE) {
                input.grant().take(packet.blocks());
            }
            input.add(packet, now);
        }
    }

    /** It takes no room here for longer than this moment. */
    private void pass(int lane, FabricPacket packet, long now) {
        if (lane < settings.operationalLanes()) {
            input(lane).grant().pass(packet.blocks());
            owesCredit(lane, now);
        }
    }

    private FabricRule linkRule(FabricPacket packet) {
        if (state == LinkState.DOWN) {
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
        if (Lrh.linkVersion(packet.bytes, 0) != 0) {
            counters.rcvErrors++;
            return FabricRule.LINK_VERSION;
        }
        if (4 * Lrh.packetLength(packet.bytes, 0) + Vcrc.LENGTH != packet.length) {
            counters.rcvErrors++;
            return FabricRule.PACKET_LENGTH;
        }
        return null;
    }

    private FabricRule laneRule(FabricPacket packet, int lane) {
        boolean management = Management.isSubnetManagement(packet);
        if (lane == MANAGEMENT_LANE) {
            if (!management) {
                counters.rcvErrors++;
                return FabricRule.LANE_15_FOR_DATA;
            }
            if (input(lane).packets() >= MANAGEMENT_ROOM) {
                counters.vl15Dropped++;
                return FabricRule.LANE_15_FULL;
            }
            return null;
        }
        if (management) {
            counters.rcvErrors++;
            return FabricRule.SUBNET_MANAGEMENT_ON_DATA_LANE;
        }
        if (lane >= settings.operationalLanes()) {
            counters.rcvErrors++;
            return FabricRule.LANE_NOT_CONFIGURED;
        }
        if (!state.receivesData()) {
            return FabricRule.PORT_STATE;
        }
        if (packet.length > settings.mtuBytes() + FabricPacket.OVERHEAD) {
            counters.rcvErrors++;
            return FabricRule.MTU;
        }
        if (!node.isEndNode() && !input(lane).grant().admits(packet.blocks())) {
            counters.excessiveBufferOverruns++;
            return FabricRule.BUFFER_OVERRUN;
        }
        return null;
    }

    private void refused(FabricRule rule, FabricPacket packet, long now) {
        node.fabric().discarded(rule, this, packet, now);
        if (rule == FabricRule.VCRC && peer != null) {
            peer.lostOnTheWay();
        }
        node.fabric().giveBack(packet);
    }
}
