package org.rdma4j.link.fault;

import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;
import org.rdma4j.link.LinkCounters;
import org.rdma4j.link.PacketHandler;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;

/** Draws the fate of each packet that arrives, before the handler gets it. */
final class FaultyReceiver implements PacketHandler {

    private final LinkCounters linkCounters;
    private final Faults faults;
    private final RandomGenerator random;
    private final FaultCounters counters = new FaultCounters();
    private PacketFilter filter = PacketFilter.NOTHING;
    private PacketHandler handler;

    FaultyReceiver(LinkCounters linkCounters, Faults faults, RandomGenerator random) {
        if (faults.reorder() > 0 || faults.delayNanos() > 0 || faults.jitterNanos() > 0) {
            throw new IllegalArgumentException(
                    "reorder, delay and jitter work on the way out: set them on the sender's link");
        }
        this.linkCounters = linkCounters;
        this.faults = faults;
        this.random = random;
    }

    FaultCounters counters() {
        return counters;
    }

    void filter(PacketFilter next) {
        filter = next;
    }

    /** This, in front of the handler. */
    PacketHandler around(PacketHandler next) {
        handler = next;
        return this;
    }

    @Override
    public Rule onPacket(MemorySegment packet, long offset, int length, PacketInfo info) {
        if (filter.matches(counters.packets++, packet, offset, length)) {
            counters.filtered++;
            return Rule.INJECTED_LOSS;
        }
        if (strikes(faults.loss())) {
            counters.lost++;
            return Rule.INJECTED_LOSS;
        }
        if (strikes(faults.corrupt())) {
            counters.corrupted++;
            linkCounters.icrcErrors++;
            return Rule.ICRC_MISMATCH;
        }
        boolean twice = strikes(faults.duplicate());
        Rule decision = handler.onPacket(packet, offset, length, info);
        if (twice) {
            counters.duplicated++;
            handler.onPacket(packet, offset, length, info);
        }
        return decision;
    }

    private boolean strikes(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
