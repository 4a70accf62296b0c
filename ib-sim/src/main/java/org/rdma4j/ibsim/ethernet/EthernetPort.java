package org.rdma4j.ibsim.ethernet;

import org.rdma4j.ibsim.time.Event;
import org.rdma4j.ibsim.time.EventQueue;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.PfcFrame;

/**
 * One end of a cable: queues of eight traffic classes that leave by it, and priority flow control in both directions. Network
 * control (classes 6 and 7) goes first, the others take turns frame by frame.
 */
public final class EthernetPort {

    private static final int NETWORK_CONTROL = 6;
    private static final long FEMTOSECONDS_A_BYTE_AT_GIGABIT = 8_000_000;

    private final EthernetNode node;
    private final int number;
    private final long mac;
    private final EventQueue events;
    private final FrameQueue[] queues = new FrameQueue[PfcFrame.CLASSES];
    private final EthernetCounters counters = new EthernetCounters();
    private final Event txEnd = new TransmitEnd();
    private final Event resume = new Resume();
    private final Event refresh = new Refresh();

    private EthernetPort peer;
    private long delay;
    private long femtosecondsAByte;
    private FrameTap tap;

    private int waiting; // classes with frames, a bit each
    private int lastTurn;
    private EthernetPort sendingFor;
    private int sendingPriority;
    private int sendingSize;

    // What the neighbor asks of this end.
    private final long[] pausedUntil = new long[PfcFrame.CLASSES];
    private final long[] pausedSince = new long[PfcFrame.CLASSES];

    // What this end asks of its neighbor.
    private int stopped; // classes, a bit each
    private int untold; // classes whose state it is to be told
    private boolean stormy;

    /** Sees what a port sends. */
    @FunctionalInterface
    public interface FrameTap {

        /** @param now ps; the frame's bytes are valid during the call only */
        void sent(EthernetPort port, EthernetFrame frame, long now);
    }

    EthernetPort(EthernetNode node, int number, long mac) {
        this.node = node;
        this.number = number;
        this.mac = mac;
        this.events = node.fabric().events();
        for (int priority = 0; priority < PfcFrame.CLASSES; priority++) {
            queues[priority] = new FrameQueue();
        }
    }

    public EthernetNode node() {
        return node;
    }

    public int number() {
        return number;
    }

    /** 48 bits. */
    public long mac() {
        return mac;
    }

    /** The other end of the cable; {@code null} where there is none. */
    public EthernetPort peer() {
        return peer;
    }

    public EthernetCounters counters() {
        return counters;
    }

    /** What waits to leave in a class. */
    public FrameQueue queue(int priority) {
        return queues[priority];
    }

    /** As messages name it: the node's name and the port's number. */
    @Override
    public String toString() {
        return node.name() + "[" + number + "]";
    }

    /** Shows what this port sends; {@code null} ends it. */
    public void tap(FrameTap next) {
        tap = next;
    }

    /**
     * @param gigabits Gb/s of frames, line code taken off
     * @param cableDelay ps from one end to the other
     */
    void plug(EthernetPort other, double gigabits, long cableDelay) {
        peer = other;
        delay = cableDelay;
        femtosecondsAByte = Math.round(FEMTOSECONDS_A_BYTE_AT_GIGABIT / gigabits);
    }

    private long duration(long bytes) {
        return bytes * femtosecondsAByte / 1000;
    }

    // Sending.

    /** Queues a frame; the frame is the port's from here on. */
    void enqueue(EthernetFrame frame, long now) {
        queues[frame.priority].add(frame, now);
        waiting |= 1 << frame.priority;
        trySend(now);
    }

    private void trySend(long now) {
        if (txEnd.isPlanned()) {
            return;
        }
        if (untold != 0) {
            transmit(pauseFrame(), 0, now);
            return;
        }
        int ready = waiting & ~paused(now);
        if (ready != 0) {
            int priority = pick(ready);
            EthernetFrame frame = queues[priority].take(now);
            if (queues[priority].isEmpty()) {
                waiting &= ~(1 << priority);
            }
            transmit(frame, peer.node.latency(), now);
        } else if (waiting != 0) {
            events.move(resume, firstResume());
        }
    }

    private int pick(int ready) {
        int urgent = ready >>> NETWORK_CONTROL << NETWORK_CONTROL;
        if (urgent != 0) {
            return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(urgent);
        }
        int behind = ready & -1 << lastTurn + 1;
        lastTurn = Integer.numberOfTrailingZeros(behind != 0 ? behind : ready);
        return lastTurn;
    }

