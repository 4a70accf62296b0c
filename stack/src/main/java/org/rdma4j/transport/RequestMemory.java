package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.memory.KeyTable;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.memory.PieceSink;
import org.rdma4j.memory.Region;
import org.rdma4j.trace.Tracer;
import org.rdma4j.trace.Tracing;

/** The local memory of posted requests: checked, read for what is sent, written with what is answered. */
public final class RequestMemory {

    private final Qp qp;
    private final SendQueue queue;

    public RequestMemory(Qp qp) {
        this.qp = qp;
        this.queue = qp.sendQueue;
    }

    /**
     * Checks every piece of a request's local memory.
     *
     * @param neededAccess 0 where the memory is read, LOCAL_WRITE where the answer is written to it
     */
    public boolean isValid(long request, int neededAccess) {
        if (queue.isInline(request)) {
            return true;
        }
        int pieces = queue.pieces(request);
        for (int piece = 0; piece < pieces; piece++) {
            long length = queue.pieceLength(request, piece);
            if (length == 0) {
                continue;
            }
            Region region = qp.keys().lookup(queue.pieceKey(request, piece));
            if (region == null || !region.permits(queue.pieceAddress(request, piece), length, neededAccess, qp.pd)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes bytes of an answer to where the request wants them.
     *
     * @return false where a piece's memory has gone
     */
    public boolean scatter(long request, long messageOffset, MemorySegment source, long from, int length) {
        KeyTable keys = qp.keys();
        long skip = messageOffset;
        long at = from;
        int left = length;
        int pieces = queue.pieces(request);
        for (int piece = 0; piece < pieces && left > 0; piece++) {
            long size = queue.pieceLength(request, piece);
            if (skip >= size) {
                skip -= size;
                continue;
            }
            int part = (int) Math.min(size - skip, left);
            long address = queue.pieceAddress(request, piece) + skip;
            Region region = keys.lookup(queue.pieceKey(request, piece));
            if (region == null || !region.permits(address, part, AccessFlags.LOCAL_WRITE, qp.pd)) {
                return false;
            }
            region.block().copyFrom(region.offsetOf(address), source, at, part);
            if (Tracing.isOn()) {
                keys.touched(Tracer.Touch.WRITE, region.key(), address, part);
            }
            at += part;
            left -= part;
            skip = 0;
        }
        return left == 0;
    }

    /** Gives payload of the message from an offset on to a packet. The caller has checked the memory. */
    public void gather(PieceSink sink, long request, long messageOffset, int length) {
        if (length == 0) {
            return;
        }
        if (queue.isInline(request)) {
            MemoryBlock block = queue.inlineBlock();
            sink.gather(block, queue.inlineOffset(request) + messageOffset, length);
            return;
        }
        KeyTable keys = qp.keys();
        long skip = messageOffset;
        int left = length;
        for (int piece = 0; left > 0; piece++) {
            long size = queue.pieceLength(request, piece);
            if (skip >= size) {
                skip -= size;
                continue;
            }
            int part = (int) Math.min(size - skip, left);
            long address = queue.pieceAddress(request, piece) + skip;
            Region region = keys.lookup(queue.pieceKey(request, piece));
            sink.gather(region.block(), region.offsetOf(address), part);
            left -= part;
            skip = 0;
        }
    }
}
