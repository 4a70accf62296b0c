package org.rdma4j.pcap;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A frame out of a capture file. Its bytes stay where they were read to, in an array that holds others too; nobody writes
 * there any more.
 */
public final class CapturedPacket {

    private final long timestamp;
    private final int interfaceIndex;
    private final int linkType;
    private final long originalLength;
    private final byte[] array;
    private final int offset;
    private final int length;
    private final List<String> comments;

    /** As the methods say; the bytes that were kept are {@code length} of the array's from {@code offset} on. */
    public CapturedPacket(
            long timestamp,
            int interfaceIndex,
            int linkType,
            long originalLength,
            byte[] array,
            int offset,
            int length,
            List<String> comments) {
        this.timestamp = timestamp;
        this.interfaceIndex = interfaceIndex;
        this.linkType = linkType;
        this.originalLength = originalLength;
        this.array = array;
        this.offset = offset;
        this.length = length;
        this.comments = comments;
    }

    /** Nanoseconds since 1970; 0 where the file has none. */
    public long timestamp() {
        return timestamp;
    }

    /** Which of the file's interfaces saw it, from 0 on over all sections; always 0 in pcap. */
    public int interfaceIndex() {
        return interfaceIndex;
    }

    /** What it starts with, see {@link LinkType}. */
    public int linkType() {
        return linkType;
    }

    /** Bytes on the wire; more than there are here where the capture cut it short. */
    public long originalLength() {
        return originalLength;
    }

    /** The array that holds the bytes that were kept. */
    public byte[] array() {
        return array;
    }

    /** Where in it they start. */
    public int offset() {
        return offset;
    }

    /** How many were kept. */
    public int length() {
        return length;
    }

    /** The bytes that were kept, alone in their segment. */
    public MemorySegment bytes() {
        return MemorySegment.ofArray(array).asSlice(offset, length);
    }

    /** True where the capture kept only the start. */
    public boolean cutShort() {
        return length < originalLength;
    }

    /** What people or tools noted on it. */
    public List<String> comments() {
        return comments;
    }
}
