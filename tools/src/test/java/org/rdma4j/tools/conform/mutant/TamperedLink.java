package org.rdma4j.tools.conform.mutant;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.tools.conform.craft.FrameOutlet;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Gid;

/** The hand-played side's link with a {@link Tamper} on it: seen from here, the device behind it is a mutant. */
public final class TamperedLink implements Link {

    private final Link link;
    private final Sender sender = new Sender();
    private final List<Tampered> answers = new ArrayList<>(); // on the device's behalf
    private Tamper tamper = new Tamper() {};
    private int lineQpn;
    private Route route;
    private PacketHandler handler;
    private PacketInfo info = new PacketInfo();

    public TamperedLink(Link link) {
        this.link = link;
    }

    /** From now on the device does this wrong. */
    public void tamper(Tamper next) {
        tamper(next, 0);
    }

    /** The same, towards this queue pair of the hand-played side's. */
    void tamper(Tamper next, int qpn) {
        tamper = next;
        lineQpn = qpn;
        answers.clear();
    }

    /** Where whole frames leave, through the same tamper. */
    FrameOutlet outlet(FrameOutlet plain) {
        return new FrameOutlet() {
            @Override
            public long local() {
                return plain.local();
            }

            @Override
            public long remote() {
                return plain.remote();
            }

            @Override
            public String send(byte[] frame) {
                byte[] taken = tamper.frameToDevice(frame.clone());
                return taken == null ? null : plain.send(taken);
            }

            @Override
            public void hear(Consumer<byte[]> ear) {
                plain.hear(frame -> {
                    byte[] seen = tamper.frameFromDevice(frame.clone());
                    if (seen != null) {
                        ear.accept(seen);
                    }
                });
            }

            @Override
            public void close() {
                plain.close();
            }
        };
    }

    private final Tamper.Ways ways = new Tamper.Ways() {
        @Override
        public void toDevice(Tampered packet) {
            sender.pass(packet);
        }

        @Override
        public void fromDevice(Tampered packet) {
            answers.add(packet);
        }

        @Override
        public int lineQpn() {
            return lineQpn;
        }
    };

    @Override
    public int poll(PacketHandler next, long now) {
        handler = next;
        int count = link.poll(this::arrived, now);
        sender.flush(now);
        for (Tampered answer : List.copyOf(answers)) {
            deliver(answer);
            count++;
        }
        answers.clear();
        return count;
    }

    private Rule arrived(MemorySegment packet, long offset, int length, PacketInfo from) {
        byte[] copy = new byte[length];
        MemorySegment.copy(packet, offset, MemorySegment.ofArray(copy), 0, length);
        info.remoteHigh = from.remoteHigh;
        info.remoteLow = from.remoteLow;
        tamper.fromDevice(new Tampered(copy, true, from.udpSourcePort, from.trafficClass), ways);
        return Rule.ACCEPTED;
    }

    private void deliver(Tampered packet) {
        if (packet.goodIcrc) {
            info.udpSourcePort = packet.sourcePort;
            info.trafficClass = packet.trafficClass;
            handler.onPacket(MemorySegment.ofArray(packet.bytes()), 0, packet.length(), info);
        }
    }

    private final class Sender implements Transmitter {

        private final byte[] room = new byte[HEADER_ROOM];
        private MemorySegment body = MemorySegment.NULL;

        @Override
        public long begin(Route way) {
            route = way;
            body = MemorySegment.NULL;
            return 0;
        }

        @Override
        public MemorySegment headers() {
            return MemorySegment.ofArray(room);
        }

        @Override
        public void gather(MemoryBlock block, long offset, int length) {
            body = block.segment().asSlice(offset, length);
        }

        @Override
        public void end(int headerLength, int icrcXor) {
            byte[] bytes = new byte[headerLength + (int) body.byteSize()];
            System.arraycopy(room, 0, bytes, 0, headerLength);
            MemorySegment.copy(body, 0, MemorySegment.ofArray(bytes), headerLength, body.byteSize());
            RouteAttributes way = route.attributes();
            info.remoteHigh = way.remote().high(); // what is answered on the device's behalf comes from it
            info.remoteLow = way.remote().low();
            tamper.toDevice(new Tampered(bytes, icrcXor == 0, way.udpSourcePort(), way.trafficClass()), ways);
        }

        void pass(Tampered packet) {
            byte[] bytes = packet.bytes();
            Transmitter transmitter = link.transmitter();
            RouteAttributes way = route.attributes();
            long at = transmitter.begin(link.route(
                    new RouteAttributes(way.remote(), way.udpSourcePort(), packet.trafficClass, way.hopLimit())));
            int head = Math.min(bytes.length, HEADER_ROOM);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, transmitter.headers(), at, head);
            if (bytes.length > head) {
                transmitter.gather(MemoryBlock.of(MemorySegment.ofArray(bytes)), head, bytes.length - head);
            }
            transmitter.end(head, packet.goodIcrc ? 0 : 1);
        }

        @Override
        public void flush(long now) {
            link.transmitter().flush(now);
        }
    }

    @Override
    public Transmitter transmitter() {
        return sender;
    }

    @Override
    public String name() {
        return link.name();
    }

    @Override
    public List<Gid> gids() {
        return link.gids();
    }

    @Override
    public int maxPathMtu() {
        return link.maxPathMtu();
    }

    @Override
    public int interfaceMtu() {
        return link.interfaceMtu();
    }

    @Override
    public int receiveBuffer() {
        return link.receiveBuffer();
    }

    @Override
    public Route route(RouteAttributes attributes) {
        return link.route(attributes);
    }

    @Override
    public void await(long nanos) {
        link.await(nanos);
    }

    @Override
    public void wakeup() {
        link.wakeup();
    }

    @Override
    public void tap(FrameTap tap) {
        link.tap(tap);
    }

    @Override
    public LinkCounters counters() {
        return link.counters();
    }

    @Override
    public void close() {
        link.close();
    }
}
