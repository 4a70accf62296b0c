package org.rdma4j.rocev2.ethernet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;
import org.rdma4j.link.Pieces;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;

/**
 * Makes whole frames of packets, each where the network takes it from, so that payload is copied once. The UDP checksum
 * is 0, over IPv6 too: the ICRC covers more than it would (RFC 6935 and 6936 allow it, RoCE hardware and Linux do it).
 * The IPv4 identification is 0, as packets are never cut (RFC 6864, 4.1).
 */
final class EthernetTransmitter implements Transmitter {

    private final Gid local;
    private final FrameOutlet outlet;
    private final FrameIo io;
    private final Neighbors neighbors;
    private final Groups groups;
    private final HeldFrames[] loopback;
    private final long mac;
    private final RoceIcrc icrc;
    private final CRC32 crc = new CRC32();
    private final MemorySegment headers = Arena.ofAuto().allocate(HEADER_ROOM, 64);
    private final Pieces pieces = new Pieces();
    private EthernetRoute route;

    /** @param loopback where frames of the port to itself wait: the first of the two takes them */
    EthernetTransmitter(
            PortConfig config, FrameOutlet outlet, Neighbors neighbors, Groups groups, HeldFrames[] loopback) {
        this.local = config.gid();
        this.mac = config.mac();
        this.outlet = outlet;
        this.io = outlet.io();
        this.neighbors = neighbors;
        this.groups = groups;
        this.loopback = loopback;
        this.icrc = new RoceIcrc(config.encapsulation());
    }

    @Override
    public long begin(Route to) {
        route = (EthernetRoute) to;
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
        int transportLength = headerLength + pieces.bytes() + 3 & ~3;
        Neighbor neighbor = route.neighbor;
        int room = Math.max(route.builder.frameLength(transportLength), 64);
        if (neighbor.hasMac() && !neighbor.isSelf) {
            long at = io.reserve(room);
            if (at < 0) {
                outlet.lost(1);
                return;
            }
            int length = write(io, at, headerLength, transportLength, icrcXor);
            if (route.isGroup && groups.contains(neighbor.high, neighbor.low)) {
                copyToSelf(at, length);
            }
            outlet.packet(at, length, transportLength);
            return;
        }
        HeldFrames held = neighbor.isSelf ? loopback[0] : neighbors.hold(neighbor);
        long at = held == null ? -1 : held.reserve(room);
        if (at < 0) {
            outlet.lost(1);
            return;
        }
        int length = write(held, at, headerLength, transportLength, icrcXor);
        if (neighbor.isSelf) {
            outlet.loopedBack(held.memory(), at, length, transportLength);
        }
        held.commit(length, transportLength);
    }

    /** The network does not bring back what we send, and a member of a group gets its own packets too. */
    private void copyToSelf(long at, int length) {
        long copy = loopback[0].reserve(length);
        if (copy >= 0) {
            MemorySegment.copy(io.memory(), at, loopback[0].memory(), copy, length);
            loopback[0].commit(length);
        }
    }

    /** Writes the frame; returns its length. */
    private int write(FrameSink sink, long at, int headerLength, int transportLength, int icrcXor) {
        MemorySegment memory = sink.memory();
        int bth = (int) at + route.builder.macs(mac, route.neighbor.mac()).writeHeaders(memory, at, transportLength);
        int payload = bth + headerLength;
        int end = bth + transportLength;
        MemorySegment.copy(headers, 0, memory, bth, headerLength);
        pieces.copyTo(memory, payload);
        for (int pad = payload + pieces.bytes(); pad < end; pad++) {
            memory.set(ValueLayout.JAVA_BYTE, pad, (byte) 0);
        }
        icrc.flow(
                local.high(),
                local.low(),
                route.remote().high(),
                route.remote().low(),
                route.sourcePort,
                route.destinationPort);
        crc.reset();
        crc.update(sink.view().limit(end).position(bth + Bth.LENGTH));
        int value = icrc.of(memory, bth, transportLength, 0, (int) crc.getValue());
        Icrc.write(memory, end, value ^ icrcXor);
        return Padding.toMinimum(memory, at, end + Icrc.LENGTH - (int) at);
    }

    @Override
    public void flush(long now) {
        outlet.now(now);
        outlet.flush();
    }
}
