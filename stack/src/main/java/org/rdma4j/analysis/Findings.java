package org.rdma4j.analysis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.rdma4j.wire.Gid;

/** What was found in the packet at hand, and how much of each kind so far. */
final class Findings {

    private static final int MOST_PAIRS = 4096;

    private record Pair(Gid from, Gid to) {}

    private final List<Finding> latest = new ArrayList<>();
    private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
    private final Map<Pair, Long> damaged = new HashMap<>();

    void clear() {
        if (!latest.isEmpty()) {
            latest.clear();
        }
    }

    void add(FindingKind kind, PacketView packet, long other, Flow flow, Supplier<String> words) {
        add(new Finding(kind, packet.frame, packet.time, other, flow, words));
    }

    /** Packets that are missing. */
    void missing(
            FindingKind kind, PacketView packet, long other, Flow flow, int psn, int count, Supplier<String> words) {
        add(new Finding(kind, packet.frame, packet.time, other, flow, psn, count, words));
    }

    void add(Finding finding) {
        latest.add(finding);
        counts.merge(finding.kind(), 1L, Long::sum);
    }

    /** Those of the packet that was looked at last. */
    List<Finding> latest() {
        return latest;
    }

    /** How many there were. */
    Map<FindingKind, Long> counts() {
        return counts;
    }

    /** A frame from one host to another whose headers cannot be believed. */
    void damaged(Gid from, Gid to, long frame) {
        if (damaged.size() > MOST_PAIRS) {
            damaged.clear();
        }
        damaged.put(new Pair(from, to), frame);
    }

    /** The damaged frame between a flow's last request and this one; 0 where there is none. */
    long damagedBetween(Flow flow, PacketView packet) {
        if (damaged.isEmpty()) {
            return 0;
        }
        long frame = damaged.getOrDefault(new Pair(flow.from(), flow.to()), 0L);
        return frame > flow.requests.frame(flow.lastPsn()) && frame < packet.frame ? frame : 0;
    }
}
