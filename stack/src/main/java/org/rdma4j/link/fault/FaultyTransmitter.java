package org.rdma4j.link.fault;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.rdma4j.link.Pieces;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;

/**
 * Draws the fate of each packet when it is closed, in the order of closing, so that a seed gives the same run each time.
 * Packets are copied: they may be held for long.
 */
final class FaultyTransmitter implements Transmitter {

    /** A packet that is to be overtaken goes on after this time though nothing came to overtake it. */
    private static final long OVERTAKING_PATIENCE_NANOS = 100_000;

    private static final int MOST_TO_OVERTAKE = 3;

    private final Transmitter inner;
    private final Faults faults;
    private final RandomGenerator random;
    private final FaultCounters counters = new FaultCounters();
    private PacketFilter filter = PacketFilter.NOTHING;

    private final MemorySegment headers = Arena.ofAuto().allocate(HEADER_ROOM, 8);
    private final Pieces pieces = new Pieces();
    private Route route;

    private final ArrayDeque<HeldPacket> unused = new ArrayDeque<>();
    private final ArrayDeque<HeldPacket> closed = new ArrayDeque<>();
    private final PriorityQueue<HeldPacket> onTheWay = new PriorityQueue<>(
            Comparator.<HeldPacket>comparingLong(each -> each.due).thenComparingLong(each -> each.order));
    private final List<HeldPacket> overtaken = new ArrayList<>();
    private long nextOrder;
    private long lastDue = Long.MIN_VALUE;

    FaultyTransmitter(Transmitter inner, Faults faults, RandomGenerator random) {
        this.inner = inner;
        this.faults = faults;
        this.random = random;
    }

    FaultCounters counters() {
        return counters;
    }

    void filter(PacketFilter next) {
        filter = next;
    }

    @Override
    public long begin(Route to) {
        route = to;
        pieces.clear();
        return 0;
    }

    @Override
    public MemorySegment headers() {
        return headers;
    }

    @Override
    public void gather(MemoryBlock block, long offset, int length) {
        pieces.add(block, offset, length);
    }

    @Override
    public void end(int headerLength, int icrcXor) {
        HeldPacket packet = unused.isEmpty() ? new HeldPacket() : unused.pollLast();
        packet.route = route;
        packet.headerLength = headerLength;
        packet.length = headerLength + pieces.bytes();
        packet.icrcXor = icrcXor;
        MemorySegment memory = packet.room(packet.length);
        MemorySegment.copy(headers, 0, memory, 0, headerLength);
        pieces.copyTo(memory, headerLength);
        if (isLost(packet)) {
            unused.addLast(packet);
            return;
        }
        drawFate(packet);
        closed.addLast(packet);
    }

    private boolean isLost(HeldPacket packet) {
        if (filter.matches(counters.packets++, packet.memory(), 0, packet.length)) {
            counters.filtered++;
            return true;
        }
        if (strikes(faults.loss())) {
            counters.lost++;
            return true;
        }
        return false;
    }

    private void drawFate(HeldPacket packet) {
        if (strikes(faults.corrupt())) {
            counters.corrupted++;
            packet.icrcXor ^= BitFlip.flip(packet.memory(), packet.length, random);
        }
        packet.twice = strikes(faults.duplicate());
        if (packet.twice) {
            counters.duplicated++;
        }
        packet.toOvertake = 0;
        if (strikes(faults.reorder())) {
            counters.reordered++;
            packet.toOvertake = 1 + random.nextInt(MOST_TO_OVERTAKE);
        }
        packet.due = faults.delayNanos();
        if (faults.jitterNanos() > 0) {
            packet.due += random.nextLong(faults.jitterNanos() + 1);
        }
    }

    private boolean strikes(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    @Override
    public void flush(long now) {
        for (HeldPacket packet = closed.pollFirst(); packet != null; packet = closed.pollFirst()) {
            packet.due = Math.max(now + packet.due, lastDue);
            packet.order = nextOrder++;
            lastDue = packet.due;
            onTheWay.add(packet);
        }
        sendDue(now);
        inner.flush(now);
    }

    /** Gives the link below what is due; it must be flushed before the next packet is closed. Returns whether anything was. */
    boolean sendDue(long now) {
        boolean any = false;
        while (true) {
            HeldPacket packet = nextDue(now);
            if (packet == null) {
                return any;
            }
            any = true;
            if (packet.toOvertake > 0) {
                packet.due = Math.max(packet.due, now) + OVERTAKING_PATIENCE_NANOS;
                overtaken.add(packet);
            } else {
                send(packet);
                overtake();
            }
        }
    }

    /** The next packet to go: one that has waited for its overtakers long enough, or else the first on the way. */
    private HeldPacket nextDue(long now) {
        for (int i = 0; i < overtaken.size(); i++) {
            HeldPacket packet = overtaken.get(i);
            if (packet.toOvertake <= 0 || packet.due <= now) {
                packet.toOvertake = 0;
                overtaken.remove(i);
                return packet;
            }
        }
        HeldPacket first = onTheWay.peek();
        return first != null && first.due <= now ? onTheWay.poll() : null;
    }

    private void overtake() {
        for (HeldPacket each : overtaken) {
            each.toOvertake--;
        }
    }

    private void send(HeldPacket packet) {
        sendOnce(packet);
        if (packet.twice) {
            sendOnce(packet);
        }
        // The link below may still read the payload from here, until it is flushed; so this one waits for the next
        // round.
        unused.addFirst(packet);
    }

    private void sendOnce(HeldPacket packet) {
        long at = inner.begin(packet.route);
        MemorySegment.copy(packet.memory(), 0, inner.headers(), at, packet.headerLength);
        inner.gather(packet.block(), packet.headerLength, packet.length - packet.headerLength);
        inner.end(packet.headerLength, packet.icrcXor);
    }

    /** When the next held packet goes; {@link Long#MAX_VALUE} where none is held. */
    long nextEvent() {
        long next = onTheWay.isEmpty() ? Long.MAX_VALUE : onTheWay.peek().due;
        for (HeldPacket each : overtaken) {
            next = Math.min(next, each.due);
        }
        return next;
    }
}
