package org.rdma4j.rocev2.syscall;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** {@code struct tpacket_req}: the shape of a ring. */
public final class TpacketReq {

    public static final int BLOCK_SIZE = 0;
    public static final int BLOCK_NR = 4;
    public static final int FRAME_SIZE = 8;
    public static final int FRAME_NR = 12;
    public static final int SIZE = 16;

    private TpacketReq() {}

    public static void set(MemorySegment request, int blockSize, int blocks, int frameSize, int frames) {
        request.set(JAVA_INT, BLOCK_SIZE, blockSize);
        request.set(JAVA_INT, BLOCK_NR, blocks);
        request.set(JAVA_INT, FRAME_SIZE, frameSize);
        request.set(JAVA_INT, FRAME_NR, frames);
    }
}
