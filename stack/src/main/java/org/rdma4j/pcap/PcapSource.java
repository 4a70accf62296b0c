package org.rdma4j.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The classic format: a header of 24 bytes, then records of 16 bytes and a frame. In either byte order, in µs or ns. */
final class PcapSource implements PacketSource {

    static final int MAGIC_MICROS = 0xA1B2_C3D4;
    static final int MAGIC_NANOS = 0xA1B2_3C4D;

    private static final int HEADER_BEHIND_MAGIC = 20;
    private static final int LINK_TYPE_OFFSET = 16;
    private static final int RECORD_HEADER = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final CaptureInput input;
    private final ByteOrder order;
    private final long nanosPerTick;
    private final int linkType;

    private PcapSource(CaptureInput input, ByteOrder order, long nanosPerTick) {
        this.input = input;
        this.order = order;
        this.nanosPerTick = nanosPerTick;
        ByteBuffer header = input.read(HEADER_BEHIND_MAGIC, order, "the file header");
        // The high half says whether frames end in an FCS.
        this.linkType = LinkType.canonical(header.getInt(header.position() + LINK_TYPE_OFFSET) & 0xFFFF);
    }

    /** The source behind a magic number, read big-endian; null where it is another format's. */
    static PcapSource open(int magic, CaptureInput input) {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            int read = order == ByteOrder.BIG_ENDIAN ? magic : Integer.reverseBytes(magic);
            if (read == MAGIC_MICROS) {
                return new PcapSource(input, order, 1000);
            }
            if (read == MAGIC_NANOS) {
                return new PcapSource(input, order, 1);
            }
        }
        return null;
    }

    @Override
    public CapturedPacket next() {
        long at = input.offset();
        ByteBuffer header = input.readOrEnd(RECORD_HEADER, order, "a record header");
        if (header == null) {
            return null;
        }
        long seconds = Integer.toUnsignedLong(header.getInt());
        long ticks = Integer.toUnsignedLong(header.getInt());
        long captured = Integer.toUnsignedLong(header.getInt());
        long original = Integer.toUnsignedLong(header.getInt());
        if (captured > CaptureInput.LONGEST) {
            throw input.damaged(at, "a record says that it has " + captured + " bytes");
        }
        ByteBuffer frame = input.read((int) captured, order, "a frame");
        MemorySegment bytes = input.view(frame.position(), (int) captured);
        long timestamp = seconds * NANOS_PER_SECOND + ticks * nanosPerTick;
        return new CapturedPacket(timestamp, 0, linkType, original, bytes, List.of());
    }
}
