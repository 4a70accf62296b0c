package org.rdma4j.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.Marker;
import org.rdma4j.iwarp.wire.TerminateCode;

/**
 * Cuts one direction of a stream into ULPDUs, in place: looks at bytes where they lie in the receive buffer, hands over
 * an ULPDU once its whole FPDU is there and found good, and never copies one. Markers are taken out of it by moving its
 * parts together (RFC 5044, 4 and 6).
 *
 * <pre>{@code
 * while (true) {
 *     switch (reader.next(buffer, at, length)) {
 *         case ULPDU -> place(buffer, reader.ulpduOffset(), reader.ulpduLength());
 *         case INCOMPLETE -> { return; } // come again with these bytes and more behind them
 *         case REFUSED -> { terminate(reader.refusal()); return; }
 *     }
 *     at += reader.consumed();
 *     length -= reader.consumed();
 * }
 * }</pre>
 *
 * Where markers are in use they are looked at as they arrive, before the CRC: a wrong length is found at the next marker
 * and not once all the bytes have come that it promises. The outcome does not depend on how the stream is cut. Nothing
 * here allocates while the buffer stays the same segment.
 */
public final class FpduReader {

    /** What there is at the front of the bytes. */
    public enum Outcome {
        /** Not a whole FPDU yet. */
        INCOMPLETE,
        /** A whole FPDU, and a good one. */
        ULPDU,
        /** Something wrong: the stream cannot go on (RFC 5044, 8). */
        REFUSED
    }

    private final boolean markers;
    private final CRC32C crc; // null where it is not in use
    private final boolean readsOn;

    private int untilMarker;
    private long ulpduOffset;
    private int ulpduLength;
    private int consumed;
    private int needed;
    private boolean crcRight;
    private TerminateCode refusal;

    private MemorySegment viewed;
    private ByteBuffer view;

    /**
     * At the start of full operation, behind the request or reply frame.
     *
     * @param markers this side has asked for markers in what it receives
     * @param crc CRCs are in use; where they are not their place is there, and not looked at
     */
    public FpduReader(boolean markers, boolean crc) {
        this(markers, crc, false);
    }

    private FpduReader(boolean markers, boolean crc, boolean readsOn) {
        this.markers = markers;
        this.crc = crc ? new CRC32C() : null;
        this.readsOn = readsOn;
    }

    /** One that is not a peer and only reads along: it tells of a wrong CRC by {@link #crcRight} and goes on. */
    public static FpduReader onlooker(boolean markers, boolean crc) {
        return new FpduReader(markers, crc, true);
    }

    /**
     * Looks at the next bytes of the stream.
     *
     * @param segment the receive buffer, with room for {@link Fpdu#MAX_MARKED_LENGTH}; the bytes of a whole FPDU may be
     *     moved in it
     * @param at where the bytes start that are not consumed yet
     * @param length how many are there, 0 or more
     */
    public Outcome next(MemorySegment segment, long at, int length) {
        if (refusal != null) {
            return Outcome.REFUSED;
        }
        consumed = 0;
        int front = markers && untilMarker == 0 ? Marker.LENGTH : 0;
        needed = front + Fpdu.HEADER_LENGTH;
        if (length < needed) {
            return Outcome.INCOMPLETE;
        }
        int ulpdu = Fpdu.ulpduLength(segment, at + front);
        int bare = Fpdu.length(ulpdu);
        int markerCount = markers ? Marker.count(untilMarker, bare) : 0;
        int total = bare + markerCount * Marker.LENGTH;
        needed = total;
        if (!markersFit(segment, at, Math.min(length, total), front)) {
            return refuse(TerminateCode.MPA_MARKER);
        }
        if (length < total) {
            return Outcome.INCOMPLETE;
        }
        long trailer = at + total - Fpdu.CRC_LENGTH;
        crcRight = crc == null || crcOf(segment, at, total - Fpdu.CRC_LENGTH) == Fpdu.crc(segment, trailer);
        if (!crcRight && !readsOn) {
            return refuse(TerminateCode.MPA_CRC);
        }
        ulpduOffset = at + front + Fpdu.HEADER_LENGTH;
        ulpduLength = ulpdu;
        consumed = total;
        if (markers) {
            takeMarkersOut(segment, at, total, front);
            untilMarker = markerCount == 0
                    ? untilMarker - total
                    : Marker.INTERVAL - (total - untilMarker - (markerCount - 1) * Marker.INTERVAL);
        }
        return Outcome.ULPDU;
    }

    /** Whether each marker that is there tells how far the FPDU's start lies in front of it (RFC 5044, 4.3). */
    private boolean markersFit(MemorySegment segment, long at, int length, int front) {
        if (!markers) {
            return true;
        }
        for (int position = untilMarker; position + Marker.LENGTH <= length; position += Marker.INTERVAL) {
            int distance = Math.max(0, position - front) & Marker.POINTER_MASK;
            if (Marker.fpduPointer(segment, at + position) != distance) {
                return false;
            }
        }
        return true;
    }

    private int crcOf(MemorySegment segment, long at, int length) {
        if (!segment.equals(viewed)) {
            viewed = segment;
            view = segment.asByteBuffer();
        }
        view.limit((int) at + length).position((int) at);
        crc.reset();
        crc.update(view);
        return (int) crc.getValue();
    }

    /** Moves what lies behind each marker down to where the marker is. */
    private void takeMarkersOut(MemorySegment segment, long at, int total, int front) {
        int to = front == 0 ? untilMarker : Marker.INTERVAL;
        for (int marker = to; marker < total; marker += Marker.INTERVAL) {
            int from = marker + Marker.LENGTH;
            int run = Math.min(total - from, Marker.STRIDE);
            MemorySegment.copy(segment, at + from, segment, at + to, run);
            to += run;
        }
    }

    private Outcome refuse(TerminateCode code) {
        refusal = code;
        return Outcome.REFUSED;
    }

    /** Where the ULPDU starts in the buffer, after {@link Outcome#ULPDU}. */
    public long ulpduOffset() {
        return ulpduOffset;
    }

    /** Bytes of the ULPDU, 0 to 65,535: a DDP segment, or nothing at all. */
    public int ulpduLength() {
        return ulpduLength;
    }

    /** Bytes that its FPDU took from the front of the stream. */
    public int consumed() {
        return consumed;
    }

    /** False where the FPDU's CRC is in use and wrong. */
    public boolean crcRight() {
        return crcRight;
    }

    /** After {@link Outcome#INCOMPLETE}: how many bytes have to be there before more can be said. */
    public int needed() {
        return needed;
    }

    /** What a Terminate tells of it, after {@link Outcome#REFUSED}; {@code null} before. */
    public TerminateCode refusal() {
        return refusal;
    }
}
