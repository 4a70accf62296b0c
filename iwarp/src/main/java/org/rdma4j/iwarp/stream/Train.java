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
 * The FPDUs of one write, in a row. One train serves all connections of a device, one after the other: what TCP does not
 * take of it is made again for the next write, from the same work requests, and the bytes that were taken are skipped. So
 * nothing is kept for a connection that waits for its peer.
 *
 * <p>Payload is copied here from registered memory. A gathering write of NIO would spare that and allocate a few objects
 * for each piece, for memory that belongs to an arena; here nothing allocates.
 */
public final class Train implements PieceSink {

    private static final int ROOM = 256 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
    private final ByteBuffer crcView = buffer.duplicate();
    private final MemorySegment segment = MemorySegment.ofBuffer(buffer);
    private final CRC32C crc = new CRC32C();
    private MemorySegment unmarked; // where a FPDU waits for its markers; made with the first one

    private boolean withCrc;
    private boolean withMarkers;
    private long position;
    private int length;
    private int start; // of the FPDU that is being made
    private int ulpduLength;

    /**
     * Starts anew.
     *
     * @param fpdus position in the stream of FPDUs, where the first one starts: markers count from the stream's begin
     */
    public void reset(boolean crcs, boolean markers, long fpdus) {
        withCrc = crcs;
        withMarkers = markers;
        position = fpdus;
        length = 0;
        buffer.clear();
    }

    /** Bytes so far. */
    public int length() {
        return length;
    }

    /** Where the next FPDU starts in the stream of FPDUs. */
    public long position() {
        return position;
    }

    /** True where an FPDU of any length still fits. */
    public boolean hasRoom() {
        return length + Fpdu.MAX_MARKED_LENGTH <= ROOM;
    }

    /** Appends bytes that are no FPDU: a frame of connection setup. */
    public void append(MemorySegment source, long offset, int bytes) {
        MemorySegment.copy(source, offset, segment, length, bytes);
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
        start = length;
        Fpdu.setUlpduLength(segment, start, ulpdu);
        length += Fpdu.HEADER_LENGTH + header;
        return (long) start + Fpdu.HEADER_LENGTH;
    }

    /** Where headers are written. */
    public MemorySegment headers() {
        return segment;
    }

    /** Appends payload to the FPDU; the caller has checked the memory. */
    @Override
    public void gather(MemoryBlock block, long offset, int bytes) {
        block.copyTo(offset, segment, length, bytes);
        length += bytes;
    }

    /** Ends the FPDU: pad, markers and CRC. */
    public void end() {
        for (int pad = Fpdu.pad(ulpduLength); pad > 0; pad--) {
            buffer.put(length++, (byte) 0);
        }
        if (withMarkers) {
            insertMarkers();
        }
        int sum = 0;
        if (withCrc) {
            crc.reset();
            crcView.limit(length).position(start);
            crc.update(crcView);
            sum = (int) crc.getValue();
        }
        Fpdu.setCrc(segment, length, sum);
        length += Fpdu.CRC_LENGTH;
        position += length - start;
    }

    /** Puts a marker wherever the stream's position is a multiple of 512, in front of the FPDU and of its CRC too. */
    private void insertMarkers() {
        int bytes = length - start;
        if (unmarked == null) {
            unmarked = Arena.ofAuto().allocate(Fpdu.MAX_LENGTH);
        }
        MemorySegment.copy(segment, start, unmarked, 0, bytes);
        long at = position;
        long first = position % Marker.INTERVAL == 0 ? position + Marker.LENGTH : position;
        int taken = 0;
        length = start;
        while (true) {
            if (at % Marker.INTERVAL == 0) {
                Marker.write(segment, length, (int) Math.max(0, at - first));
                length += Marker.LENGTH;
                at += Marker.LENGTH;
            }
            if (taken == bytes) {
                return;
            }
            int part = (int) Math.min(bytes - taken, Marker.INTERVAL - at % Marker.INTERVAL);
            MemorySegment.copy(unmarked, taken, segment, length, part);
            taken += part;
            length += part;
            at += part;
        }
    }

    /** Its bytes, without those at the front that were taken before. The buffer is the train's own. */
    public ByteBuffer bytes(int skip) {
        return buffer.limit(length).position(skip);
    }
}
