package org.rdma4j.tools.conform.craft;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.tools.ToolException;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.MadHeader;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.UdpHeader;

/**
 * The hand-played side's port: many lines over one link. One thread drives the link, a thread of this class's or whoever
 * calls {@link #turn}; lines may be used by any.
 */
public final class Wire implements AutoCloseable {

    /** A line's queue pair, and numbers behind it that connections of its may be said to have. */
    public static final int OWN_QPNS = 7;

    private static final int FIRST_SOURCE_PORT = 0xC000;
    private static final long LONGEST_SLEEP = 20_000_000;

    private final Link link;
    private final LongSupplier clock;
    private final Map<Integer, Line> lines = new ConcurrentHashMap<>();
    private final Set<Integer> given = ConcurrentHashMap.newKeySet(); // queue pairs of lines, of closed ones too
    private final Gsi gsi = new Gsi();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final Map<RouteAttributes, Route> routes = new HashMap<>(); // the driving thread's
    private final AtomicInteger nextQpn =
            new AtomicInteger(0x100 + ThreadLocalRandom.current().nextInt(0x10_0000));
    private FrameOutlet outlet; // null where no frames can be made
    private List<Line> current = List.of(); // whose frame the tap sees
    private boolean begun; // a line has spoken
    private volatile RuntimeException failure;
    private volatile boolean closed;
    private Thread driver;

    /** A wire whose user calls {@link #turn}. */
    public Wire(Link link, LongSupplier clock) {
        this.link = link;
        this.clock = clock;
    }

    /** A wire with a thread of its own. */
    public static Wire driven(Link link) {
        return driven(link, null);
    }

    /** The same, with somebody else who sees each frame; {@code null} for nobody. */
    public static Wire driven(Link link, FrameTap other) {
        Wire wire = new Wire(link, System::nanoTime);
        FrameTap recorder = wire.new Recorder();
        link.tap(other == null ? recorder : recorder.and(other));
        wire.driver =
                Thread.ofPlatform().daemon().name("conform " + link.name()).start(wire::drive);
        return wire;
    }

    /** Frames that the link does not make leave here, and those of the peer's are heard here as they are. */
    public Wire framing(FrameOutlet value) {
        outlet = value;
        if (value != null) {
            value.hear(this::heard);
        }
        return this;
    }

    private void heard(byte[] bytes) {
        PeerFrame frame = PeerFrame.of(bytes, gid());
        Line line = frame == null ? null : lines.get(frame.destQp());
        if (line != null) {
            line.hears(frame);
        }
    }

    /** Where those frames leave; {@code null}: nowhere. */
    public FrameOutlet outlet() {
        return outlet;
    }

