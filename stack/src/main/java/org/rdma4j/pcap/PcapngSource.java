package org.rdma4j.pcap;

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
    private long blockOffset;

    // The block at hand: what it is, and the part of its body that was not looked at yet.
    private int type;
    private int at;
    private int end;

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
            int start = input.readOrEnd(4, "a block");
            if (start < 0) {
                return null;
            }
            type = input.int32(start);
            if (type == PcapngBlock.SECTION_HEADER) { // a palindrome: the same in either order
                sectionHeader();
                continue;
            }
            int length = input.read(4, "a block's length");
            body(input.int32(length), 8);
            CapturedPacket packet = block();
            if (packet != null) {
                return packet;
            }
        }
    }

    private void sectionHeader() {
        input.order(ByteOrder.BIG_ENDIAN);
        int start = input.read(8, "a section header");
        if (input.int32(start + 4) != PcapngBlock.BYTE_ORDER_MAGIC) {
            input.order(ByteOrder.LITTLE_ENDIAN);
        }
        int magic = input.int32(start + 4);
        if (magic != PcapngBlock.BYTE_ORDER_MAGIC) {
            throw damaged(String.format("the byte order magic of a section is 0x%08x", magic));
        }
        body(input.int32(start), 12);
        if (end - at < 4) {
            throw damaged("a section header is too short");
        }
        int major = (short) uint16();
        if (major != 1) {
            throw damaged("a section is of version " + major + ", not 1");
        }
        interfacesBefore += interfaces.size();
        interfaces.clear();
    }

    /** Reads the rest of a block, of which {@code taken} bytes have been read, and leaves off the length behind it. */
    private void body(int totalLength, int taken) {
        if (totalLength < taken + 4 || totalLength % 4 != 0 || totalLength > CaptureInput.LONGEST) {
            throw damaged("a block says that it has " + Integer.toUnsignedLong(totalLength) + " bytes");
        }
        at = input.read(totalLength - taken, "a block");
        end = at + totalLength - taken - 4;
        int again = input.int32(end);
        if (again != totalLength) {
            throw damaged(
                    "a block says " + totalLength + " bytes in front and " + Integer.toUnsignedLong(again) + " behind");
        }
    }

    private CapturedPacket block() {
        return switch (type) {
            case PcapngBlock.INTERFACE_DESCRIPTION -> {
                int number = interfaces.size();
                interfaces.add(null); // what is wrong with one does not shift the numbers of others
                interfaces.set(number, interfaceDescription(interfacesBefore + number));
                yield null;
            }
            case PcapngBlock.ENHANCED_PACKET -> timedPacket(interfaceAt(int32()));
            case PcapngBlock.PACKET -> {
                Interface seenBy = interfaceAt(uint16());
                uint16(); // how many were dropped before
                yield timedPacket(seenBy);
            }
            case PcapngBlock.SIMPLE_PACKET -> simplePacket();
            default -> null;
        };
    }

    private Interface interfaceDescription(int index) {
        int linkType = LinkType.canonical(uint16());
        uint16();
        long snapLength = uint32();
        int resolution = TimestampResolution.DEFAULT.code();
        long offsetSeconds = 0;
        while (nextOption()) {
            int next = at + padded(optionLength);
            if (optionCode == PcapngBlock.OPTION_TIMESTAMP_RESOLUTION) {
                need(1, optionLength);
                resolution = input.array()[at] & 0xFF;
            } else if (optionCode == PcapngBlock.OPTION_TIMESTAMP_OFFSET) {
                need(Long.BYTES, optionLength);
                offsetSeconds = input.int64(at);
            }
            at = next;
        }
        return new Interface(index, linkType, snapLength, new TimestampResolution(resolution, offsetSeconds));
    }

    private Interface interfaceAt(int index) {
        if (index < 0 || index >= interfaces.size()) {
            throw passable("a packet names interface " + Integer.toUnsignedLong(index) + " of " + interfaces.size());
        }
        Interface known = interfaces.get(index);
        if (known == null) {
            throw passable("a packet names interface " + index + ", whose description is damaged");
        }
        return known;
    }

    private CapturedPacket timedPacket(Interface seenBy) {
        long ticks = (long) int32() << 32 | uint32();
        long captured = uint32();
        long original = uint32();
        return packet(seenBy.resolution.toNanos(ticks), seenBy, original, captured);
    }

    private CapturedPacket simplePacket() {
        Interface seenBy = interfaceAt(0);
        long original = uint32();
        long limit = seenBy.snapLength == 0 ? original : Math.min(original, seenBy.snapLength);
        return packet(0, seenBy, original, limit);
    }

    private CapturedPacket packet(long timestamp, Interface seenBy, long original, long captured) {
        if (captured > end - at) {
            throw passable("a packet of " + captured + " bytes in a block that has " + (end - at) + " for it");
        }
        int frame = at;
        int length = (int) captured;
        at += padded(length);
        List<String> comments = type == PcapngBlock.SIMPLE_PACKET || at == end ? List.of() : comments();
        return new CapturedPacket(
                timestamp, seenBy.index, seenBy.linkType, original, input.array(), frame, length, comments);
    }

    private List<String> comments() {
        List<String> comments = null; // of most packets nobody says anything
        while (nextOption()) {
            if (optionCode == PcapngBlock.OPTION_COMMENT) {
                comments = comments == null ? new ArrayList<>(1) : comments;
                comments.add(new String(input.array(), at, optionLength, StandardCharsets.UTF_8));
            }
            at += padded(optionLength);
        }
        return comments == null ? List.of() : List.copyOf(comments);
    }

    /** Goes to the next option's value, of {@link #optionCode} and {@link #optionLength}; false behind the last one. */
    private boolean nextOption() {
        if (at == end) {
            return false;
        }
        optionCode = uint16();
        optionLength = uint16();
        if (optionCode == PcapngBlock.OPTION_END) {
            return false;
        }
        if (optionLength > end - at) {
            throw passable("an option of " + optionLength + " bytes in a block that has " + (end - at) + " for it");
        }
        return true;
    }

    /** With the pad behind it, as far as there is one. */
    private int padded(int length) {
        return Math.min(PcapngBlock.padded(length), end - at);
    }

    private int uint16() {
        need(2, end - at);
        int value = input.uint16(at);
        at += 2;
        return value;
    }

    private int int32() {
        need(4, end - at);
        int value = input.int32(at);
        at += 4;
        return value;
    }

    private long uint32() {
        return Integer.toUnsignedLong(int32());
    }

    private void need(int wanted, int there) {
        if (there < wanted) {
            throw passable("a block of type " + type + " is too short for what it holds");
        }
    }

    private CaptureException damaged(String problem) {
        return input.damaged(blockOffset, problem);
    }

    /** Damage in a block that was read to its end: the next one can be read. */
    private CaptureException passable(String problem) {
        return input.passable(blockOffset, problem);
    }
}
