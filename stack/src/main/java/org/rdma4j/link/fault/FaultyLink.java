package org.rdma4j.link.fault;

import java.util.List;
import java.util.random.RandomGenerator;
import org.rdma4j.link.FrameTap;
import org.rdma4j.link.GidType;
import org.rdma4j.link.Link;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.Route;
import org.rdma4j.link.RouteAttributes;
import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Gid;

/**
 * Any link, with a bad network in front of it. Time is what {@link #poll} and {@link Transmitter#flush} are told, and
 * chance comes from the generator given, so a run in virtual time is repeated by its seed. A tap sees what goes on to the
 * link below: lost packets not at all, damaged ones as damaged.
 */
public final class FaultyLink implements Link {

    private final Link inner;
    private final FaultyTransmitter transmitter;
    private final FaultyReceiver receiver;

    /** Faults on the way out. */
    public FaultyLink(Link inner, Faults sending, RandomGenerator random) {
        this(inner, sending, Faults.NONE, random);
    }

    /**
     * Faults on both ways. On the way in packets can be lost, doubled and damaged, but not held: wrap the peer for that.
     *
     * @throws IllegalArgumentException for faults on the way in that would hold packets
     */
    public FaultyLink(Link inner, Faults sending, Faults receiving, RandomGenerator random) {
        this.inner = inner;
        this.transmitter = new FaultyTransmitter(inner.transmitter(), sending, random);
        this.receiver = new FaultyReceiver(inner.counters(), receiving, random);
    }

    /** Loses the packets on the way out that the filter picks, whatever else may happen to others. */
    public FaultyLink dropSent(PacketFilter filter) {
        transmitter.filter(filter);
        return this;
    }

    /** Loses the packets on the way in that the filter picks. */
    public FaultyLink dropReceived(PacketFilter filter) {
        receiver.filter(filter);
        return this;
    }

    /** What happened on the way out. */
    public FaultCounters sentFaults() {
        return transmitter.counters();
    }

    /** What happened on the way in. */
    public FaultCounters receivedFaults() {
        return receiver.counters();
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public List<Gid> gids() {
        return inner.gids();
    }

    @Override
    public int maxPathMtu() {
        return inner.maxPathMtu();
    }

    @Override
    public int interfaceMtu() {
        return inner.interfaceMtu();
    }

    @Override
    public GidType gidType() {
        return inner.gidType();
    }

    @Override
    public boolean isUp() {
        return inner.isUp();
    }

    @Override
    public int receiveBuffer() {
        return inner.receiveBuffer();
    }

    @Override
    public Route route(RouteAttributes attributes) {
        return inner.route(attributes);
    }

    @Override
    public void join(Gid group) {
        inner.join(group);
    }

    @Override
    public void leave(Gid group) {
        inner.leave(group);
    }

    @Override
    public Transmitter transmitter() {
        return transmitter;
    }

    @Override
    public int poll(PacketHandler handler, long now) {
        if (transmitter.sendDue(now)) {
            inner.transmitter().flush(now);
        }
        return inner.poll(receiver.around(handler), now);
    }

    @Override
    public long nextEvent() {
        return Math.min(transmitter.nextEvent(), inner.nextEvent());
    }

    @Override
    public boolean hasDuties() {
        return inner.hasDuties();
    }

    @Override
    public void await(long nanos) {
        inner.await(nanos);
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }

    @Override
    public void tap(FrameTap tap) {
        inner.tap(tap);
    }

    @Override
    public LinkCounters counters() {
        return inner.counters();
    }

    @Override
    public void close() {
        inner.close();
    }
}
