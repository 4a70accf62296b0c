package org.rdma4j.pcap;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A frame out of a capture file.
 *
 * @param timestamp nanoseconds since 1970; 0 where the file has none
 * @param interfaceIndex which of the file's interfaces saw it, from 0 on over all sections; always 0 in pcap
 * @param linkType what it starts with, see {@link LinkType}
 * @param originalLength bytes on the wire; more than there are here where the capture cut it short
 * @param bytes the bytes that were kept, alone in their segment
 * @param comments what people or tools noted on it
 */
public record CapturedPacket(
        long timestamp,
        int interfaceIndex,
        int linkType,
        long originalLength,
        MemorySegment bytes,
        List<String> comments) {

    /** Bytes that were kept. */
    public int length() {
        return (int) bytes.byteSize();
    }

    /** True where the capture kept only the start. */
    public boolean cutShort() {
        return length() < originalLength;
    }
}
