package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.wire.EthernetHeader;
import org.rdma4j.wire.Icrc;

/** Where all frames of a port leave it: counted, and shown to the tap. */
final class FrameOutlet {

    private final FrameIo io;
    private final LinkCounters counters;
    private FrameTap tap;
    private long now;
    private boolean pending;

    FrameOutlet(FrameIo io, LinkCounters counters) {
        this.io = io;
        this.counters = counters;
    }

    FrameIo io() {
        return io;
    }

    void tap(FrameTap next) {
        tap = next;
    }

    void now(long time) {
        now = time;
    }

    long now() {
        return now;
    }

    /** A packet's frame at the place that the network's memory reserved. */
    void packet(long at, int length, int transportLength) {
        count(transportLength);
        control(at, length);
    }

    /** As above, a frame without a packet. */
    void control(long at, int length) {
        show(io.memory(), at, length);
        io.commit(length);
        pending = true;
    }

    /** A packet that found its addressee in this port. */
    void loopedBack(MemorySegment memory, long at, int length, int transportLength) {
        count(transportLength);
        show(memory, at, length);
    }

    /** Frames that waited for their addressee's MAC. */
    void release(HeldFrames held, long mac) {
        for (int index = 0; index < held.count(); index++) {
            int length = held.length(index);
            long at = io.reserve(length);
            if (at < 0) {
                counters.sendErrors++;
                continue;
            }
            MemorySegment.copy(held.memory(), held.offset(index), io.memory(), at, length);
            EthernetHeader.setDestination(io.memory(), at, mac);
            packet(at, length, held.transportLength(index));
        }
    }

    /** Packets that were not sent. */
    void lost(int packets) {
        counters.sendErrors += packets;
    }

    void flush() {
        if (pending) {
            pending = false;
            counters.sentTrains++;
            counters.sendErrors += io.flush();
        }
    }

    private void count(int transportLength) {
        counters.sentPackets++;
        counters.sentBytes += transportLength + Icrc.LENGTH;
    }

    private void show(MemorySegment memory, long at, int length) {
        if (tap != null) {
            tap.sent(now, memory, at, length);
        }
    }
}
