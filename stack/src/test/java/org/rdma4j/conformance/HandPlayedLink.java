package org.rdma4j.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

/**
 * The device's link where a test plays the peer by hand: it keeps what the device sends, and gives the device what the
 * test injects. Payload is read at the flush and not earlier, as the SPI allows.
 */
final class HandPlayedLink implements Link {

    static final Gid DEVICE = Gid.ofIpv4(0x0A00_0001);
    static final Gid PEER = Gid.ofIpv4(0x0A00_0002);

    /** A packet on its way to the device. */
    private record Incoming(Gid from, Gid to, MemorySegment bytes) {}

    /** A piece of memory that a packet is gathered from. */
    private record Piece(MemoryBlock block, long offset, int length) {}

    /** A packet that the device has made and not flushed. */
    private record Pending(MemorySegment headers, List<Piece> pieces) {}

    private record PlainRoute(Gid remote, RouteAttributes attributes) implements Route {}

    private final Ladder ladder;
    private final Set<Gid> joined = new HashSet<>();
    private final List<Gid> gids = List.of(DEVICE);
    private final ArrayDeque<Incoming> incoming = new ArrayDeque<>();
    private final ArrayDeque<byte[]> sent = new ArrayDeque<>();
    private final LinkCounters counters = new LinkCounters();
    private final PacketInfo info = new PacketInfo();
    private final Sender transmitter = new Sender();
    private int receiveBuffer = 1 << 24;
    private Rule lastDecision = Rule.ACCEPTED;
    private Route lastRoute;

    HandPlayedLink(Ladder ladder) {
        this.ladder = ladder;
    }

    /** Bytes that the device may believe its own receive buffer to hold: decides its windows. */
    HandPlayedLink withReceiveBuffer(int bytes) {
        receiveBuffer = bytes;
        return this;
    }

    void inject(Gid from, byte[] packet) {
        inject(from, DEVICE, packet);
    }

    void inject(Gid from, Gid to, byte[] packet) {
        incoming.add(new Incoming(from, to, MemorySegment.ofArray(packet)));
    }

    /** What the device sent and no one has looked at yet, oldest first. */
    ArrayDeque<byte[]> sent() {
        return sent;
    }

    /** What the link shall know of the packets that come: TTL, traffic class and so on. */
    PacketInfo info() {
        return info;
    }

    /** The way of the newest packet that the device made. */
    Route lastRoute() {
        return lastRoute;
    }

    Rule lastDecision() {
        return lastDecision;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        int taken = 0;
        for (Incoming packet = incoming.poll(); packet != null; packet = incoming.poll()) {
            info.remoteHigh = packet.from.high();
            info.remoteLow = packet.from.low();
            info.localHigh = packet.to.high();
            info.localLow = packet.to.low();
            // Exactly as long as the packet: a read behind its end throws.
            lastDecision = handler.onPacket(packet.bytes, 0, (int) packet.bytes.byteSize(), info);
            ladder.sentByPeer(packet.bytes, lastDecision);
            counters.receivedPackets++;
            taken++;
        }
        return taken;
    }

    private final class Sender implements Transmitter {

        private final byte[] room = new byte[HEADER_ROOM];
        private final MemorySegment headers = MemorySegment.ofArray(room);
        private List<Piece> pieces = new ArrayList<>();
        private final List<Pending> pending = new ArrayList<>();

        @Override
        public long begin(Route route) {
            lastRoute = route;
            pieces = new ArrayList<>();
            return 0;
        }

        @Override
        public MemorySegment headers() {
            return headers;
        }

        @Override
        public void gather(MemoryBlock block, long offset, int length) {
            if (pieces.size() == MAX_PIECES) {
                throw new AssertionError("more than " + MAX_PIECES + " pieces in one packet");
            }
            pieces.add(new Piece(block, offset, length));
        }

        @Override
        public void end(int headerLength, int icrcXor) {
            byte[] copy = Arrays.copyOf(room, headerLength);
            pending.add(new Pending(MemorySegment.ofArray(copy), pieces));
        }

        @Override
        public void flush(long now) {
            for (Pending packet : pending) {
                byte[] bytes = bytes(packet);
                ladder.sentByDevice(MemorySegment.ofArray(bytes));
                sent.add(bytes);
                counters.sentPackets++;
            }
            pending.clear();
        }

        private static byte[] bytes(Pending packet) {
            int payload = packet.pieces.stream().mapToInt(Piece::length).sum();
            int headerLength = (int) packet.headers.byteSize();
            byte[] bytes = new byte[headerLength + payload + (-payload & 3)];
            MemorySegment target = MemorySegment.ofArray(bytes);
            target.copyFrom(packet.headers);
            long at = headerLength;
            for (Piece piece : packet.pieces) {
                piece.block.copyTo(piece.offset, target, at, piece.length);
                at += piece.length;
            }
            return bytes;
        }
    }

    @Override
    public String name() {
        return "hand:played";
    }

    @Override
    public List<Gid> gids() {
        return gids;
    }

    @Override
    public int maxPathMtu() {
        return 4096;
    }

    @Override
    public int interfaceMtu() {
        return 9000;
    }

    @Override
    public int receiveBuffer() {
        return receiveBuffer;
    }

    @Override
    public Route route(RouteAttributes attributes) {
        return new PlainRoute(attributes.remote(), attributes);
    }

    @Override
    public void join(Gid group) {
        assertTrue(joined.add(group), () -> group + " is joined twice");
    }

    @Override
    public void leave(Gid group) {
        assertTrue(joined.remove(group), () -> group + " was not joined");
    }

    /** The multicast groups that the device is in. */
    Set<Gid> joined() {
        return joined;
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    @Override
    public void await(long nanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void tap(FrameTap tap) {}

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {}

    /** Bytes that tests tell apart: a function of a tag and the index. */
    static byte[] bytes(int tag, int length) {
        byte[] bytes = new byte[length];
        MemorySegment view = MemorySegment.ofArray(bytes);
        for (int i = 0; i < length; i++) {
            view.set(ValueLayout.JAVA_BYTE, i, (byte) (tag * 31 + i * 7 + (i >>> 8) * 13));
        }
        return bytes;
    }
}
