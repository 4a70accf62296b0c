package org.rdma4j.pcap;

import java.nio.ByteOrder;
import java.util.List;

/** The classic format: a header of 24 bytes, then records of 16 bytes and a frame. In either byte order, in µs or ns. */
final class PcapSource implements PacketSource {

    static final int MAGIC_MICROS = 0xA1B2_C3D4;
    static final int MAGIC_NANOS = 0xA1B2_3C4D;

    private static final int HEADER_BEHIND_MAGIC = 20;
    private static final int LINK_TYPE_OFFSET = 16;
    private static final int RECORD_HEADER = 16;
    private static final int TICKS_OFFSET = 4;
    private static final int CAPTURED_OFFSET = 8;
    private static final int ORIGINAL_OFFSET = 12;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final CaptureInput input;
    private final long nanosPerTick;
    private final int linkType;

    private PcapSource(CaptureInput input, ByteOrder order, long nanosPerTick) {
        this.input = input;
        this.nanosPerTick = nanosPerTick;
        input.order(order);
        int header = input.read(HEADER_BEHIND_MAGIC, "the file header");
        // The high half says whether frames end in an FCS.
        this.linkType = LinkType.canonical(input.int32(header + LINK_TYPE_OFFSET) & 0xFFFF);
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
        int header = input.readOrEnd(RECORD_HEADER, "a record header");
        if (header < 0) {
            return null;
        }
        long seconds = input.uint32(header);
        long ticks = input.uint32(header + TICKS_OFFSET);
        long captured = input.uint32(header + CAPTURED_OFFSET);
        long original = input.uint32(header + ORIGINAL_OFFSET);
        if (captured > CaptureInput.LONGEST) {
            throw input.damaged(at, "a record says that it has " + captured + " bytes");
        }
        int length = (int) captured;
        int frame = input.read(length, "a frame");
        long timestamp = seconds * NANOS_PER_SECOND + ticks * nanosPerTick;
        return new CapturedPacket(timestamp, 0, linkType, original, input.array(), frame, length, List.of());
    }
}
