package org.rdma4j.memory;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/** The memory of a null region: as long as there are addresses, zeros to read, and what is written to it is gone. */
final class NullBlock extends MemoryBlock {

    /** No packet carries more. */
    private static final int ZEROS = 1 << 16;

    private final MemorySegment zeros;

    NullBlock() {
        this(MemorySegment.ofArray(new byte[ZEROS]));
    }

    private NullBlock(MemorySegment zeros) {
        super(zeros, zeros);
        this.zeros = zeros;
    }

    /** All addresses but the last one; read as unsigned. */
    @Override
    public long size() {
        return -1;
    }

    @Override
    public void updateCrc(CRC32 crc, long offset, int length) {
        for (int done = 0; done < length; done += ZEROS) {
            super.updateCrc(crc, 0, Math.min(ZEROS, length - done));
        }
    }

    @Override
    public void copyTo(long offset, MemorySegment target, long targetOffset, long length) {
        for (long done = 0; done < length; done += ZEROS) {
            MemorySegment.copy(zeros, 0, target, targetOffset + done, Math.min(ZEROS, length - done));
        }
    }

    @Override
    public void copyFrom(long offset, MemorySegment source, long sourceOffset, long length) {
        // The bytes vanish.
    }
}
