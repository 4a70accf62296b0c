package org.rdma4j.tools.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** The buffer that all messages of a game are sent from and received in, and what {@code -c} finds in it. */
final class Pages implements AutoCloseable {

    /** What the memory of most pingpongs holds before they write to it. */
    static final byte FILL = 0x7B;

    /** What that of ibv_srq_pingpong does. */
    static final byte SRQ_FILL = 0;

    private static final byte UNWRITTEN = 0x7B;
    private static final int PAGE = 4096;

    private final long start;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer;
    private final byte fill;

    /**
     * @param headroom bytes in front of a message where it is received
     * @param fill what stands between the bytes that the client writes
     */
    Pages(long bytes, int headroom, byte fill) {
        start = headroom;
        this.fill = fill;
        buffer = arena.allocate(headroom + bytes, PAGE).fill(UNWRITTEN);
    }

    MemorySegment memory() {
        return buffer;
    }

    /** The first byte of each page: what rdma-core's pingpongs write there is always 0. */
    void write() {
        buffer.fill(fill);
        for (long at = start; at < buffer.byteSize(); at += PAGE) {
            buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
    }

    /** @throws ToolException where a byte is not what the client wrote */
    void check() {
        for (long at = start; at < buffer.byteSize(); at++) {
            int expected = (at - start) % PAGE == 0 ? 0 : fill;
            int found = buffer.get(ValueLayout.JAVA_BYTE, at);
            if (found != expected) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        String.format(
                                "invalid data in page %d: byte %d is 0x%02x, not 0x%02x (was the client started with -c?)",
                                (at - start) / PAGE, at - start, found & 0xFF, expected));
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
