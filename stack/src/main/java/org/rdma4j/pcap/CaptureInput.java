package org.rdma4j.pcap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.zip.ZipException;

/**
 * The file below a reader: knows where it is, so that every complaint names the byte. It is read in pieces, and what is
 * given out are places in the piece, without a copy. A piece is never written to again where it was read from: frames in
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
    private boolean isLittleEndian;
    private int position;
    private int limit;
    private long offset;

    CaptureInput(String name, InputStream stream) {
        this.name = name;
        this.stream = stream;
    }

    /** How numbers are read from here on; big-endian at first. */
    void order(ByteOrder order) {
        isLittleEndian = order == ByteOrder.LITTLE_ENDIAN;
    }

    /** Bytes taken so far. */
    long offset() {
        return offset;
    }

    /** The next bytes: where they start in {@link #array}, or -1 where the file ends right here. Good until more is asked for. */
    int readOrEnd(int length, String what) {
        int got = take(length);
        return got == 0 && length > 0 ? -1 : whole(got, length, what);
    }

    /** The next bytes, which must be there: where they start in {@link #array}. Good until more is asked for. */
    int read(int length, String what) {
        return whole(take(length), length, what);
    }

    /** Holds the bytes that were read last, and some before and behind them. */
    byte[] array() {
        return piece;
    }

    /** 16 bits of what was read last, unsigned. */
    int uint16(int at) {
        int first = piece[at] & 0xFF;
        int second = piece[at + 1] & 0xFF;
        return isLittleEndian ? second << 8 | first : first << 8 | second;
    }

    int int32(int at) {
        int value = piece[at] << 24 | (piece[at + 1] & 0xFF) << 16 | (piece[at + 2] & 0xFF) << 8 | piece[at + 3] & 0xFF;
        return isLittleEndian ? Integer.reverseBytes(value) : value;
    }

    long uint32(int at) {
        return Integer.toUnsignedLong(int32(at));
    }

    long int64(int at) {
        return isLittleEndian ? (long) int32(at + 4) << 32 | uint32(at) : (long) int32(at) << 32 | uint32(at + 4);
    }

    private int whole(int got, int length, String what) {
        if (got < length) {
            throw damaged(offset, "the file ends within " + what + ": " + got + " of " + length + " bytes");
        }
        return position - length;
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
