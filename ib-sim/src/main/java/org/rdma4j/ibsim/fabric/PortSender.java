package org.rdma4j.ibsim.fabric;

import java.util.function.LongConsumer;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.FlowPacket;

/**
 * The sending side of a port: it sends what waits for its lanes as credit and arbitration let it.
 *
 * <p>The end of a packet is an event only where somebody waits for it: another packet for the cable, one behind it in the
 * lane that it came from, or the sender of that lane for the room. Otherwise whoever comes next finds that it is over.
 */
final class PortSender {

    /** Delimiters of a packet on the link. */
    private static final int FRAMING = 2;

    /** A flow control packet with its delimiters. */
    private static final int FLOW_BYTES = FlowPacket.LENGTH + FRAMING;

    private static final long FEMTOSECONDS_A_BYTE_AT_GIGABIT = 8_000_000;

    /** 65,536 symbol times of a lane: how long a flow control packet may be awaited at most (7.9.4.1). */
    private static final int SYMBOL_TIMES = 65_536;

    /** What the node itself may have waiting here before it should make no more: 32 KB, a few packets at any speed. */
    private static final int OWN_BLOCKS = 512;

    private final Port port;
    private final Fabric fabric;
    private final EventQueue events;
    private final PortCounters counters;
    private final InputLane[] sources = new InputLane[Port.LANES];
    private final OutputLane[] outputs = new OutputLane[Port.LANES];
    private final LaneArbiter arbiter;
    private final QueueLives lives;
    private final CreditInbox inbox;
    private final Event txEnd = new TransmitEnd();
    private final Event resync = new Resync();

    private long delay;
    private long femtosecondsAByte;
    private int waiting; // lanes with somebody who waits, a bit each
    private int owed; // lanes whose credit is to be told
    private long busyUntil;
    private InputLane leaving; // whose packet is going out, or went
    private int leavingBlocks;
    private boolean leavingCopy;
    private boolean stalled; // somebody waits, and nobody has credit
    private long stalledSince = -1;
    private boolean resyncing;
    private PortTap tap;
    private int ownBlocks;
    private LongConsumer roomListener = time -> {};

    PortSender(Port port) {
        this.port = port;
        this.fabric = port.node().fabric();
        this.events = fabric.events();
        this.counters = port.counters();
        this.arbiter = new LaneArbiter(port.settings().operationalLanes());
        for (int lane = 0; lane < Port.LANES; lane++) {
            outputs[lane] = new OutputLane(port, lane);
        }
        this.inbox = new CreditInbox(this, events);
        this.lives = new QueueLives(port, outputs);
    }

    LaneArbiter arbiter() {
        return arbiter;
    }

    OutputLane output(int lane) {
        return outputs[lane];
    }

    void tap(PortTap next) {
        tap = next;
    }

    void plug(long cableDelay) {
        delay = cableDelay;
    }

    void setRate(LinkSpeed speed, LinkWidth width) {
        femtosecondsAByte = Math.round(FEMTOSECONDS_A_BYTE_AT_GIGABIT / (speed.gigabits() * width.lanes()));
        port.node().noteRate(femtosecondsAByte);
    }

    /** ps that so many bytes take. */
    private long duration(long count) {
        return count * femtosecondsAByte / 1000;
    }

    void comeUp() {
        for (int lane = 0; lane < port.settings().operationalLanes(); lane++) {
            outputs[lane].reset();
            owed |= 1 << lane;
        }
    }

    void goDown() {
        owed = 0;
        resyncing = false;
        stalled = false;
        inbox.clear();
        lives.dropWaiting(Long.MAX_VALUE);
        wakeAtEnd(events.now());
    }

    // What the node itself sends.

    /** Packets that the node itself sends by a lane of this port. */
    InputLane source(int lane) {
        if (sources[lane] == null) {
            sources[lane] = InputLane.source(port, lane);
        }
        return sources[lane];
    }

    boolean hasRoom() {
        return ownBlocks < OWN_BLOCKS;
    }

    void onRoom(LongConsumer next) {
        roomListener = next;
    }

    /** The node's own packets that wait here have become more, or fewer. */
    void countOwn(int blocks) {
        boolean wasFull = !hasRoom();
        ownBlocks += blocks;
        if (wasFull && hasRoom()) {
            roomListener.accept(events.now());
        }
    }

    // Sending.

    /** Puts an input's first packet in the queue of a lane. */
    void enqueue(InputLane input, int lane, long now) {
        outputs[lane].enqueue(input);
        waiting |= 1 << lane;
        lives.watch(input);
        trySend(now);
    }

    /** True while a lane drops what comes for it. */
    boolean isStalled(int lane, long now) {
        return lives.isStalled(lane, now);
    }

    void stopWaiting(InputLane input) {
        OutputLane lane = input.waitsFor;
        lane.remove(input);
        noteWaiting(lane);
    }

    void noteWaiting(OutputLane lane) {
        if (lane.firstWaiting() == null) {
            waiting &= ~(1 << lane.virtualLane);
        }
    }

