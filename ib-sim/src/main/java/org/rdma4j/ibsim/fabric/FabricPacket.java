package org.rdma4j.ibsim.fabric;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rdma4j.ibsim.time.Event;
import org.rdma4j.wire.FlowPacket;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.Vcrc;

/**
 * A packet on its way, its bytes from LRH to VCRC, and the event of its coming to the next port. Packets are used again and
 * again; whoever holds one gives it on or back.
 *
 * <p>What ports look at in the LRH is read once, when a node sends the packet ({@link #readHeader}): at each hop its bytes
 * would have to come from far away in memory.
 */
public final class FabricPacket extends Event {

    /** What a packet of a port's MTU has besides its payload at most, VCRC included (7.7.8). */
    public static final int OVERHEAD = 126;

    private static final int LARGEST_MTU = 4096;
    static final int CAPACITY = LARGEST_MTU + OVERHEAD + 2;

    final MemorySegment bytes;
    final ByteBuffer view;

    int length;

    // From the header.

    int virtualLane;
    int serviceLevel;
    int destinationLid;
    int linkVersion;

    /** PktLen. */
    int words;

    /** It goes to QP 0. */
    boolean subnetManagement;

    // What is known about its checksums.

    /** The VCRC is to be looked at: somebody else wrote it, or bits have flipped. */
    private boolean suspect;

    /** Its VCRC is not there yet: it is made where somebody looks. */
    private boolean unsealed;

    /** Nor is its ICRC. */
    private PacketIcrc missingIcrc;

    private int icrcXor;

    /** It ends with EBP in place of EGP. */
    boolean markedBad;

    /** On its way to this port. */
    PortReceiver to;

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

    /** Of a packet that a node has sent; so are the next two. */
    public int virtualLane() {
        return virtualLane;
    }

    public int serviceLevel() {
        return serviceLevel;
    }

    public int destinationLid() {
        return destinationLid;
    }

    public int sourceLid() {
        return Lrh.sourceLid(bytes, 0);
    }

    /** Takes in what the header says. */
    void readHeader() {
        virtualLane = Lrh.virtualLane(bytes, 0);
        serviceLevel = Lrh.serviceLevel(bytes, 0);
        destinationLid = Lrh.destinationLid(bytes, 0);
        linkVersion = Lrh.linkVersion(bytes, 0);
        words = Lrh.packetLength(bytes, 0);
        subnetManagement = Management.isSubnetManagement(this);
    }

    /** Blocks of credit that it takes (7.9.4.4). */
    int blocks() {
        return (length + FlowPacket.BLOCK - 1) / FlowPacket.BLOCK;
    }

    // Checksums.

    /** The bytes behind the LRH are not looked at again until somebody asks for the VCRC. */
    public void leaveUnsealed() {
        unsealed = true;
        suspect = false;
    }

    /**
     * Nor does it have its ICRC yet.
     *
     * @param icrc makes it
     * @param xor bits to flip in the right one
     */
    public void leaveUnsealed(PacketIcrc icrc, int xor) {
        leaveUnsealed();
        missingIcrc = icrc;
        icrcXor = xor;
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

    /** Makes the ICRC and the VCRC right where they were left open. */
    public void seal() {
        writeIcrc();
        if (unsealed) {
            Vcrc.write(bytes, (long) length - Vcrc.LENGTH, Vcrc.of(bytes, 0, (long) length - Vcrc.LENGTH));
            unsealed = false;
        }
    }

    private void writeIcrc() {
        if (missingIcrc != null) {
            int end = length - Icrc.LENGTH - Vcrc.LENGTH;
            Icrc.write(bytes, end, missingIcrc.of(this, Management.bthOffset(this), end) ^ icrcXor);
            missingIcrc = null;
        }
    }

    /**
     * True where nobody has looked at the packet or touched it, and its ICRC would be right: there is no need to make it in
     * order to check it.
     */
    public boolean isUntouched() {
        return missingIcrc != null && icrcXor == 0;
    }

    boolean vcrcIsRight() {
        if (!suspect) {
            return true;
        }
        seal();
        return Vcrc.of(bytes, 0, (long) length - Vcrc.LENGTH) == Vcrc.read(bytes, (long) length - Vcrc.LENGTH);
    }

    /** The lane that it goes on; the VCRC is made anew, the ICRC does not cover it (7.8). */
    void changeLane(int lane) {
        if (lane != virtualLane) {
            virtualLane = lane;
            Lrh.setVirtualLane(bytes, 0, lane);
            unsealed = true;
        }
    }

    void copyFrom(FabricPacket other) {
        MemorySegment.copy(other.bytes, 0, bytes, 0, other.length);
        length = other.length;
        suspect = other.suspect;
        unsealed = other.unsealed;
        missingIcrc = other.missingIcrc;
        icrcXor = other.icrcXor;
        markedBad = other.markedBad;
        received = other.received;
        readHeader();
    }

    void clear() {
        length = 0;
        suspect = false;
        unsealed = false;
        missingIcrc = null;
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
