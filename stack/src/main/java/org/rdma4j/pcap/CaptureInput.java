package org.rdma4j.pcap;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.ZipException;

/** The file below a reader: knows where it is, so that every complaint names the byte. */
final class CaptureInput {

    /** No frame, block or record is longer than this; one that says so is damage. */
    static final int LONGEST = 16 << 20;

    private static final int FIRST_BUFFER = 1 << 12;
    private static final int LARGEST_BUFFER = 1 << 18;

    private final String name;
    private final InputStream stream;
    private byte[] buffer = new byte[FIRST_BUFFER];
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

    /** The next bytes, or null where the file ends right here. */
    ByteBuffer readOrEnd(int length, ByteOrder order, String what) {
        byte[] bytes = take(length);
        if (bytes.length == 0 && length > 0) {
            return null;
        }
        return whole(bytes, length, order, what);
    }

    /** The next bytes, which must be there. */
    ByteBuffer read(int length, ByteOrder order, String what) {
        return whole(take(length), length, order, what);
    }

    private ByteBuffer whole(byte[] bytes, int length, ByteOrder order, String what) {
        if (bytes.length < length) {
            throw damaged(offset, "the file ends within " + what + ": " + bytes.length + " of " + length + " bytes");
        }
        return ByteBuffer.wrap(bytes).order(order);
    }

    private byte[] take(int length) {
        try {
            byte[] bytes = limit - position >= length ? buffered(length) : filled(length);
            offset += bytes.length;
            return bytes;
        } catch (EOFException | ZipException e) {
            throw new CaptureException(name, offset, "the compressed data is damaged or breaks off", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] buffered(int length) {
        byte[] bytes = Arrays.copyOfRange(buffer, position, position + length);
        position += length;
        return bytes;
    }

    /** Reads on until the bytes are there, or the end; what a record merely says that it has is not allocated at once. */
    private byte[] filled(int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.min(length, FIRST_BUFFER));
        while (bytes.size() < length) {
            if (position == limit) {
                // A file that fills it is a large one.
                if (limit == buffer.length && limit < LARGEST_BUFFER) {
                    buffer = new byte[2 * limit];
                }
                position = 0;
                limit = Math.max(0, stream.read(buffer, 0, buffer.length));
                if (limit == 0) {
                    break;
                }
            }
            int part = Math.min(limit - position, length - bytes.size());
            bytes.write(buffer, position, part);
            position += part;
        }
        return bytes.toByteArray();
    }

    CaptureException damaged(long at, String problem) {
        return new CaptureException(name, at, problem, null);
    }

    CaptureException passable(long at, String problem) {
        return new CaptureException(name, at, problem, true, null);
    }
}
