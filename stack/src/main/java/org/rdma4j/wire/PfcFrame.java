package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Priority-based flow control (IEEE 802.1Qbb): the neighbor is to send nothing of some classes for a while. A MAC control
 * frame to a group address that no bridge forwards.
 *
 * <pre>
 *  0               1               2               3
 *  0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
 * +---------------------------------------------------------------+
 * |               Destination MAC 01:80:C2:00:00:01               |  0
 * +                               +-------------------------------+
 * |                               |          Source MAC           |  4
 * +-------------------------------+                               +
 * |                                                               |  8
 * +-------------------------------+-------------------------------+
 * |        EtherType 0x8808       |        OpCode 0x0101          | 12
 * +---------------+---------------+-------------------------------+
 * |       0       | Class enable  |   Time of class 0, quanta     | 16
 * +---------------+---------------+-------------------------------+
 * |                     Times of classes 1 to 7 ...               | 20
 * +---------------------------------------------------------------+
 * |                     Zeros up to 60 bytes                      | 34
 * +---------------------------------------------------------------+
 * </pre>
 *
 * @param source MAC, 48 bits
 * @param classes a bit for each class whose time counts
 * @param quanta eight times, each 0 to 65,535 quanta of 512 bit times; 0 ends a pause
 */
public record PfcFrame(long source, int classes, List<Integer> quanta) {

    /** Bytes on the wire, without FCS. */
    public static final int LENGTH = EthernetHeader.MINIMUM_FRAME;

    public static final int CLASSES = 8;

    public static final long DESTINATION = 0x0180_C200_0001L;
    public static final int ETHER_TYPE = 0x8808;
    public static final int OPCODE = 0x0101;
    public static final int QUANTUM_BITS = 512;
    public static final int LONGEST = 0xFFFF;

    public static final int OPCODE_OFFSET = 14;
    public static final int CLASSES_OFFSET = 16;
    public static final int TIMES_OFFSET = 18;

    /** True for a frame of this kind; it has {@link #LENGTH} bytes at least. */
    public static boolean isOne(MemorySegment segment, long offset) {
        return EthernetHeader.etherType(segment, offset) == ETHER_TYPE
                && (segment.get(NetworkOrder.SHORT, offset + OPCODE_OFFSET) & 0xFFFF) == OPCODE;
    }

    public static int classes(MemorySegment segment, long offset) {
        return segment.get(NetworkOrder.SHORT, offset + CLASSES_OFFSET) & 0xFF;
    }

    public static int quanta(MemorySegment segment, long offset, int priority) {
        return segment.get(NetworkOrder.SHORT, offset + TIMES_OFFSET + 2L * priority) & 0xFFFF;
    }

    public static PfcFrame parse(MemorySegment segment, long offset) {
        List<Integer> quanta = IntStream.range(0, CLASSES)
                .mapToObj(priority -> quanta(segment, offset, priority))
                .toList();
        return new PfcFrame(EthernetHeader.source(segment, offset), classes(segment, offset), quanta);
    }

    public void emit(MemorySegment segment, long offset) {
        write(segment, offset, source, classes);
        for (int priority = 0; priority < CLASSES; priority++) {
            setQuanta(segment, offset, priority, quanta.get(priority));
        }
    }

    /** The whole frame with all times 0. */
    public static void write(MemorySegment segment, long offset, long source, int classes) {
        segment.asSlice(offset, LENGTH).fill((byte) 0);
        EthernetHeader.write(segment, offset, DESTINATION, source, ETHER_TYPE);
        segment.set(NetworkOrder.SHORT, offset + OPCODE_OFFSET, (short) OPCODE);
        segment.set(NetworkOrder.SHORT, offset + CLASSES_OFFSET, (short) classes);
    }

    public static void setQuanta(MemorySegment segment, long offset, int priority, int quanta) {
        segment.set(NetworkOrder.SHORT, offset + TIMES_OFFSET + 2L * priority, (short) quanta);
    }
}
