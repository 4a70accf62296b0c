package org.rdma4j.ibsim.fabric;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.wire.FlowPacket;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Vcrc;

/**
 * A packet on its way, its bytes from LRH to VCRC, and the event of its coming to the next port. Packets are used again and
 * again; whoever holds one gives it on or back.
 */
public final class FabricPacket extends Event {

    /** What a packet of a port's MTU has besides its payload at most, VCRC included (7.7.8). */
    public static final int OVERHEAD = 126;

    private static final int LARGEST_MTU = 4096;
    static final int CAPACITY = LARGEST_MTU + OVERHEAD + 2;

    final MemorySegment bytes;
    final ByteBuffer view;

    int length;

    /** The VCRC is to be looked at: somebody else wrote it, or bits have flipped. */
    boolean suspect;

    /** Its VCRC is not there yet: it is made where somebody looks. */
    boolean unsealed;

    /** It ends with EBP in place of EGP. */
    boolean markedBad;

    /** On its way to this port. */
    Port to;

    /** When the switch that holds it got it, ps. */
    long received;

    /** Ports that a multicast packet is still to go to, a bit each. */
    long targets;

    FabricPacket next;

    FabricPacket(MemorySegment bytes) {
        this.bytes = bytes;
        this.view = bytes.asByteBuffer();
    }

    /** The bytes; the packet's own are the first {@link #length()}. */
    public MemorySegment bytes() {
        return bytes;
    }

    /** The same bytes. */
    public ByteBuffer view() {
        return view;
    }

    /** Bytes from LRH to VCRC. */
    public int length() {
        return length;
    }

    /** @param packetLength bytes from LRH to VCRC */
    public void setLength(int packetLength) {
        length = packetLength;
    }

    public int virtualLane() {
        return Lrh.virtualLane(bytes, 0);
    }

    public int serviceLevel() {
        return Lrh.serviceLevel(bytes, 0);
    }

    public int destinationLid() {
        return Lrh.destinationLid(bytes, 0);
    }

    public int sourceLid() {
        return Lrh.sourceLid(bytes, 0);
    }

    /** Blocks of credit that it takes (7.9.4.4). */
    int blocks() {
        return (length + FlowPacket.BLOCK - 1) / FlowPacket.BLOCK;
    }

    /** The bytes behind the LRH are not looked at again until somebody asks for the VCRC. */
    public void leaveUnsealed() {
        unsealed = true;
        suspect = false;
    }

    /** Its VCRC is as its maker wants it: each port checks it. */
    public void distrust() {
        unsealed = false;
        suspect = true;
    }

    /** It ends with EBP: whoever sent it knows that it is bad. */
    public void markBad() {
        markedBad = true;
    }

    /** Makes the VCRC right where it was left open. */
    void seal() {
        if (unsealed) {
            Vcrc.write(bytes, (long) length - Vcrc.LENGTH, Vcrc.of(bytes, 0, (long) length - Vcrc.LENGTH));
            unsealed = false;
        }
    }

    boolean vcrcIsRight() {
        if (!suspect) {
            return true;
        }
        seal();
        return Vcrc.of(bytes, 0, (long) length - Vcrc.LENGTH) == Vcrc.read(bytes, (long) length - Vcrc.LENGTH);
    }

    /** The lane that it goes on; the VCRC is made anew, the ICRC does not cover it (7.8). */
    void changeLane(int virtualLane) {
        if (virtualLane != virtualLane()) {
            Lrh.setVirtualLane(bytes, 0, virtualLane);
            unsealed = true;
        }
    }

    void copyFrom(FabricPacket other) {
        MemorySegment.copy(other.bytes, 0, bytes, 0, other.length);
        length = other.length;
        suspect = other.suspect;
        unsealed = other.unsealed;
        markedBad = other.markedBad;
        received = other.received;
    }

    void clear() {
        length = 0;
        suspect = false;
        unsealed = false;
        markedBad = false;
        to = null;
        targets = 0;
        next = null;
    }

    @Override
    protected void happen(long now) {
        to.arrived(this, now);
    }
}