    private void transmit(EthernetFrame frame, long latency, long now) {
        counters.sentFrames++;
        counters.sentBytes += frame.size();
        if (tap != null) {
            tap.sent(this, frame, now);
        }
        sendingFor = frame.heldFor;
        sendingPriority = frame.priority;
        sendingSize = frame.size();
        frame.heldFor = null;
        frame.to = peer;
        events.plan(txEnd, now + duration(frame.wireBytes()));
        // The gap behind a frame is no part of it.
        events.plan(frame, now + duration(frame.wireBytes() - EthernetFrame.GAP) + delay + latency);
    }

    private final class TransmitEnd extends Event {
        @Override
        protected void happen(long now) {
            if (sendingFor != null) {
                node.left(sendingFor, sendingPriority, sendingSize, now);
            }
            trySend(now);
        }
    }

    // Being stopped.

    private int paused(long now) {
        int paused = 0;
        for (int rest = waiting; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if (pausedUntil[priority] > now) {
                paused |= 1 << priority;
            }
        }
        return paused;
    }

    private long firstResume() {
        long earliest = Long.MAX_VALUE;
        for (int rest = waiting; rest != 0; rest &= rest - 1) {
            earliest = Math.min(earliest, pausedUntil[Integer.numberOfTrailingZeros(rest)]);
        }
        return earliest;
    }

    private void onPause(EthernetFrame frame, long now) {
        if (!node.fabric().settings().pfc()) {
            return; // whoever has no PFC takes no notice of it (802.1Q, 36.1.3)
        }
        int classes = PfcFrame.classes(frame.bytes, 0);
        for (int rest = classes; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            int quanta = PfcFrame.quanta(frame.bytes, 0, priority);
            countPause(priority, now);
            pausedUntil[priority] = now + duration((long) quanta * PfcFrame.QUANTUM_BITS / Byte.SIZE);
            if (quanta > 0) {
                counters.pausesReceived++;
            }
        }
        trySend(now);
    }

    private void countPause(int priority, long now) {
        counters.pausedTime += Math.max(0, Math.min(now, pausedUntil[priority]) - pausedSince[priority]);
        pausedSince[priority] = now;
    }

    private final class Resume extends Event {
        @Override
        protected void happen(long now) {
            trySend(now);
        }
    }

    // Stopping the neighbor.

    /** The neighbor is to send nothing of a class until {@link #resume} says so; it is told again before it forgets. */
    void stop(int priority, long now) {
        stopped |= 1 << priority;
        untold |= 1 << priority;
        events.move(refresh, now + duration((long) PfcFrame.LONGEST * PfcFrame.QUANTUM_BITS / Byte.SIZE) / 2);
        trySend(now);
    }

    /** The neighbor may send of a class again. */
    void resume(int priority, long now) {
        if (!stormy) {
            stopped &= ~(1 << priority);
            untold |= 1 << priority;
            trySend(now);
        }
    }

    /** A broken station: from now on it stops a class and never ends that. */
    public void storm(int priority) {
        stop(priority, events.now());
        stormy = true;
    }

    boolean stops(int priority) {
        return (stopped & 1 << priority) != 0;
    }

    private EthernetFrame pauseFrame() {
        EthernetFrame frame = node.fabric().newFrame();
        PfcFrame.write(frame.bytes, 0, mac, untold);
        for (int rest = untold; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            boolean stop = stops(priority);
            PfcFrame.setQuanta(frame.bytes, 0, priority, stop ? PfcFrame.LONGEST : 0);
            counters.pausesSent += stop ? 1 : 0;
            counters.resumesSent += stop ? 0 : 1;
        }
        frame.length = PfcFrame.LENGTH;
        untold = 0;
        return frame;
    }

    private final class Refresh extends Event {
        @Override
        protected void happen(long now) {
            for (int priority = 0; priority < PfcFrame.CLASSES; priority++) {
                if (stops(priority)) {
                    stop(priority, now);
                }
            }
        }
    }

    // Receiving.

    void arrived(EthernetFrame frame, long now) {
        counters.receivedFrames++;
        counters.receivedBytes += frame.size();
        if (PfcFrame.isOne(frame.bytes, 0)) {
            onPause(frame, now);
            node.fabric().giveBack(frame);
            return;
        }
        long destination = EthernetHeader.destination(frame.bytes, 0);
        if (destination != mac && !EthernetHeader.isGroup(destination)) {
            counters.otherDrops++;
            node.fabric().giveBack(frame);
            return;
        }
        node.received(frame, this, now);
    }

    /** The time for which classes were stopped, up to now. */
    public long pausedTime(long now) {
        for (int priority = 0; priority < PfcFrame.CLASSES; priority++) {
            countPause(priority, now);
        }
        return counters.pausedTime;
    }
}
