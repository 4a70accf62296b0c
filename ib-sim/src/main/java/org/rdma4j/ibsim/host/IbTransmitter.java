package org.rdma4j.ibsim.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.rdma4j.ibsim.fabric.Directory;
import org.rdma4j.ibsim.fabric.Fabric;
import org.rdma4j.ibsim.fabric.FabricPacket;
import org.rdma4j.ibsim.fabric.PacketIcrc;
import org.rdma4j.ibsim.fabric.Port;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.Pieces;
import org.rdma4j.link.Route;
import org.rdma4j.link.Transmitter;
import org.rdma4j.memory.MemoryBlock;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.Icrc;
import org.rdma4j.wire.Lrh;
import org.rdma4j.wire.NetworkOrder;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Vcrc;

/**
 * Builds native InfiniBand packets. Datagrams have a GRH, from which their receiver learns who sent them; packets of
 * connections, which stay in the subnet, have none.
 */
final class IbTransmitter implements Transmitter {

    private static final int HOP_LIMIT = 64;
    private static final int WORD = 4;

    private final Fabric fabric;
    private final Port port;
    private final LinkCounters counters;
    private final MemorySegment headers = Arena.ofAuto().allocate(HEADER_ROOM, 8);
    private final Pieces pieces = new Pieces();
    private final PacketIcrc icrc = new PacketIcrc();
    private final ArrayDeque<FabricPacket> closed = new ArrayDeque<>();
    private IbRoute route;

    IbTransmitter(Port port, LinkCounters counters) {
        this.fabric = port.node().fabric();
        this.port = port;
        this.counters = counters;
    }

    @Override
    public long begin(Route to) {
        route = (IbRoute) to;
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
        boolean global = Opcode.service(Bth.opcode(headers, 0)) == Opcode.UD
                || route.remote().isMulticast();
        int bth = global ? Lrh.LENGTH + Grh.LENGTH : Lrh.LENGTH;
        int payload = pieces.bytes();
        int end = bth + headerLength + payload + (-payload & WORD - 1);
        FabricPacket packet = fabric.newPacket();
        MemorySegment bytes = packet.bytes();
        bytes.set(NetworkOrder.INT, (long) end - WORD, 0); // the pad, where there is one
        MemorySegment.copy(headers, 0, bytes, bth, headerLength);
        pieces.copyTo(bytes, (long) bth + headerLength);
        int lane = port.node().lanes().lane(0, port.number(), route.serviceLevel());
        int words = (end + Icrc.LENGTH) / WORD;
        int next = global ? Lrh.LNH_IBA_GLOBAL : Lrh.LNH_IBA_LOCAL;
        int source = port.settings().lid();
        Lrh.write(bytes, 0, lane, route.serviceLevel(), next, route.lid(), words, source);
        if (global) {
            writeGrh(bytes, end - bth + Icrc.LENGTH);
        }
        packet.setLength(end + Icrc.LENGTH + Vcrc.LENGTH);
        packet.leaveUnsealed(icrc, icrcXor);
        closed.addLast(packet);
    }

    private void writeGrh(MemorySegment bytes, int length) {
        Gid local = Directory.gidOf(port);
        int hops = route.attributes().hopLimit();
        Grh.write(
                bytes,
                Lrh.LENGTH,
                route.attributes().trafficClass(),
                0,
                length,
                Grh.NEXT_HEADER_IBA,
                hops == 0 ? HOP_LIMIT : hops,
                local.high(),
                local.low(),
                route.remote().high(),
                route.remote().low());
    }

    @Override
    public void flush(long now) {
        if (closed.isEmpty()) {
            return;
        }
        counters.sentTrains++;
        for (FabricPacket packet = closed.pollFirst(); packet != null; packet = closed.pollFirst()) {
            counters.sentPackets++;
            counters.sentBytes += packet.length();
            port.node().send(packet, port, fabric.events().now());
        }
    }
}
