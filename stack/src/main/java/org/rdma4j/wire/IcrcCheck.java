package org.rdma4j.wire;

import java.util.zip.CRC32;

/**
 * Checks the ICRCs of one frame after the other; for a reader of captures, who has millions of them. Not for several
 * threads. A run of CRC-32 costs most for the bytes before and behind its multiples of 16, and twice as much where there
 * are two: so a short packet is copied behind its prefix, and of a long one the start, up to where 16 divides.
 */
public final class IcrcCheck {

    /** Bytes of a packet that are cheaper copied than run over on their own. */
    private static final int TOGETHER = 512;

    private static final int ALIGNMENT = 16;

    private final byte[] masked = new byte[Icrc.LONGEST_PREFIX + TOGETHER];
    private final CRC32 crc = new CRC32();

    public IcrcCheck() {}

    /** Whether a frame has the ICRC that {@link Icrc#of(RoceFrame)} says. */
    public boolean isRight(RoceFrame frame) {
        FrameBytes bytes = frame.bytes();
        long bth = frame.bthOffset();
        int length = frame.transportLength();
        int together = length;
        if (length > TOGETHER) {
            together = TOGETHER - (int) (bytes.address(bth + TOGETHER) & (ALIGNMENT - 1));
        }
        int prefix = Icrc.writePrefix(frame, masked);
        bytes.copy(bth, masked, prefix, together);
        masked[prefix + Bth.CONGESTION_OFFSET] = (byte) 0xFF;
        crc.reset();
        crc.update(masked, 0, prefix + together);
        if (together < length) {
            bytes.update(crc, bth + together, length - together);
        }
        return (int) crc.getValue() == frame.icrc();
    }
}
