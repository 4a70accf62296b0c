package org.rdma4j.tools.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.verbs.MemoryRegion;
import org.rdma4j.verbs.ProtectionDomain;

/**
 * The memory of one end of rping: two messages of 16 bytes, one in, one out, and two buffers that the server reads from
 * and writes to.
 *
 * <p>A message says where a buffer is: address (8 bytes), R_Key (4) and size (4), big-endian.
 */
final class RpingBuffers implements AutoCloseable {

    static final int MESSAGE = 16;

    private static final int IN = 0;
    private static final int OUT = MESSAGE;
    private static final int FIRST_BUFFER = 64;
    private static final int FIRST_LETTER = 'A';
    private static final int LAST_LETTER = 'z';

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Arena arena = Arena.ofShared();
    private final int size;
    private final MemorySegment memory;
    private final MemoryRegion region;

    RpingBuffers(ProtectionDomain pd, int size) {
        this.size = size;
        memory = arena.allocate(FIRST_BUFFER + 2L * size, 64);
        region = pd.register(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);
    }

    MemoryRegion region() {
        return region;
    }

    long in() {
        return IN;
    }

    long out() {
        return OUT;
    }

    /** Where what is sent begins. */
    long source() {
        return FIRST_BUFFER;
    }

    /** Where what comes back begins. */
    long sink() {
        return FIRST_BUFFER + (long) size;
    }

    /** Says in the outgoing message where a buffer is. */
    void advertise(long buffer) {
        memory.set(LONG, OUT, region.address() + buffer);
        memory.set(INT, OUT + 8, region.rKey());
        memory.set(INT, OUT + 12, size);
    }

    long peerAddress() {
        return memory.get(LONG, IN);
    }

    int peerKey() {
        return memory.get(INT, IN + 8);
    }

    /** Unsigned: what the peer says, not what is true. */
    long peerSize() {
        return Integer.toUnsignedLong(memory.get(INT, IN + 12));
    }

    /** Writes the text of one ping: its number, then letters that begin with another one each time. */
    void write(int ping) {
        byte[] text = new byte[size];
        byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        int letters = LAST_LETTER - FIRST_LETTER + 1;
        for (int at = 0; at < size - 1; at++) {
            text[at] =
                    at < head.length ? head[at] : (byte) (FIRST_LETTER + (ping % letters + at - head.length) % letters);
        }
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, source(), size);
    }

    /** The text in a buffer, up to its zero. */
    String text(long buffer, int length) {
        byte[] bytes = memory.asSlice(buffer, length).toArray(ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    }

    /** The first byte in which what came back differs from what was sent, -1: none. */
    long difference() {
        return memory.asSlice(source(), size).mismatch(memory.asSlice(sink(), size));
    }

    @Override
    public void close() {
        region.close();
        arena.close();
    }
}
