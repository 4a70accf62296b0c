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
    private int optionCode;
    private int optionLength;

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
        int length = start.getInt();
        int magic = start.getInt();
        order = magic == PcapngBlock.BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        if (order == ByteOrder.LITTLE_ENDIAN) {
            length = Integer.reverseBytes(length);
            magic = Integer.reverseBytes(magic);
        }
        if (magic != PcapngBlock.BYTE_ORDER_MAGIC) {
            throw damaged(String.format("the byte order magic of a section is 0x%08x", magic));
        }
        ByteBuffer body = body(length, 12);
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
        ByteBuffer body = input.read(totalLength - taken, order, "a block");
        int end = body.limit() - 4;
        int again = body.getInt(end);
        body.limit(end);
        if (again != totalLength) {
            throw damaged(
                    "a block says " + totalLength + " bytes in front and " + Integer.toUnsignedLong(again) + " behind");
        }
        return body;
    }

    private CapturedPacket block(int type, ByteBuffer body) {
        return switch (type) {
            case PcapngBlock.INTERFACE_DESCRIPTION -> {
                int number = interfaces.size();
                interfaces.add(null); // what is wrong with one does not shift the numbers of others
                interfaces.set(number, interfaceDescription(interfacesBefore + number, body));
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

    private Interface interfaceDescription(int index, ByteBuffer body) {
        int linkType = LinkType.canonical(body.getShort() & 0xFFFF);
        body.getShort();
        long snapLength = Integer.toUnsignedLong(body.getInt());
        int resolution = TimestampResolution.DEFAULT.code();
        long offsetSeconds = 0;
        while (nextOption(body)) {
            if (optionCode == PcapngBlock.OPTION_TIMESTAMP_RESOLUTION) {
                resolution = optionValue(body).get() & 0xFF;
            } else if (optionCode == PcapngBlock.OPTION_TIMESTAMP_OFFSET) {
                offsetSeconds = optionValue(body).getLong();
            }
            skip(body, optionLength);
        }
        return new Interface(index, linkType, snapLength, new TimestampResolution(resolution, offsetSeconds));
    }

    private Interface interfaceAt(int index) {
        if (index < 0 || index >= interfaces.size()) {
            throw passable("a packet names interface " + Integer.toUnsignedLong(index) + " of " + interfaces.size());
        }
        if (interfaces.get(index) == null) {
            throw passable("a packet names interface " + index + ", whose description is damaged");
        }
        return interfaces.get(index);
    }

    private CapturedPacket timedPacket(ByteBuffer body, Interface seenBy) {
        long ticks = (long) body.getInt() << 32 | Integer.toUnsignedLong(body.getInt());
        long captured = Integer.toUnsignedLong(body.getInt());
        long original = Integer.toUnsignedLong(body.getInt());
        MemorySegment bytes = frame(body, captured);
        return new CapturedPacket(
                seenBy.resolution.toNanos(ticks), seenBy.index, seenBy.linkType, original, bytes, comments(body));
    }

    private List<String> comments(ByteBuffer body) {
        List<String> comments = null; // of most packets nobody says anything
        while (nextOption(body)) {
            if (optionCode == PcapngBlock.OPTION_COMMENT) {
                comments = comments == null ? new ArrayList<>(1) : comments;
                comments.add(StandardCharsets.UTF_8.decode(optionValue(body)).toString());
            }
            skip(body, optionLength);
        }
        return comments == null ? List.of() : List.copyOf(comments);
    }

    private CapturedPacket simplePacket(ByteBuffer body) {
        Interface seenBy = interfaceAt(0);
        long original = Integer.toUnsignedLong(body.getInt());
        long limit = seenBy.snapLength == 0 ? original : Math.min(original, seenBy.snapLength);
        MemorySegment bytes = frame(body, limit);
        return new CapturedPacket(0, seenBy.index, seenBy.linkType, original, bytes, List.of());
    }

    private MemorySegment frame(ByteBuffer body, long length) {
        if (length > body.remaining()) {
            throw passable("a packet of " + length + " bytes in a block that has " + body.remaining() + " for it");
        }
        MemorySegment frame = input.view(body.position(), (int) length);
        skip(body, (int) length);
        return frame;
    }

    /** Goes to the next option's value, of {@link #optionCode} and {@link #optionLength}; false behind the last one. */
    private boolean nextOption(ByteBuffer body) {
        if (!body.hasRemaining()) {
            return false;
        }
        optionCode = body.getShort() & 0xFFFF;
        optionLength = body.getShort() & 0xFFFF;
        if (optionCode == PcapngBlock.OPTION_END) {
            return false;
        }
        if (optionLength > body.remaining()) {
            throw passable(
                    "an option of " + optionLength + " bytes in a block that has " + body.remaining() + " for it");
        }
        return true;
    }

    private ByteBuffer optionValue(ByteBuffer body) {
        return body.slice(body.position(), optionLength).order(order);
    }

    /** Behind a part and its pad. */
    private static void skip(ByteBuffer body, int length) {
        body.position(body.position() + Math.min(PcapngBlock.padded(length), body.remaining()));
    }

    private CaptureException damaged(String problem) {
        return input.damaged(blockOffset, problem);
    }

    /** Damage in a block that was read to its end: the next one can be read. */
    private CaptureException passable(String problem) {
        return input.passable(blockOffset, problem);
    }
}
