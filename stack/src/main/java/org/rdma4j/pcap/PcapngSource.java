package org.rdma4j.pcap;

import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * pcapng: sections, each in its own byte order, of blocks that say their length. Interfaces and packets are taken,
 * blocks of other kinds are passed over.
 */
final class PcapngSource implements PacketSource {

    private record Interface(int index, int linkType, long snapLength, TimestampResolution resolution) {}

    private final CaptureInput input;
    private final List<Interface> interfaces = new ArrayList<>();
    private int interfacesBefore;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long blockOffset;

    /** To be called behind the type of the first block. */
    PcapngSource(CaptureInput input) {
        this.input = input;
        sectionHeader();
    }

    @Override
    public CapturedPacket next() {
        while (true) {
            blockOffset = input.offset();
            ByteBuffer start = input.readOrEnd(4, order, "a block");
            if (start == null) {
                return null;
            }
            int type = start.getInt();
            if (type == PcapngBlock.SECTION_HEADER) { // a palindrome: the same in either order
                sectionHeader();
                continue;
            }
            ByteBuffer body = body(input.read(4, order, "a block's length").getInt(), 8);
            try {
                CapturedPacket packet = block(type, body);
                if (packet != null) {
                    return packet;
                }
            } catch (BufferUnderflowException _) {
                throw passable("a block of type " + type + " is too short for what it holds");
            }
        }
    }

    private void sectionHeader() {
        ByteBuffer start = input.read(8, ByteOrder.BIG_ENDIAN, "a section header");
        order = start.getInt(4) == PcapngBlock.BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        start.order(order);
        if (start.getInt(4) != PcapngBlock.BYTE_ORDER_MAGIC) {
            throw damaged(String.format("the byte order magic of a section is 0x%08x", start.getInt(4)));
        }
        ByteBuffer body = body(start.getInt(0), 12);
        if (body.remaining() < 4) {
            throw damaged("a section header is too short");
        }
        int major = body.getShort();
        if (major != 1) {
            throw damaged("a section is of version " + major + ", not 1");
        }
        interfacesBefore += interfaces.size();
        interfaces.clear();
    }

    /** The rest of a block without the length behind it, of which {@code taken} bytes have been read. */
    private ByteBuffer body(int totalLength, int taken) {
        if (totalLength < taken + 4 || totalLength % 4 != 0 || totalLength > CaptureInput.LONGEST) {
            throw damaged("a block says that it has " + Integer.toUnsignedLong(totalLength) + " bytes");
        }
        ByteBuffer body = input.read(totalLength - taken - 4, order, "a block");
        int again = input.read(4, order, "a block's second length").getInt();
        if (again != totalLength) {
            throw damaged(
                    "a block says " + totalLength + " bytes in front and " + Integer.toUnsignedLong(again) + " behind");
        }
        return body;
    }

    private CapturedPacket block(int type, ByteBuffer body) {
        return switch (type) {
            case PcapngBlock.INTERFACE_DESCRIPTION -> {
                interfaces.add(interfaceDescription(body));
                yield null;
            }
            case PcapngBlock.ENHANCED_PACKET -> timedPacket(body, interfaceAt(body.getInt()));
            case PcapngBlock.PACKET -> {
                Interface seenBy = interfaceAt(body.getShort() & 0xFFFF);
                body.getShort(); // how many were dropped before
                yield timedPacket(body, seenBy);
            }
            case PcapngBlock.SIMPLE_PACKET -> simplePacket(body);
            default -> null;
        };
    }

    private Interface interfaceDescription(ByteBuffer body) {
        int linkType = LinkType.canonical(body.getShort() & 0xFFFF);
        body.getShort();
        long snapLength = Integer.toUnsignedLong(body.getInt());
        int resolution = TimestampResolution.DEFAULT.code();
        long offsetSeconds = 0;
        for (Option option = option(body); option != null; option = option(body)) {
            if (option.code == PcapngBlock.OPTION_TIMESTAMP_RESOLUTION) {
                resolution = option.value.get() & 0xFF;
            } else if (option.code == PcapngBlock.OPTION_TIMESTAMP_OFFSET) {
                offsetSeconds = option.value.getLong();
            }
        }
        int index = interfacesBefore + interfaces.size();
        return new Interface(index, linkType, snapLength, new TimestampResolution(resolution, offsetSeconds));
    }

    private Interface interfaceAt(int index) {
        if (index < 0 || index >= interfaces.size()) {
            throw passable("a packet names interface " + Integer.toUnsignedLong(index) + " of " + interfaces.size());
        }
        return interfaces.get(index);
    }

    private CapturedPacket timedPacket(ByteBuffer body, Interface seenBy) {
        long ticks = (long) body.getInt() << 32 | Integer.toUnsignedLong(body.getInt());
        long captured = Integer.toUnsignedLong(body.getInt());
        long original = Integer.toUnsignedLong(body.getInt());
        MemorySegment bytes = frame(body, captured);
        List<String> comments = new ArrayList<>(1);
        for (Option option = option(body); option != null; option = option(body)) {
            if (option.code == PcapngBlock.OPTION_COMMENT) {
                comments.add(StandardCharsets.UTF_8.decode(option.value).toString());
            }
        }
        return new CapturedPacket(
                seenBy.resolution.toNanos(ticks),
                seenBy.index,
                seenBy.linkType,
                original,
                bytes,
                List.copyOf(comments));
    }

    private CapturedPacket simplePacket(ByteBuffer body) {
        Interface seenBy = interfaceAt(0);
        long original = Integer.toUnsignedLong(body.getInt());
        long limit = seenBy.snapLength == 0 ? original : Math.min(original, seenBy.snapLength);
        MemorySegment bytes = frame(body, limit);
        return new CapturedPacket(0, seenBy.index, seenBy.linkType, original, bytes, List.of());
    }

    /** The frame where the block has it: the block is read into an array of its own. */
    private MemorySegment frame(ByteBuffer body, long length) {
        if (length > body.remaining()) {
            throw passable("a packet of " + length + " bytes in a block that has " + body.remaining() + " for it");
        }
        MemorySegment frame = MemorySegment.ofArray(body.array()).asSlice(body.arrayOffset() + body.position(), length);
        body.position(body.position() + (int) length);
        skipPad(body, (int) length);
        return frame;
    }

    private record Option(int code, ByteBuffer value) {}

    /** The next option, null behind the last one. */
    private Option option(ByteBuffer body) {
        if (!body.hasRemaining()) {
            return null;
        }
        int code = body.getShort() & 0xFFFF;
        int length = body.getShort() & 0xFFFF;
        if (code == PcapngBlock.OPTION_END) {
            return null;
        }
        if (length > body.remaining()) {
            throw passable("an option of " + length + " bytes in a block that has " + body.remaining() + " for it");
        }
        ByteBuffer value = body.slice(body.position(), length).order(order);
        body.position(body.position() + length);
        skipPad(body, length);
        return new Option(code, value);
    }

    private static void skipPad(ByteBuffer body, int length) {
        int pad = PcapngBlock.padded(length) - length;
        body.position(body.position() + Math.min(pad, body.remaining()));
    }

    private CaptureException damaged(String problem) {
        return input.damaged(blockOffset, problem);
    }

    /** Damage in a block that was read to its end: the next one can be read. */
    private CaptureException passable(String problem) {
        return input.passable(blockOffset, problem);
    }
}
