package org.rdma4j.link.loop;

import java.util.List;
import java.util.zip.CRC32;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.LinkException;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.RoceIcrc;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Encapsulation;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Icrc;

/** One port of a {@link LoopNetwork}. */
final class LoopLink implements Link {

    /** Frames given to the handler in one {@link #poll} at most. */
    private static final int BATCH = 64;

    private final LoopNetwork network;
    private final String name;
    private final Gid gid;
    private final LoopQueue queue;
    private final LinkCounters counters = new LinkCounters();
    private final LoopTransmitter transmitter;
    private final PacketInfo info = new PacketInfo();
    private final LoopFrame[] batch = new LoopFrame[BATCH];
    private final RoceIcrc icrc;
    private final CRC32 crc = new CRC32();
    private FrameTap tap;

    LoopLink(LoopNetwork network, String name, Gid gid, int receiveBuffer) {
        this.network = network;
        this.name = name;
        this.gid = gid;
        this.queue = new LoopQueue(receiveBuffer);
        this.transmitter = new LoopTransmitter(network, gid, counters);
        this.icrc = new RoceIcrc(Encapsulation.roceV2(gid));
    }

    LoopQueue queue() {
        return queue;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Gid> gids() {
        return List.of(gid);
    }

    @Override
    public int maxPathMtu() {
        return LoopFrame.MAX_PAYLOAD;
    }

    @Override
    public int interfaceMtu() {
        return LoopNetwork.INTERFACE_MTU;
    }

    @Override
    public int receiveBuffer() {
        return queue.capacity();
    }

    /** A peer that is not there yet is no error: it may join later, and until then takes nothing. */
    @Override
    public Route route(RouteAttributes attributes) {
        requireSameFamily(attributes.remote());
        return new LoopRoute(gid, attributes);
    }

    private void requireSameFamily(Gid remote) {
        if (remote.isIpv4() != gid.isIpv4()) {
            throw new LinkException(
                    LinkException.Kind.UNREACHABLE,
                    name + " at " + gid + " cannot reach " + remote + ": one is IPv4, the other is not");
        }
    }

    @Override
    public void join(Gid group) {
        requireSameFamily(group);
        network.join(this, group);
    }

    @Override
    public void leave(Gid group) {
        network.leave(this, group);
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        int count = queue.take(batch);
        for (int i = 0; i < count; i++) {
            LoopFrame frame = batch[i];
            batch[i] = null;
            receive(frame, handler, now);
            frame.giveBack();
        }
        return count;
    }

    private void receive(LoopFrame frame, PacketHandler handler, long now) {
        int length = frame.transportLength;
        counters.receivedPackets++;
        counters.receivedBytes += length + Icrc.LENGTH;
        info.remoteHigh = frame.route.local().high();
        info.remoteLow = frame.route.local().low();
        info.localHigh = frame.route.remote().high();
        info.localLow = frame.route.remote().low();
        info.udpSourcePort = frame.route.attributes().udpSourcePort();
        info.trafficClass = frame.route.attributes().trafficClass();
        info.hopLimit = frame.hopLimit;
        Rule decision;
        if (length < Bth.LENGTH) {
            counters.malformed++;
            decision = Rule.TOO_SHORT;
        } else if (!icrcIsRight(frame)) {
            counters.icrcErrors++;
            decision = Rule.ICRC_MISMATCH;
        } else {
            decision = handler.onPacket(frame.memory, frame.bthOffset, length, info);
        }
        if (tap != null) {
            tap.received(now, frame.memory, 0, frame.length, decision);
        }
    }

    private boolean icrcIsRight(LoopFrame frame) {
        icrc.flow(
                info.remoteHigh,
                info.remoteLow,
                info.localHigh,
                info.localLow,
                info.udpSourcePort,
                LoopNetwork.UDP_PORT);
        int end = frame.bthOffset + frame.transportLength;
        crc.reset();
        crc.update(frame.view.limit(end).position(frame.bthOffset + Bth.LENGTH));
        int value = icrc.of(frame.memory, frame.bthOffset, frame.transportLength, 0, (int) crc.getValue());
        return value == Icrc.read(frame.memory, end);
    }

    @Override
    public void await(long nanos) {
        queue.await(nanos);
    }

    @Override
    public void wakeup() {
        queue.wakeup();
    }

    @Override
    public void tap(FrameTap next) {
        tap = next;
        transmitter.tap(next);
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        network.leave(this);
    }
}
