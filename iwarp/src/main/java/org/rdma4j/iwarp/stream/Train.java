package org.rdma4j.iwarp.stream;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.rdma4j.iwarp.wire.Fpdu;
import org.rdma4j.iwarp.wire.Marker;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.PieceSink;

/**
 * The FPDUs of one write: headers, pads and CRCs in a scratch of its own, long payloads where they lie in registered
 * memory. One train serves all connections of a device, one after the other: what TCP does not take of it is made again
 * for the next write, from the same work requests, and the bytes that were taken are skipped. So nothing is kept for a
 * connection that waits for its peer.
 *
 * <p>Nothing here allocates once the pieces' views are made.
 */
public final class Train implements PieceSink {

    /** Payload below this is copied behind its header: one piece less for a call costs about as much as 2 KB of copy. */
    static final int COPY_BELOW = 2048;

    private static final int MOST_PIECES = 256;
    private static final int SCRATCH = 256 << 10;

    /** The longest FPDU with markers, headers and all. */
    private static final int LONGEST = Fpdu.MAX_LENGTH + Fpdu.MAX_LENGTH / Marker.STRIDE * Marker.LENGTH + 64;

    private final ByteBuffer scratchBuffer = ByteBuffer.allocateDirect(SCRATCH);
    private final MemorySegment scratch = MemorySegment.ofBuffer(scratchBuffer);
    private final ByteBuffer crcView = scratchBuffer.duplicate();
    private final ByteBuffer[] pieces = new ByteBuffer[MOST_PIECES];
    private final ByteBuffer[] scratchViews = new ByteBuffer[MOST_PIECES];
    private final CRC32C crc = new CRC32C();
    private MemorySegment unmarked; // where FPDUs are put together that get markers; made with the first one

    private boolean withCrc;
    private boolean withMarkers;
    private long position; // of the next byte in the stream of FPDUs, for markers
    private int count;
    private int gathered;
    private int used; // of the scratch
    private int pieceStart; // of the scratch's piece that is being written
    private long length;
    private int fpduStart;
    private int ulpduLength;
    private int firstPiece; // that has bytes left

    /**
     * Starts anew.
     *
     * @param position in the peer's view of the stream of FPDUs, where the first one starts: markers count from there
     */
    public void reset(boolean withCrc, boolean withMarkers, long position) {
        this.withCrc = withCrc;
        this.withMarkers = withMarkers;
        this.position = position;
        count = 0;
        gathered = 0;
        used = 0;
        pieceStart = 0;
        length = 0;
    }

    /** Bytes so far. */
    public long length() {
        return length;
    }

    /** Where the next FPDU starts in the stream of FPDUs. */
    public long position() {
        return position;
    }

    /** True where an FPDU of any length still fits. */
    public boolean hasRoom() {
        return count + 34 < MOST_PIECES && used + LONGEST <= SCRATCH;
    }

    /** Appends bytes that are no FPDU: a frame of connection setup. */
    public void append(MemorySegment source, long offset, int bytes) {
        MemorySegment.copy(source, offset, scratch, used, bytes);
        used += bytes;
        length += bytes;
    }

    /**
     * Begins a FPDU.
     *
     * @param ulpdu bytes of its ULPDU: header and payload
     * @param header bytes of the ULPDU's header, which the caller writes into {@link #headers} at the returned offset
     */
    public long begin(int ulpdu, int header) {
        ulpduLength = ulpdu;
        fpduStart = used;
        crc.reset();
        Fpdu.setUlpduLength(scratch, used, ulpdu);
        used += Fpdu.HEADER_LENGTH + header;
        return (long) fpduStart + Fpdu.HEADER_LENGTH;
    }

    /** Where headers are written. */
    public MemorySegment headers() {
        return scratch;
    }

