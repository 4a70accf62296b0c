package org.rdma4j.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The file below a reader: knows where it is, so that every complaint names the byte. It is looked at in pieces, and what
 * is given out are windows on the piece, without a copy. A piece is never written to again where it was read from: views
 * of it stay good as long as somebody has them.
 */
abstract sealed class CaptureInput permits MappedInput, StreamInput {

    /** No frame, block or record is longer than this; one that says so is damage. */
    static final int LONGEST = 16 << 20;

    private final String name;
    private MemorySegment segment = MemorySegment.NULL;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private int position;
    private int limit;
    private long offset;

    CaptureInput(String name) {
        this.name = name;
    }

    /**
     * Brings so many bytes behind {@link #offset()} into the piece, or as many as there are.
     *
     * @throws IOException where they cannot be read
     */
    abstract void fill(int length) throws IOException;

    /** Goes on with this piece, whose first byte is the one at {@link #offset()}. */
    final void piece(MemorySegment bytes, ByteBuffer view, int length) {
        segment = bytes;
        window = view;
        position = 0;
        limit = length;
    }

    /** More bytes have come behind those that are there. */
    final void grow(int length) {
        limit += length;
    }

    /** Bytes of the piece that were not taken yet. */
    final int rest() {
        return limit - position;
    }

    /** The end of what is in the piece. */
    final int limit() {
        return limit;
    }

    final String name() {
        return name;
    }

    /** Bytes taken so far. */
    final long offset() {
        return offset;
    }

    /** The next bytes, or null where the file ends right here. The window is good until more is asked for. */
    final ByteBuffer readOrEnd(int length, ByteOrder order, String what) {
        int got = take(length);
        return got == 0 && length > 0 ? null : whole(got, length, order, what);
    }

    /** The next bytes, which must be there. The window is good until more is asked for. */
    final ByteBuffer read(int length, ByteOrder order, String what) {
        return whole(take(length), length, order, what);
    }

    /** A view of bytes within the window that was given out last: it stays good. */
    final MemorySegment view(int from, int length) {
        return segment.asSlice(from, length);
    }

    private ByteBuffer whole(int got, int length, ByteOrder order, String what) {
        if (got < length) {
            throw damaged(offset, "the file ends within " + what + ": " + got + " of " + length + " bytes");
        }
        return window.limit(position).position(position - length).order(order);
    }

    private int take(int length) {
        if (rest() < length) {
            try {
                fill(length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        int got = Math.min(length, rest());
        position += got;
        offset += got;
        return got;
    }

    final CaptureException damaged(long at, String problem) {
        return new CaptureException(name, at, problem, null);
    }

    final CaptureException passable(long at, String problem) {
        return new CaptureException(name, at, problem, true, null);
    }
}
