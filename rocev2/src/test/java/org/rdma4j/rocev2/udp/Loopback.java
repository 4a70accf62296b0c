package org.rdma4j.rocev2.udp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkOptions;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;

/** What the link tests share: addresses that no other run uses, packets whose bytes are known, and a collector. */
public final class Loopback {

    /** All of 127.0.0.0/8 is this host; each process takes a corner of its own, so that runs do not meet. */
    private static final long CORNER = ProcessHandle.current().pid();

    static final int OPCODE = 0x0A;

    private Loopback() {}

    /** A loopback address: 127.x.y.{@code last}. */
    public static String address(int last) {
        return "127." + (CORNER >>> 8 & 0x7F) + "." + (CORNER & 0xFF) + "." + last;
    }

    /** A UDP port that no other run uses: for addresses that there is only one of, such as ::1. */
    public static int port() {
        return 20_000 + (int) (CORNER % 10_000);
    }

    static LinkOptions options() {
        return new LinkOptions(LinkOptions.ROCE_V2_PORT, 0, "", false);
    }

    static Route route(Link from, Link to, int sourcePort) {
        return from.route(RouteAttributes.to(to.gids().getFirst(), sourcePort));
    }

    /** Memory whose byte at {@code i} is a known function of {@code i}. */
    static MemoryBlock pattern(int size) {
        MemorySegment segment = Arena.ofAuto().allocate(size, 8);
        fill(segment);
        return MemoryBlock.of(segment);
    }

    static MemoryBlock heapPattern(int size) {
        MemorySegment segment = MemorySegment.ofArray(new byte[size]);
        fill(segment);
        return MemoryBlock.of(segment);
    }

    private static void fill(MemorySegment segment) {
        for (long i = 0; i < segment.byteSize(); i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8)));
        }
    }

    /** Sends a packet with {@code extra} header bytes behind the BTH and the payload in one piece. */
    static void send(Link link, Route route, int psn, int extra, MemoryBlock block, long offset, int length) {
        send(link, route, psn, extra, block, offset, length, 0);
    }

    static void send(
            Link link, Route route, int psn, int extra, MemoryBlock block, long offset, int length, int icrcXor) {
        Transmitter tx = link.transmitter();
        long at = tx.begin(route);
        Bth.write(tx.headers(), at, OPCODE, false, -length & 3, 0xFFFF, 0x11, false, psn);
        for (int i = 0; i < extra; i++) {
            tx.headers().set(ValueLayout.JAVA_BYTE, at + Bth.LENGTH + i, (byte) (psn + i));
        }
        tx.gather(block, offset, length);
        tx.end(Bth.LENGTH + extra, icrcXor);
    }

    /** What that packet should look like on arrival. */
    static String expected(int psn, int extra, MemoryBlock block, long offset, int length) {
        MemorySegment packet = MemorySegment.ofArray(new byte[Bth.LENGTH + extra + length + (-length & 3)]);
        Bth.write(packet, 0, OPCODE, false, -length & 3, 0xFFFF, 0x11, false, psn);
        for (int i = 0; i < extra; i++) {
            packet.set(ValueLayout.JAVA_BYTE, Bth.LENGTH + i, (byte) (psn + i));
        }
        block.copyTo(offset, packet, Bth.LENGTH + extra, length);
        return hex(packet);
    }

    private static String hex(MemorySegment bytes) {
        return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Polls until {@code count} packets, damaged ones included, have come or ten seconds have passed. */
    static List<Packet> receive(Link link, int count) {
        List<Packet> packets = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        int seen = 0;
        while (seen < count && System.nanoTime() < deadline) {
            int taken = link.poll(
                    (segment, offset, length, info) -> {
                        packets.add(new Packet(
                                hex(segment.asSlice(offset, length)),
                                info.remote(),
                                info.local(),
                                info.udpSourcePort,
                                info.trafficClass,
                                info.hopLimit));
                        return Rule.ACCEPTED;
                    },
                    0);
            seen += taken;
            if (taken == 0) {
                link.await(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
        return packets;
    }

    /** @param bytes BTH to pad, in hexadecimal digits */
    record Packet(String bytes, Gid remote, Gid local, int sourcePort, int trafficClass, int hopLimit) {}
}
