package org.rdma4j.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;

/** Packets whose bytes are known, for tests of links. */
public final class TestPackets {

    private static final int OPCODE = 0x0A;

    private TestPackets() {}

    /** Memory whose byte at {@code i} is a known function of {@code i}. */
    public static MemoryBlock pattern(int size) {
        MemorySegment segment = Arena.ofAuto().allocate(size, 8);
        for (long i = 0; i < size; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8)));
        }
        return MemoryBlock.of(segment);
    }

    public static Route route(Link from, Link to) {
        return from.route(RouteAttributes.to(to.gids().getFirst(), 0xC123));
    }

    /** Sends a packet of a BTH and a payload, without flushing. */
    public static void send(Link link, Route route, int psn, MemoryBlock block, int length, int icrcXor) {
        Transmitter tx = link.transmitter();
        long at = tx.begin(route);
        Bth.write(tx.headers(), at, OPCODE, false, -length & 3, 0xFFFF, 0x11, false, psn);
        tx.gather(block, 1, length);
        tx.end(Bth.LENGTH, icrcXor);
    }

    /** What that packet looks like on arrival, in hexadecimal digits. */
    public static String expected(int psn, MemoryBlock block, int length) {
        MemorySegment packet = MemorySegment.ofArray(new byte[Bth.LENGTH + length + (-length & 3)]);
        Bth.write(packet, 0, OPCODE, false, -length & 3, 0xFFFF, 0x11, false, psn);
        block.copyTo(1, packet, Bth.LENGTH, length);
        return hex(packet, 0, Math.toIntExact(packet.byteSize()));
    }

    public static String hex(MemorySegment segment, long offset, int length) {
        return HexFormat.of().formatHex(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    /** All packets that are there now. */
    public static List<String> receiveAll(Link link, long now) {
        List<String> packets = new ArrayList<>();
        PacketHandler collector = (segment, offset, length, info) -> {
            packets.add(hex(segment, offset, length));
            return Rule.ACCEPTED;
        };
        while (link.poll(collector, now) > 0) {
            // until nothing is there
        }
        return packets;
    }

    /** The PSNs of all packets that are there now. */
    public static List<Integer> receivePsns(Link link, long now) {
        List<Integer> psns = new ArrayList<>();
        PacketHandler collector = (segment, offset, length, info) -> {
            psns.add(Bth.psn(segment, offset));
            return Rule.ACCEPTED;
        };
        while (link.poll(collector, now) > 0) {
            // until nothing is there
        }
        return psns;
    }
}
