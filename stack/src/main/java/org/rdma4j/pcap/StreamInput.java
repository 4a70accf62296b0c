package org.rdma4j.pcap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.ZipException;

/** What comes by a stream: packed files, pipes. */
final class StreamInput extends CaptureInput {

    private static final int FIRST_PIECE = 1 << 12;
    private static final int PIECE = 1 << 18;

    private final InputStream stream;
    private byte[] piece = new byte[FIRST_PIECE];

    StreamInput(String name, InputStream stream) {
        super(name);
        this.stream = stream;
        piece(MemorySegment.ofArray(piece), ByteBuffer.wrap(piece), 0);
    }

    /** What a record merely says that it has is not allocated at once. */
    @Override
    void fill(int length) throws IOException {
        try {
            while (rest() < length) {
                if (limit() == piece.length) {
                    nextPiece();
                }
                int got = stream.read(piece, limit(), piece.length - limit());
                if (got <= 0) {
                    return;
                }
                grow(got);
            }
        } catch (EOFException | ZipException e) {
            throw new CaptureException(name(), offset(), "the compressed data is damaged or breaks off", e);
        }
    }

    /** A file that fills its piece is a large one, a record that does is a long one. */
    private void nextPiece() {
        int rest = rest();
        byte[] next = new byte[Math.max(Math.min(2 * piece.length, PIECE), 2 * rest)];
        System.arraycopy(piece, limit() - rest, next, 0, rest);
        piece = next;
        piece(MemorySegment.ofArray(next), ByteBuffer.wrap(next), rest);
    }
}