    /** Appends payload to the FPDU; the caller has checked the memory. */
    @Override
    public void gather(MemoryBlock block, long offset, int bytes) {
        if (bytes < COPY_BELOW || withMarkers) {
            block.copyTo(offset, scratch, used, bytes);
            used += bytes;
            return;
        }
        if (withCrc) {
            crcOfScratch();
        }
        closePiece();
        ByteBuffer view = block.view(gathered++, offset, bytes);
        if (withCrc) {
            crc.update(view);
            view.position(view.limit() - bytes);
        }
        pieces[count++] = view;
        fpduStart = used;
    }

    /** Ends the FPDU: pad and CRC. */
    public void end() {
        for (int pad = Fpdu.pad(ulpduLength); pad > 0; pad--) {
            scratchBuffer.put(used++, (byte) 0);
        }
        if (withMarkers) {
            insertMarkers();
            return;
        }
        int sum = 0;
        if (withCrc) {
            crcOfScratch();
            sum = (int) crc.getValue();
        }
        Fpdu.setCrc(scratch, used, sum);
        used += Fpdu.CRC_LENGTH;
        length += Fpdu.length(ulpduLength);
        position += Fpdu.length(ulpduLength);
    }

    /** Takes what of the FPDU lies in the scratch, and is not in the CRC yet, into it. */
    private void crcOfScratch() {
        crcView.limit(used).position(fpduStart);
        crc.update(crcView);
        fpduStart = used;
    }

    /** The FPDU lies whole in the scratch: a marker goes wherever the stream's position is a multiple of 512. */
    private void insertMarkers() {
        int bytes = used - fpduStart;
        if (unmarked == null) {
            unmarked = Arena.ofAuto().allocate(Fpdu.MAX_LENGTH);
        }
        MemorySegment.copy(scratch, fpduStart, unmarked, 0, bytes);
        long at = position;
        long start = position % Marker.INTERVAL == 0 ? position + Marker.LENGTH : position;
        used = fpduStart;
        int taken = 0;
        while (true) {
            if (at % Marker.INTERVAL == 0) {
                Marker.write(scratch, used, (int) Math.max(0, at - start));
                used += Marker.LENGTH;
                at += Marker.LENGTH;
            }
            if (taken == bytes) {
                break;
            }
            int part = (int) Math.min(bytes - taken, Marker.INTERVAL - at % Marker.INTERVAL);
            MemorySegment.copy(unmarked, taken, scratch, used, part);
            taken += part;
            used += part;
            at += part;
        }
        int sum = 0;
        if (withCrc) {
            crcView.limit(used).position(fpduStart);
            crc.update(crcView);
            sum = (int) crc.getValue();
        }
        Fpdu.setCrc(scratch, used, sum);
        used += Fpdu.CRC_LENGTH;
        at += Fpdu.CRC_LENGTH;
        length += at - position;
        position = at;
    }

    /** Makes a piece of what was written to the scratch since the last one. */
    private void closePiece() {
        if (used == pieceStart) {
            return;
        }
        ByteBuffer view = scratchViews[count];
        if (view == null) {
            view = scratchBuffer.duplicate();
            scratchViews[count] = view;
        }
        view.limit(used).position(pieceStart);
        pieces[count++] = view;
        pieceStart = used;
    }

    /**
     * Its bytes in pieces, ready to be written.
     *
     * @param skip bytes that were taken before
     */
    public void prepare(long skip) {
        closePiece();
        long left = skip;
        firstPiece = 0;
        while (left > 0) {
            ByteBuffer piece = pieces[firstPiece];
            int part = (int) Math.min(left, piece.remaining());
            piece.position(piece.position() + part);
            left -= part;
            if (!piece.hasRemaining()) {
                firstPiece++;
            }
        }
    }

    /** Pieces that have bytes left, from {@link #firstPiece} on. */
    public int count() {
        return count - firstPiece;
    }

    /** The first piece that has bytes left. */
    public int firstPiece() {
        return firstPiece;
    }

    public ByteBuffer[] pieces() {
        return pieces;
    }

    /** Bytes in the pieces from the first one on; before they were written. */
    public long remaining() {
        long bytes = 0;
        for (int index = firstPiece; index < count; index++) {
            bytes += pieces[index].remaining();
        }
        return bytes;
    }
}
