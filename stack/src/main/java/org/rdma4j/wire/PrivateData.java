package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What applications tell each other in a message of connection management. On the wire its field has a fixed size and is
 * filled up with zeros; how much of it was meant is for the applications to know.
 */
public final class PrivateData {

    /** None. */
    public static final PrivateData EMPTY = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    public static PrivateData of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new PrivateData(bytes.clone());
    }

    /** The bytes of a text in UTF-8. */
    public static PrivateData of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static PrivateData parse(MemorySegment segment, long offset, int length) {
        return new PrivateData(segment.asSlice(offset, length).toArray(NetworkOrder.BYTE));
    }

    public int length() {
        return bytes.length;
    }

    public byte[] toBytes() {
        return bytes.clone();
    }

    /** Its bytes from {@code from} on. */
    public PrivateData from(int from) {
        return of(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    /** Without the zeros at its end, which may be fill or may be meant. */
    public PrivateData withoutFill() {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return of(Arrays.copyOf(bytes, length));
    }

    /**
     * Writes it into a field of {@code room} bytes, zeros behind it.
     *
     * @throws IllegalArgumentException where it does not fit
     */
    void emit(MemorySegment segment, long offset, int room) {
        if (bytes.length > room) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes of private data, the message has room for " + room);
        }
        MemorySegment field = segment.asSlice(offset, room);
        MemorySegment.copy(bytes, 0, field, NetworkOrder.BYTE, 0, bytes.length);
        field.asSlice(bytes.length).fill((byte) 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** In hexadecimal, the fill cut off. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(withoutFill().bytes);
    }
}