    void trySend(long now) {
        if ((waiting | owed) == 0 || txEnd.isPlanned() || port.state() == LinkState.DOWN) {
            return;
        }
        if (now < busyUntil) {
            planEnd();
            return;
        }
        settle(now);
        if (now < busyUntil) { // what had waited for the last packet's end went first
            planEnd();
            return;
        }
        if (owed != 0) {
            sendCredit(now);
            return;
        }
        if (waiting == 0) {
            return;
        }
        inbox.take(now);
        int lane = arbiter.pick(ready());
        if (lane >= 0) {
            stalled = false;
            send(outputs[lane], now);
        } else {
            stall(now);
        }
    }

    private void stall(long now) {
        stalled = true;
        inbox.await();
        if (stalledSince < 0) {
            stalledSince = now;
        }
    }

    private int ready() {
        int open = port.state() == LinkState.ACTIVE ? waiting : waiting & 1 << Port.MANAGEMENT_LANE;
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
        leavingCopy = packet.targets != 0; // others get it after this port
        packet = leavingCopy ? fabric.copy(packet) : from.take();
        leaving = from;
        leavingBlocks = packet.blocks();
        packet.changeLane(lane.virtualLane);
        lane.sent(leavingBlocks);
        lives.sent(lane.virtualLane);
        arbiter.charge(leavingBlocks);
        count(packet, now);
        fabric.damage(port, packet);
        if (tap != null) {
            packet.seal();
            tap.sent(port, packet, now);
        }
        long end = now + duration(packet.length + (long) FRAMING);
        busyUntil = end;
        packet.to = port.peer().receiver();
        events.plan(packet, packet.to.arrival(now + delay, end + delay, femtosecondsAByte));
        if ((waiting | owed) != 0 || leavingCopy || from.isAwaited(leavingBlocks)) {
            events.plan(txEnd, end);
        } else {
            from.leavesBy(this);
        }
    }

    private void count(FabricPacket packet, long now) {
        counters.xmitData += packet.words;
        counters.xmitPackets++;
        if (Lids.isMulticast(packet.destinationLid)) {
            counters.multicastXmitPackets++;
        } else {
            counters.unicastXmitPackets++;
        }
        if (stalledSince >= 0) {
            counters.xmitWait += (now - stalledSince) / EventQueue.NANOSECOND;
            stalledSince = -1;
        }
    }

    /** Somebody waits for the end of what is going out, who did not before. */
    void wakeAtEnd(long now) {
        if (now >= busyUntil) {
            settle(now);
        } else if (leaving != null) {
            planEnd();
        }
    }

    private void planEnd() {
        if (!txEnd.isPlanned()) {
            events.plan(txEnd, busyUntil);
        }
    }

    boolean hasEnded(long now) {
        return now >= busyUntil;
    }

    /** What was going out has gone: the lane that it came from goes on. */
    private void settle(long now) {
        InputLane from = leaving;
        if (from == null || txEnd.isPlanned()) {
            return;
        }
        leaving = null;
        if (leavingCopy) {
            from.again(now);
        } else {
            from.left(leavingBlocks, now);
        }
    }

    private final class TransmitEnd extends Event {
        @Override
        protected void happen(long now) {
            settle(now);
            trySend(now);
        }
    }

    // Credit.

    void owesCredit(InputLane input, long now) {
        if (port.state() != LinkState.DOWN && input.grant().isWorthTelling()) {
            owed |= 1 << input.virtualLane;
            trySend(now);
        }
    }

    private void sendCredit(long now) {
        busyUntil = now + duration((long) Integer.bitCount(owed) * FLOW_BYTES);
        PortSender peer = port.peer().sender();
        long tail = busyUntil + delay;
        CreditUpdate update = peer.inbox.fresh(port.peer().receiver().arrival(tail, tail, femtosecondsAByte));
        for (int rest = owed; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            Grant grant = port.receiver().input(lane).grant();
            update.add(lane, outputs[lane].totalBlocksSent(), grant.tell());
        }
        peer.inbox.add(update, peer.stalled || resyncing);
        owed = 0;
        resyncing = false;
        if (waiting != 0) {
            events.plan(txEnd, busyUntil);
        }
    }

    /** Takes in the flow control packets that have come. */
    void takeCredit(long now) {
        inbox.take(now);
    }

    /** A flow control packet has come. */
    void credited(int lane, int totalBlocksSent, int creditLimit) {
        outputs[lane].granted(creditLimit);
        port.receiver().input(lane).grant().synchronize(totalBlocksSent);
    }

    /** Credit that was lost on the way to here is given anew. */
    void oweWhatChanged(long now) {
        for (int lane = 0; lane < port.settings().operationalLanes(); lane++) {
            InputLane input = port.receiver().inputOrNull(lane);
            if (input != null) {
                owesCredit(input, now);
            }
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
            if (port.state() != LinkState.DOWN) {
                owed |= (1 << port.settings().operationalLanes()) - 1;
                resyncing = true;
                trySend(now);
            }
        }
    }
}
