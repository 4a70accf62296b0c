package org.rdma4j.rocev2.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rdma4j.rocev2.syscall.LibC;
import org.rdma4j.rocev2.syscall.SocketOption;
import org.rdma4j.rocev2.syscall.TpacketReq;

/** The shape of a ring: blocks of memory, each of as many slots as fit, each slot of one frame. */
final class Ring {

    private static final int PAGE = 4096;
    private static final int SMALLEST_BLOCK = 1 << 16;
    private static final int ALIGNMENT = 16;

    private final int blockSize;
    private final int blocks;
    private final int slotSize;
    private final int slotsPerBlock;

    /**
     * @param slotSize bytes of a slot at least
     * @param bytes of the ring at most, but for a single block
     */
    Ring(int slotSize, int bytes) {
        this.slotSize = slotSize + ALIGNMENT - 1 & -ALIGNMENT;
        this.blockSize = Math.max(SMALLEST_BLOCK, this.slotSize + PAGE - 1 & -PAGE);
        this.blocks = Math.max(1, bytes / blockSize);
        this.slotsPerBlock = blockSize / this.slotSize;
    }

    int slots() {
        return blocks * slotsPerBlock;
    }

    long bytes() {
        return (long) blocks * blockSize;
    }

    /** Where each slot starts, in a ring that starts at {@code start}. */
    int[] offsets(int start) {
        int[] offsets = new int[slots()];
        for (int slot = 0; slot < offsets.length; slot++) {
            offsets[slot] = start + slot / slotsPerBlock * blockSize + slot % slotsPerBlock * slotSize;
        }
        return offsets;
    }

    /** Asks the kernel for it. Returns 0 or the negative errno. */
    int request(LibC libc, int fd, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(TpacketReq.SIZE, 8);
            TpacketReq.set(request, blockSize, blocks, slotSize, slots());
            return libc.setsockopt(fd, SocketOption.SOL_PACKET, option, request.address(), TpacketReq.SIZE);
        }
    }
}
