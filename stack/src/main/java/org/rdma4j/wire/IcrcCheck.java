package org.rdma4j.wire;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/** Checks the ICRCs of one frame after the other; for a reader of captures, who has millions of them. Not for several threads. */
public final class IcrcCheck {

    private final byte[] masked = new byte[Icrc.LONGEST_PREFIX + Bth.CONGESTION_OFFSET + 1];
    private final MemorySegment maskedSegment = MemorySegment.ofArray(masked);
    private final CRC32 crc = new CRC32();

    public IcrcCheck() {}

    /** Whether a frame has the ICRC that {@link Icrc#of(RoceFrame)} says. */
    public boolean isRight(RoceFrame frame) {
        MemorySegment segment = frame.segment();
        int length = Icrc.writePrefix(frame, maskedSegment);
        MemorySegment.copy(segment, frame.bthOffset(), maskedSegment, length, Bth.CONGESTION_OFFSET);
        length += Bth.CONGESTION_OFFSET;
        masked[length++] = (byte) 0xFF;
        crc.reset();
        crc.update(masked, 0, length);
        long behind = frame.bthOffset() + Bth.CONGESTION_OFFSET + 1;
        int rest = frame.transportLength() - Bth.CONGESTION_OFFSET - 1;
        if (segment.heapBase().orElse(null) instanceof byte[] bytes) {
            crc.update(bytes, (int) (segment.address() + behind), rest);
        } else {
            crc.update(segment.asSlice(behind, rest).asByteBuffer());
        }
        return (int) crc.getValue() == frame.icrc();
    }
}
