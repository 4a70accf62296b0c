package org.rdma4j.pcap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.ZipException;

/**
 * The file below a reader: knows where it is, so that every complaint names the byte. It is read in pieces, and what is
 * given out are windows on the piece, without a copy. A piece is never written to again where it was read from: views of
 * it stay good as long as somebody has them.
 */
final class CaptureInput {

    /** No frame, block or record is longer than this; one that says so is damage. */
    static final int LONGEST = 16 << 20;

    private static final int FIRST_PIECE = 1 << 12;
    private static final int PIECE = 1 << 18;

    private final String name;
    private final InputStream stream;
    private byte[] piece = new byte[FIRST_PIECE];
    private MemorySegment segment = MemorySegment.ofArray(piece);
    private ByteBuffer window = ByteBuffer.wrap(piece);
    private int position;
    private int limit;
    private long offset;

    CaptureInput(String name, InputStream stream) {
        this.name = name;
        this.stream = stream;
    }

    /** Bytes taken so far. */
    long offset() {
        return offset;
    }

    /** The next bytes, or null where the file ends right here. The window is good until more is asked for. */
    ByteBuffer readOrEnd(int length, ByteOrder order, String what) {
        int got = take(length);
        return got == 0 && length > 0 ? null : whole(got, length, order, what);
    }

    /** The next bytes, which must be there. The window is good until more is asked for. */
    ByteBuffer read(int length, ByteOrder order, String what) {
        return whole(take(length), length, order, what);
    }

    /** A view of bytes within the window that was given out last: it stays good. */
    MemorySegment view(int from, int length) {
        return segment.asSlice(from, length);
    }

    private ByteBuffer whole(int got, int length, ByteOrder order, String what) {
        if (got < length) {
            throw damaged(offset, "the file ends within " + what + ": " + got + " of " + length + " bytes");
        }
        return window.limit(position).position(position - length).order(order);
    }

    private int take(int length) {
        if (limit - position < length) {
            fill(length);
        }
        int got = Math.min(length, limit - position);
        position += got;
        offset += got;
        return got;
    }

    /** Reads on until the bytes are there, or the end; what a record merely says that it has is not allocated at once. */
    private void fill(int length) {
        try {
            while (limit - position < length) {
                if (limit == piece.length) {
                    nextPiece();
                }
                int got = stream.read(piece, limit, piece.length - limit);
                if (got <= 0) {
                    return;
                }
                limit += got;
            }
        } catch (EOFException | ZipException e) {
            throw new CaptureException(name, offset, "the compressed data is damaged or breaks off", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file that fills its piece is a large one, a record that does is a long one. */
    private void nextPiece() {
        int rest = limit - position;
        byte[] next = new byte[Math.max(Math.min(2 * piece.length, PIECE), 2 * rest)];
        System.arraycopy(piece, position, next, 0, rest);
        piece = next;
        segment = MemorySegment.ofArray(next);
        window = ByteBuffer.wrap(next);
        position = 0;
        limit = rest;
    }

    CaptureException damaged(long at, String problem) {
        return new CaptureException(name, at, problem, null);
    }

    CaptureException passable(long at, String problem) {
        return new CaptureException(name, at, problem, true, null);
    }
}
