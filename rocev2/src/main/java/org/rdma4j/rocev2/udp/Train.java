package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.rocev2.syscall.IoVec;
import org.rdma4j.wire.Bth;

/**
 * Packets of one route that leave in one call: all as long as the first, only the last may be shorter, as the kernel's
 * UDP segmentation wants it. What is copied (headers, small payloads, pads, ICRCs) lies in one run of bytes; payloads
 * that are gathered where they lie cut it. So a train of full packets takes two iovecs a packet, the ICRC of one going
 * out with the headers of the next, and a train of small packets takes one iovec in all.
 */
public final class Train {

    /** The longest UDP payload over IPv4, and so the most that one call can send. */
    static final int MAX_BYTES = 65_507;

    private static final ValueLayout.OfInt LITTLE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** So that a payload right behind its BTH is aligned, in all of a train: copies and CRCs are faster then. */
    private static final int START = 4;

    private final MemorySegment bytes = Arena.ofAuto().allocate(START + MAX_BYTES + 25L, 64);
    private final ByteBuffer view = bytes.asByteBuffer();
    private final long address = bytes.address();
    private final MemorySegment iovecs = Arena.ofAuto().allocate((long) IoVec.MAX * IoVec.SIZE, 16);

    private UdpRoute route;
    private int segmentLength;
    private int packets;
    private int length;
    private boolean open;

    private int iovecCount;
    private int used = START;
    private int runStart = START;

    /** True where a packet of this length, of at most this many pieces, can follow. Always, where the train is empty. */
    boolean admits(UdpRoute next, int packetLength, int pieces, int maxPackets) {
        return packets == 0
                || open
                        && packets < maxPackets
                        && packetLength <= segmentLength
                        && length + packetLength <= MAX_BYTES
                        && iovecCount + 2 * pieces + 2 <= IoVec.MAX
                        && route.sameFlow(next);
    }

    /** Adds a packet, whose bytes the caller appends next. Returns its position, 0 for the first. */
    int add(UdpRoute next, int packetLength) {
        if (packets == 0) {
            if (packetLength > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "a packet of " + packetLength + " bytes is longer than a UDP datagram can be");
            }
            route = next;
            segmentLength = packetLength;
            open = true;
        } else {
            open = packetLength == segmentLength;
        }
        length += packetLength;
        return packets++;
    }

    /** Copies headers: a BTH, and what follows it. */
    void copyHeaders(MemorySegment headers, int count) {
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, used, headers.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, used + 8L, headers.get(ValueLayout.JAVA_INT_UNALIGNED, 8));
        for (int at = Bth.LENGTH; at < count; at += Integer.BYTES) {
            bytes.set(
                    ValueLayout.JAVA_INT_UNALIGNED, used + (long) at, headers.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        }
        used += count;
    }

    void copy(MemoryBlock block, long offset, int count) {
        block.copyTo(offset, bytes, used, count);
        used += count;
    }

    void zeros(int count) {
        for (int i = 0; i < count; i++) {
            bytes.set(ValueLayout.JAVA_BYTE, used++, (byte) 0);
        }
    }

    void littleEndianInt(int value) {
        bytes.set(LITTLE_INT, used, value);
        used += Integer.BYTES;
    }

    /** Sends the bytes from where they lie. They must stay there, and stay as they are, until the train is sent. */
    void reference(long from, int count) {
        endRun();
        IoVec.set(iovecs, iovecCount++, from, count);
    }

    /** Where the next copied byte goes; for the CRC. */
    int mark() {
        return used;
    }

    /** The ICRC of the packet whose BTH stands at the mark. */
    int icrc(RoceIcrc icrc, int mark, int transportLength, int position, int behindBth) {
        return icrc.of(bytes, mark, transportLength, position, behindBth);
    }

    /** Feeds what was copied since the mark to a CRC. */
    void updateCrc(CRC32 crc, int mark) {
        crc.update(view.limit(used).position(mark));
    }

    /** Closes the list of pieces; returns how many there are. */
    int finish() {
        endRun();
        return iovecCount;
    }

    private void endRun() {
        if (used > runStart) {
            IoVec.set(iovecs, iovecCount++, address + runStart, used - runStart);
            runStart = used;
        }
    }

    /** Makes room for the next one. */
    public void clear() {
        packets = 0;
        length = 0;
        iovecCount = 0;
        used = START;
        runStart = START;
    }

    /** The way that all its packets go. */
    public UdpRoute route() {
        return route;
    }

    boolean isEmpty() {
        return packets == 0;
    }

    int packets() {
        return packets;
    }

    /** Bytes of each packet but the last. */
    int segmentLength() {
        return segmentLength;
    }

    /** Bytes of one packet. */
    int packetLength(int index) {
        return index < packets - 1 ? segmentLength : length - (packets - 1) * segmentLength;
    }

    /** Bytes of all packets. */
    public int length() {
        return length;
    }

    long iovecAddress() {
        return iovecs.address();
    }

    /** The bytes of a train whose pieces were all copied. */
    public ByteBuffer copied() {
        return view.limit(used).position(START);
    }

    /** Copies the train to one place, packet behind packet. */
    @SuppressWarnings("restricted")
    void copyTo(MemorySegment target, long offset) {
        int count = finish();
        if (count == 1 && IoVec.length(iovecs, 0) == used - START) {
            MemorySegment.copy(bytes, START, target, offset, used - START); // all of it was copied
            return;
        }
        long at = offset;
        for (int i = 0; i < count; i++) {
            long size = IoVec.length(iovecs, i);
            MemorySegment piece = MemorySegment.ofAddress(IoVec.base(iovecs, i)).reinterpret(size);
            MemorySegment.copy(piece, 0, target, at, size);
            at += size;
        }
    }
}
