package org.rdma4j.link.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Icrc;

/**
 * Memory for one frame on its way from a link to another. Frames are used again and again, by all networks of the
 * process; one that is never given back is left to the garbage collector.
 */
final class LoopFrame {

    /** Ethernet, IPv6 and UDP headers take 62. */
    private static final int NETWORK_ROOM = 64;

    static final int MAX_PAYLOAD = 4096;

    private static final int SIZE = NETWORK_ROOM + Transmitter.HEADER_ROOM + MAX_PAYLOAD + Icrc.LENGTH;

    private static final int MAX_POOLED = 8192;
    private static final ArrayDeque<LoopFrame> POOL = new ArrayDeque<>();

    final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 8);
    final ByteBuffer view = memory.asByteBuffer();

    /** Bytes from the Ethernet header to the ICRC. */
    int length;

    int bthOffset;

    /** Bytes from BTH to pad. */
    int transportLength;

    LoopRoute route;

    int hopLimit;

    private LoopFrame() {}

    static LoopFrame take() {
        synchronized (POOL) {
            LoopFrame pooled = POOL.pollLast();
            if (pooled != null) {
                return pooled;
            }
        }
        return new LoopFrame();
    }

    /** A frame of the same bytes, on the same way. */
    LoopFrame copy() {
        LoopFrame twin = take();
        MemorySegment.copy(memory, 0, twin.memory, 0, length);
        twin.length = length;
        twin.bthOffset = bthOffset;
        twin.transportLength = transportLength;
        twin.route = route;
        twin.hopLimit = hopLimit;
        return twin;
    }

    /** The frame must not be used any more. */
    void giveBack() {
        route = null;
        synchronized (POOL) {
            if (POOL.size() < MAX_POOLED) {
                POOL.addLast(this);
            }
        }
    }
}