    private void drive() {
        try {
            while (!closed) {
                if (!turn()) {
                    link.await(LONGEST_SLEEP);
                }
            }
            turn();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Throws what has ended the thread that drives the link, if something has. */
    public void requireDriven() {
        if (failure != null) {
            throw failure;
        }
    }

    public Gid gid() {
        return link.gids().getFirst();
    }

    public Link link() {
        return link;
    }

    /** A queue pair that nobody else has. */
    public Line open() {
        return open(nextQpn.getAndAdd(OWN_QPNS) & 0xFF_FFFF);
    }

    /** The queue pair of this number. */
    public Line open(int qpn) {
        Line line = new Line(this, qpn);
        for (int own = 0; own < OWN_QPNS; own++) {
            given.add(qpn + own & 0xFF_FFFF);
        }
        lines.put(qpn, line);
        return line;
    }

    /** Lines that somebody has opened and not closed. */
    public int openLines() {
        return lines.size();
    }

    void forget(Line line) {
        lines.remove(line.qpn());
        gsi.forget(line);
    }

    /** Who gets what comes to queue pair 1. */
    Gsi gsi() {
        return gsi;
    }

    void send(Line line, Crafted... packets) {
        requireDriven();
        errands.add(() -> transmit(line, packets));
        link.wakeup();
    }

    /** Sends what waits, and hands out what has come. @return whether there was anything to do */
    public boolean turn() {
        boolean worked = false;
        for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
            errand.run();
            worked = true;
        }
        return link.poll(this::onPacket, clock.getAsLong()) > 0 || worked;
    }

    private void transmit(Line line, Crafted... packets) {
        current = List.of(line);
        int peerQpn = line.peerQpn();
        begun = true;
        line.speaks();
        Transmitter transmitter = link.transmitter();
        for (Crafted packet : packets) {
            byte[] bytes = packet.toBytes(peerQpn);
            if (Packet.parse(MemorySegment.ofArray(bytes), 0, bytes.length) instanceof Packet sent
                    && sent.bth().destQp() == MadHeader.GSI_QPN) {
                gsi.says(sent, line);
            }
            int port = packet.sourcePort() == 0 ? FIRST_SOURCE_PORT | peerQpn & 0x3FFF : packet.sourcePort();
            if (packet.framing() != null) {
                transmitter.flush(clock.getAsLong());
                frame(line, packet, port, bytes);
                continue;
            }
            Route route = routes.computeIfAbsent(
                    new RouteAttributes(line.peer(), port, packet.trafficClass(), 0), link::route);
            put(transmitter, route, bytes, packet.icrcXor());
        }
        transmitter.flush(clock.getAsLong());
    }

    /** A frame that does not leave is its line's trouble alone. */
    private void frame(Line line, Crafted packet, int port, byte[] bytes) {
        try {
            String refusal = put(line, packet, port, bytes);
            if (refusal != null) {
                line.refused(refusal);
            }
        } catch (ToolException e) {
            line.refused(e.getMessage());
        }
    }

    private String put(Line line, Crafted packet, int port, byte[] bytes) {
        FrameBuilder builder = FrameBuilder.roceV2(gid())
                .gids(gid(), line.peer())
                .macs(outlet.local(), outlet.remote())
                .udpPorts(port, UdpHeader.ROCE_V2_PORT);
        byte[] frame = packet.framing().frame(builder, bytes);
        String refusal = outlet.send(frame);
        if (refusal == null) {
            line.crossed(new Frame(clock.getAsLong(), true, frame));
        }
        return refusal;
    }

    /**
     * Gives a packet, from BTH to pad, to a link; the next flush sends it. What the room for headers takes is no payload to
     * the link: so a packet may be longer than any path MTU.
     */
    public static void put(Transmitter transmitter, Route route, byte[] packet, int icrcXor) {
        long at = transmitter.begin(route);
        int head = Math.min(packet.length, Transmitter.HEADER_ROOM);
        MemorySegment.copy(MemorySegment.ofArray(packet), 0, transmitter.headers(), at, head);
        if (packet.length > head) {
            transmitter.gather(MemoryBlock.of(MemorySegment.ofArray(packet)), head, packet.length - head);
        }
        transmitter.end(head, icrcXor);
    }

    /** Keeps each frame with the line that it belongs to. */
    private final class Recorder implements FrameTap {

        @Override
        public void sent(long now, MemorySegment frame, long offset, int length) {
            record(now, true, frame.asSlice(offset, length));
        }

        @Override
        public void received(long now, MemorySegment frame, long offset, int length, Rule decision) {
            record(now, false, frame.asSlice(offset, length));
            current = List.of();
        }

        private void record(long now, boolean sent, MemorySegment frame) {
            if (!current.isEmpty()) {
                Frame copy = new Frame(now, sent, frame.toArray(ValueLayout.JAVA_BYTE));
                current.forEach(line -> line.crossed(copy));
            }
        }
    }

    private Rule onPacket(MemorySegment memory, long offset, int length, PacketInfo info) {
        current = List.of();
        byte[] copy = new byte[length];
        MemorySegment.copy(memory, offset, MemorySegment.ofArray(copy), 0, length);
        if (!(Packet.parse(MemorySegment.ofArray(copy), 0, length) instanceof Packet packet)) {
            return Rule.TOO_SHORT;
        }
        Seen seen = Seen.of(clock.getAsLong(), packet, info);
        current = linesFor(packet, seen.from());
        if (current.isEmpty()) {
            return Rule.UNKNOWN_QP;
        }
        current.forEach(line -> line.arrives(seen));
        return Rule.ACCEPTED;
    }

    /** A packet to a queue pair that no line ever had is an answer gone astray: all see it that its sender may have meant. */
    private List<Line> linesFor(Packet packet, Gid from) {
        int qpn = packet.bth().destQp();
        Line line = lines.get(qpn);
        if (line != null) {
            return List.of(line);
        }
        if (qpn == MadHeader.GSI_QPN) {
            return gsi.linesFor(packet, from);
        }
        if (!begun) {
            given.add(qpn); // a run before this one has had it, and its peer goes on sending
        }
        return given.contains(qpn)
                ? List.of()
                : lines.values().stream().filter(it -> it.hasSpokenTo(from)).toList();
    }

    @Override
    public void close() {
        closed = true;
        link.wakeup();
        try {
            if (driver != null) {
                driver.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        link.close();
        if (outlet != null) {
            outlet.close();
        }
    }
}
