package org.rdma4j.ibsim.ethernet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.wire.EthernetHeader;

/**
 * A frame on its way, from its destination to the end of its padding, and the event of its coming to the next port. Frames
 * are used again and again; whoever holds one gives it on or back.
 */
public final class EthernetFrame extends Event {

    /** A path MTU of 4,096 bytes with all headers that go around it, and some. */
    static final int CAPACITY = 4288;

    /** What a frame takes on the wire besides its bytes: preamble and start, FCS, and the gap to the next (802.3). */
    static final int PREAMBLE = 8;

    static final int FCS = 4;
    static final int GAP = 12;

    final MemorySegment bytes;
    final ByteBuffer view;
    int length;

    /** The traffic class whose queues it waits in. */
    int priority;

    /** The port of the switch that holds it, whose share of the buffer it takes; {@code null} where no switch does. */
    EthernetPort heldFor;

    /** On its way to this port. */
    EthernetPort to;

    EthernetFrame next;

    EthernetFrame(MemorySegment bytes) {
        this.bytes = bytes;
        this.view = bytes.asByteBuffer();
    }

    /** The frame's bytes are the first {@link #length()}. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** Bytes without FCS. */
    public int length() {
        return length;
    }

    /** Bytes that it takes in a buffer: with FCS. */
    int size() {
        return length + FCS;
    }

    /** Bytes that the wire is taken for. */
    int wireBytes() {
        return Math.max(length, EthernetHeader.MINIMUM_FRAME) + PREAMBLE + FCS + GAP;
    }

    @Override
    protected void happen(long now) {
        to.arrived(this, now);
    }
}
