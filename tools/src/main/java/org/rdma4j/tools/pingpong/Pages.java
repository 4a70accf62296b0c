package org.rdma4j.tools.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rdma4j.tools.ExitStatus;
import org.rdma4j.tools.ToolException;

/** The buffer that all messages of a game are sent from and received in, and what {@code -c} finds in it. */
final class Pages implements AutoCloseable {

    /** What ibv_rc_pingpong's memory holds before it writes to it. */
    static final byte RC_FILL = 0x7B;

    /** What ibv_srq_pingpong's does. */
    static final byte SRQ_FILL = 0;

    private static final byte UNWRITTEN = 0x7B;
    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer;
    private final byte fill;

    /** @param fill what stands between the bytes that the client writes */
    Pages(long bytes, byte fill) {
        this.fill = fill;
        buffer = arena.allocate(bytes, PAGE).fill(UNWRITTEN);
    }

    MemorySegment memory() {
        return buffer;
    }

    /** The first byte of each page: what rdma-core's pingpongs write there is always 0. */
    void write() {
        buffer.fill(fill);
        for (long at = 0; at < buffer.byteSize(); at += PAGE) {
            buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
    }

    /** @throws ToolException where a byte is not what the client wrote */
    void check() {
        for (long at = 0; at < buffer.byteSize(); at++) {
            int expected = at % PAGE == 0 ? 0 : fill;
            int found = buffer.get(ValueLayout.JAVA_BYTE, at);
            if (found != expected) {
                throw new ToolException(
                        ExitStatus.FAILED,
                        String.format(
                                "invalid data in page %d: byte %d is 0x%02x, not 0x%02x (was the client started with -c?)",
                                at / PAGE, at, found & 0xFF, expected));
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
