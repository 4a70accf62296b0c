package org.rdma4j.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import org.rdma4j.iwarp.wire.EnhancedData;
import org.rdma4j.iwarp.wire.MpaFrame;

/**
 * Gathers one request or reply frame out of chunks of any size. What is wrong is said as soon as the byte is there that
 * shows it, so nobody waits for bytes that a stranger never sends.
 */
final class MpaFrameReader {

    private final boolean request;
    private final int maxRevision;
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[MpaFrame.MAX_LENGTH]);
    private int count;
    private MpaFrame frame;
    private MpaRefusal refusal;

    /**
     * @param request a request is due, else a reply
     * @param maxRevision the highest revision that is spoken
     */
    MpaFrameReader(boolean request, int maxRevision) {
        this.request = request;
        this.maxRevision = maxRevision;
    }

    /** Takes bytes up to the end of the frame. @return how many */
    int feed(MemorySegment segment, long at, int length) {
        int taken = 0;
        while (taken < length && refusal == null && !isComplete()) {
            int part = Math.min(length - taken, wanted() - count);
            MemorySegment.copy(segment, at + taken, bytes, count, part);
            taken += part;
            count += part;
            look();
        }
        return taken;
    }

    /** Bytes of the frame, as far as that is known. */
    private int wanted() {
        return frame == null ? MpaFrame.LENGTH : MpaFrame.LENGTH + frame.privateDataLength();
    }

    private void look() {
        if (!MpaFrame.startsWithKey(bytes, 0, count, request)) {
            if (request || !MpaFrame.startsWithKey(bytes, 0, count, true)) {
                refusal = MpaRefusal.NOT_MPA;
            } else if (count >= MpaFrame.KEY_LENGTH) {
                refusal = MpaRefusal.TWO_REQUESTS;
            }
            return;
        }
        if (frame != null || count < MpaFrame.LENGTH) {
            return;
        }
        frame = MpaFrame.parse(bytes, 0);
        if (frame.revision() < 1 || frame.revision() > maxRevision) {
            refusal = MpaRefusal.REVISION;
        } else if (frame.privateDataLength() > MpaFrame.MAX_PRIVATE_DATA) {
            refusal = MpaRefusal.PRIVATE_DATA_TOO_LONG;
        }
    }

    /** The whole frame is there, private data and all. */
    boolean isComplete() {
        return frame != null && refusal == null && count == wanted();
    }

    /** What is wrong with it, or {@code null}. */
    MpaRefusal refusal() {
        return refusal;
    }

    MpaFrame frame() {
        return frame;
    }

    /** True where the S flag counts: it is a reserved bit in revision 1 (RFC 6581, 6). */
    boolean isEnhanced() {
        return frame.revision() > 1 && frame.enhanced();
    }

    /** True where the S flag is set and the private data is long enough for what it promises. */
    boolean hasEnhancedData() {
        return isEnhanced() && frame.privateDataLength() >= EnhancedData.LENGTH;
    }

    EnhancedData enhancedData() {
        return EnhancedData.parse(bytes, MpaFrame.LENGTH);
    }

    /** The application's part of the private data. */
    MemorySegment privateData() {
        int start = MpaFrame.LENGTH + (hasEnhancedData() ? EnhancedData.LENGTH : 0);
        return bytes.asSlice(start, count - start).asReadOnly();
    }
}
