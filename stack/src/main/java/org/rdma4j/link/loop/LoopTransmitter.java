package org.rdma4j.link.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.zip.CRC32;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.Pieces;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.FrameBuilder;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;

/** Builds each packet into a frame of its own, and hands the frames to the network when it is flushed. */
final class LoopTransmitter implements Transmitter {

    private static final int HOP_LIMIT = 64;

    private final LoopNetwork network;
    private final Gid local;
    private final LinkCounters counters;
    private final RoceIcrc icrc;
    private final MemorySegment headers = Arena.ofAuto().allocate(HEADER_ROOM, 8);
    private final FrameBuilder builder;
    private final CRC32 crc = new CRC32();
    private final Pieces pieces = new Pieces();
    private final ArrayDeque<LoopFrame> closed = new ArrayDeque<>();
    private LoopRoute route;
    private FrameTap tap;

    LoopTransmitter(LoopNetwork network, Gid local, LinkCounters counters) {
        this.network = network;
        this.local = local;
        this.counters = counters;
        this.icrc = new RoceIcrc(Encapsulation.roceV2(local));
        this.builder = FrameBuilder.roceV2(local);
    }

    void tap(FrameTap next) {
        tap = next;
    }

    @Override
    public long begin(Route to) {
        route = (LoopRoute) to;
        pieces.clear();
        return 0;
    }

    @Override
    public MemorySegment headers() {
        return headers;
    }

    @Override
    public void gather(MemoryBlock block, long offset, int length) {
        pieces.add(block, offset, length);
    }

    @Override
    public void end(int headerLength, int icrcXor) {
        int unpadded = headerLength + pieces.bytes();
        if (pieces.bytes() > LoopFrame.MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                    pieces.bytes() + " bytes of payload are more than the largest path MTU, " + LoopFrame.MAX_PAYLOAD);
        }
        LoopFrame frame = LoopFrame.take();
        frame.route = route;
        frame.transportLength = unpadded + (-unpadded & 3);
        frame.bthOffset = writeNetworkHeaders(frame);
        frame.length = frame.bthOffset + frame.transportLength + Icrc.LENGTH;
        int payloadAt = frame.bthOffset + headerLength;
        int end = frame.bthOffset + frame.transportLength;
        MemorySegment.copy(headers, 0, frame.memory, frame.bthOffset, headerLength);
        for (int at = frame.bthOffset + unpadded; at < end; at++) {
            frame.memory.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
        pieces.copyTo(frame.memory, payloadAt);

        icrc.flow(
                local.high(),
                local.low(),
                route.remote().high(),
                route.remote().low(),
                route.attributes().udpSourcePort(),
                LoopNetwork.UDP_PORT);
        crc.reset();
        crc.update(frame.view.limit(end).position(frame.bthOffset + Bth.LENGTH));
        int value = icrc.of(frame.memory, frame.bthOffset, frame.transportLength, 0, (int) crc.getValue());
        Icrc.write(frame.memory, end, value ^ icrcXor);
        closed.addLast(frame);
    }

    private int writeNetworkHeaders(LoopFrame frame) {
        int hopLimit = route.attributes().hopLimit();
        frame.hopLimit = hopLimit != 0 ? hopLimit : HOP_LIMIT;
        builder.gids(
                        local.high(),
                        local.low(),
                        route.remote().high(),
                        route.remote().low())
                .udpPorts(route.attributes().udpSourcePort(), LoopNetwork.UDP_PORT)
                .trafficClass(route.attributes().trafficClass())
                .hopLimit(frame.hopLimit);
        return builder.writeHeaders(frame.memory, 0, frame.transportLength);
    }

    /** Frames in a row to one link come there at once, as the datagrams of a train do. */
    @Override
    public void flush(long now) {
        if (closed.isEmpty()) {
            return;
        }
        counters.sentTrains++;
        while (!closed.isEmpty()) {
            Gid remote = closed.peekFirst().route.remote();
            LoopQueue queue = network.queueOf(remote);
            if (queue != null) {
                queue.hold();
            }
            try {
                while (!closed.isEmpty() && closed.peekFirst().route.remote().equals(remote)) {
                    deliver(closed.pollFirst(), now);
                }
            } finally {
                if (queue != null) {
                    queue.release();
                }
            }
        }
    }

    private void deliver(LoopFrame frame, long now) {
        if (tap != null) {
            tap.sent(now, frame.memory, 0, frame.length);
        }
        int bytes = frame.transportLength + Icrc.LENGTH;
        if (network.deliver(frame)) {
            counters.sentPackets++;
            counters.sentBytes += bytes;
        } else {
            counters.sendErrors++;
            frame.giveBack();
        }
    }
}
