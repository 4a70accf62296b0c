package org.rdma4j.tools.conform.iwarp;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;

/**
 * The peer's MPA request or reply.
 *
 * @param data IRD, ORD and the rest; {@code null} where it has none
 * @param privateData all bytes behind the header, IRD and ORD among them
 */
public record Hello(MpaFrame frame, EnhancedData data, MemorySegment privateData) {

    /** Reads one from the front of bytes. @return {@code null} where it is not whole */
    static Hello of(byte[] bytes) {
        if (bytes.length < MpaFrame.LENGTH) {
            return null;
        }
        MemorySegment segment = MemorySegment.ofArray(bytes);
        MpaFrame frame = MpaFrame.parse(segment, 0);
        if (bytes.length < MpaFrame.LENGTH + frame.privateDataLength()) {
            return null;
        }
        boolean enhanced = frame.enhanced() && frame.privateDataLength() >= EnhancedData.LENGTH;
        return new Hello(
                frame,
                enhanced ? EnhancedData.parse(segment, MpaFrame.LENGTH) : null,
                segment.asSlice(MpaFrame.LENGTH, frame.privateDataLength()));
    }

    int length() {
        return MpaFrame.LENGTH + (int) privateData.byteSize();
    }
}
