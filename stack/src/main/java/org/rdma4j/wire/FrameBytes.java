package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * The bytes of a frame, wherever they lie, with every field big-endian. Those who read millions of captured frames in a
 * process of seconds need code that is cheap before it is compiled, and cheap to compile: plain array accesses are, those
 * of memory segments are not.
 *
 * <p>Each read throws an {@link IndexOutOfBoundsException} where it would leave the frame.
 */
public abstract sealed class FrameBytes {

    private FrameBytes() {}

    /** Bytes within an array. */
    public static FrameBytes of(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        return new InArray(array, from, length);
    }

    /** All bytes of an array. */
    public static FrameBytes of(byte[] array) {
        return of(array, 0, array.length);
    }

    /** Bytes of any memory. */
    public static FrameBytes of(MemorySegment segment) {
        return new InSegment(segment);
    }

    /** 8 bits, unsigned. */
    public abstract int uint8(long at);

    /** 16 bits, unsigned. */
    public abstract int uint16(long at);

    public abstract int int32(long at);

    /** 32 bits, unsigned. */
    public final long uint32(long at) {
        return Integer.toUnsignedLong(int32(at));
    }

    /** 64 bits. */
    public final long int64(long at) {
        return (long) int32(at) << 32 | uint32(at + 4);
    }

    /** The low 24 bits of a word: a QP number, a PSN, an MSN. */
    public final int uint24(long at) {
        return int32(at) & NetworkOrder.MASK_24;
    }

    /** The same bytes for those who work on segments. What is written there is written here. */
    public abstract MemorySegment segment();

    abstract void copy(long at, byte[] into, int position, int length);

    abstract void update(CRC32 crc, long at, int length);

    /** Where a byte lies, as far as that counts for alignment. */
    abstract long address(long at);

    private static final class InArray extends FrameBytes {

        private final byte[] array;
        private final int from;
        private final int length;

        InArray(byte[] array, int from, int length) {
            this.array = array;
            this.from = from;
            this.length = length;
        }

        private int index(long at, int size) {
            return from + Objects.checkIndex((int) at, length - size + 1);
        }

        @Override
        public int uint8(long at) {
            return array[index(at, 1)] & 0xFF;
        }

        @Override
        public int uint16(long at) {
            int index = index(at, 2);
            return (array[index] & 0xFF) << 8 | array[index + 1] & 0xFF;
        }

        @Override
        public int int32(long at) {
            int index = index(at, 4);
            return array[index] << 24
                    | (array[index + 1] & 0xFF) << 16
                    | (array[index + 2] & 0xFF) << 8
                    | array[index + 3] & 0xFF;
        }

        @Override
        public MemorySegment segment() {
            return MemorySegment.ofArray(array).asSlice(from, length);
        }

        @Override
        void copy(long at, byte[] into, int position, int count) {
            System.arraycopy(array, index(at, count), into, position, count);
        }

        @Override
        void update(CRC32 crc, long at, int count) {
            crc.update(array, index(at, count), count);
        }

        @Override
        long address(long at) {
            return from + at; // all arrays start at the same place within 16 bytes
        }
    }

    private static final class InSegment extends FrameBytes {

        private final MemorySegment segment;

        InSegment(MemorySegment segment) {
            this.segment = segment;
        }

        @Override
        public int uint8(long at) {
            return segment.get(NetworkOrder.BYTE, at) & 0xFF;
        }

        @Override
        public int uint16(long at) {
            return segment.get(NetworkOrder.SHORT, at) & 0xFFFF;
        }

        @Override
        public int int32(long at) {
            return segment.get(NetworkOrder.INT, at);
        }

        @Override
        public MemorySegment segment() {
            return segment;
        }

        @Override
        void copy(long at, byte[] into, int position, int count) {
            MemorySegment.copy(segment, NetworkOrder.BYTE, at, into, position, count);
        }

        @Override
        void update(CRC32 crc, long at, int count) {
            crc.update(segment.asSlice(at, count).asByteBuffer());
        }

        @Override
        long address(long at) {
            return segment.address() + at;
        }
    }
}
