package org.rdma4j.pcap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/**
 * A file on a disk: its pieces are mapped, so no byte is copied. One goes when nobody has a view of it any more. What
 * is appended to the file meanwhile is read as well.
 */
final class MappedInput extends CaptureInput {

    private static final int PIECE = 4 << 20;

    private final FileChannel channel;

    MappedInput(String name, FileChannel channel) {
        super(name);
        this.channel = channel;
    }

    @Override
    void fill(int length) throws IOException {
        long there = channel.size() - offset();
        if (there <= rest()) {
            return;
        }
        long mapped = Math.min(there, Math.max(PIECE, length));
        MemorySegment piece = channel.map(FileChannel.MapMode.READ_ONLY, offset(), mapped, Arena.ofAuto());
        piece(piece, piece.asByteBuffer(), (int) mapped);
    }
}
