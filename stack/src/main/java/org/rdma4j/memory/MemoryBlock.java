package org.rdma4j.memory;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A span of bytes that packets are gathered from and scattered to. Native and mapped memory is reached without session
 * checks and from any thread, as a NIC would reach it, so its arena must stay open for as long as the block is in use;
 * {@link #isAlive()} tells. Where native access is not granted to this module, the checks stay, and memory of a confined
 * arena is refused. Heap memory works too, at the price of one copy per packet.
 *
 * <p>Offsets are bytes from the block's start. The callers have checked them: the segment's own bounds are the second
 * wall. Nothing here allocates.
 */
public sealed class MemoryBlock permits NullBlock {

    /** A ByteBuffer spans an int of bytes, so views start every {@code 2^VIEW_SHIFT} bytes and overlap by {@link #OVERLAP}. */
    private static final int VIEW_SHIFT = 30;

    /** Without native access the segments as they are have to do, checks and all. */
    private static final boolean MAY_REACH_ALL = MemoryBlock.class.getModule().isNativeAccessEnabled();

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private static final Thread ANOTHER_THREAD = Thread.ofVirtual().unstarted(() -> {});

    private static final long VIEW_STRIDE = 1L << VIEW_SHIFT;
    private static final int OVERLAP = 1 << 16;

    private final MemorySegment owner;
    private final MemorySegment segment;
    private final boolean isNative;
    private final ByteBuffer[] views;

    MemoryBlock(MemorySegment owner, MemorySegment segment) {
        this.owner = owner;
        this.segment = segment;
        this.isNative = segment.isNative();
        this.views = new ByteBuffer[viewCount(segment.byteSize())];
        for (int index = 0; index < views.length; index++) {
            long start = index * VIEW_STRIDE;
            long length = Math.min(segment.byteSize() - start, VIEW_STRIDE + OVERLAP);
            views[index] = segment.asSlice(start, length).asByteBuffer();
        }
    }

    private static int viewCount(long size) {
        return (int) Math.max(1, (size + VIEW_STRIDE - 1) >>> VIEW_SHIFT);
    }

    /**
     * @param memory native or mapped memory of any arena, or a heap segment over a {@code byte[]}
     * @throws IllegalArgumentException for read-only memory or a heap array that is not of bytes
     */
    public static MemoryBlock of(MemorySegment memory) {
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be registered: " + memory);
        }
        if (memory.isNative()) {
            return new MemoryBlock(memory, MAY_REACH_ALL ? unchecked(memory) : checked(memory));
        }
        if (!(memory.heapBase().orElse(null) instanceof byte[])) {
            throw new IllegalArgumentException("heap memory must be a byte[]: " + memory);
        }
        return new MemoryBlock(memory, memory);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment unchecked(MemorySegment memory) {
        return MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize());
    }

    private static MemorySegment checked(MemorySegment memory) {
        if (!memory.isAccessibleBy(ANOTHER_THREAD)) {
            throw new IllegalArgumentException("memory of a confined arena cannot be registered without native access:"
                    + " take a shared or automatic arena, or start Java with --enable-native-access=org.rdma4j.stack");
        }
        return memory;
    }

    /** Bytes in the block. */
    public long size() {
        return segment.byteSize();
    }

    /** False once the arena that owns the memory has been closed. */
    public boolean isAlive() {
        return owner.scope().isAlive();
    }

    /** True where {@link #address(long)} can be given to a system call. */
    public boolean isNative() {
        return isNative;
    }

    /** The machine address of a byte; only where {@link #isNative()}. */
    public long address(long offset) {
        return segment.address() + offset;
    }

    /** The bytes as a segment, for reads and writes of single values. */
    public MemorySegment segment() {
        return segment;
    }

    /** Feeds bytes to a CRC. */
    public void updateCrc(CRC32 crc, long offset, int length) {
        if (length == 0) {
            return;
        }
        ByteBuffer view = views[(int) (offset >>> VIEW_SHIFT)];
        int start = (int) (offset & (VIEW_STRIDE - 1));
        view.limit(start + length).position(start);
        crc.update(view);
    }

    /** Copies out of the block. */
    public void copyTo(long offset, MemorySegment target, long targetOffset, long length) {
        MemorySegment.copy(segment, offset, target, targetOffset, length);
    }

    /** Copies into the block. */
    public void copyFrom(long offset, MemorySegment source, long sourceOffset, long length) {
        MemorySegment.copy(source, sourceOffset, segment, offset, length);
    }

    /** True where the memory is a file's, so that it can be made to outlast a loss of power. */
    public boolean isPersistent() {
        return owner.isMapped() && owner.isAccessibleBy(ANOTHER_THREAD);
    }

    /** Brings bytes of a mapped file to where it is stored; waits for that. @return false where it could not be stored */
    public boolean persist(long offset, long length) {
        try {
            if (length > 0) {
                owner.asSlice(offset, length).force();
            }
            return true;
        } catch (UncheckedIOException | IllegalStateException _) {
            return false; // the second: another thread has closed the arena meanwhile
        }
    }

    /**
     * Writes eight bytes so that nobody sees a part of them. Where the machine address is not a multiple of 8, which the
     * wire address may hide, no processor does that, and the write is a plain one.
     */
    public void setLongAtomically(long offset, long value) {
        if (isNative && (address(offset) & 7) == 0) {
            LONG.setVolatile(segment, offset, value);
        } else {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
        }
    }

    /** One byte. */
    public byte get(long offset) {
        return segment.get(ValueLayout.JAVA_BYTE, offset);
    }
}
