package org.rdma4j.tools.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** The buffer that all messages of a game are sent from and received in, and what {@code -c} finds in it. */
final class Pages implements AutoCloseable {

    private static final byte FILL = 0x7B;
    private static final int PAGE = 4096;

    private final long start;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer;

    /** @param headroom bytes in front of a message where it is received */
    Pages(long bytes, int headroom) {
        start = headroom;
        buffer = arena.allocate(headroom + bytes, PAGE).fill(FILL);
    }

    MemorySegment memory() {
        return buffer;
    }

    /** The first byte of each page: what rdma-core's pingpongs write there is always 0. */
    void write() {
        for (long at = start; at < buffer.byteSize(); at += PAGE) {
            buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
    }

    /** @throws ToolException where a byte is not what the client wrote */
    void check() {
        for (long at = start; at < buffer.byteSize(); at++) {
            int expected = (at - start) % PAGE == 0 ? 0 : FILL;
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
