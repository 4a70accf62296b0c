package org.rdma4j.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.RoceFrame;

/**
 * Follows the connections of a capture. It is fed frames in their order, one by one, and tells of each where it stands in
 * its conversation and what is to be found. It does no I/O and holds a bounded number of connections, however long the
 * capture is.
 */
public final class Analyzer {

    /** DCQCN's notification point sends one notification in 50 µs at most. */
    private static final long CNP_NANOS = 50_000;

    private static final int MOST_NOTIFIED = 4096;

    private record Notified(Gid from, Gid to, int queuePair) {}

    private record Notice(long frame, long time) {}

    private final FlowTable flows = new FlowTable();
    private final PacketView packet = new PacketView();
    private final Findings findings = new Findings();
    private final Handshakes handshakes = new Handshakes(this);
    private final Map<Notified, Notice> notified = new HashMap<>();

    public Analyzer() {}

    /**
     * Looks at a frame whose ICRC is right, or was not kept.
     *
     * @param frame its number in the capture, from 1 on
     * @param time when it was captured, nanoseconds
     */
    public PacketPlace packet(long frame, long time, RoceFrame roce) {
        findings.clear();
        if (!packet.set(roce, frame, time)) {
            return PacketPlace.NOWHERE;
        }
        if (Opcode.isRequest(packet.opcode)) {
            PacketPlace place = flows.ofRequest(packet).request(packet, findings);
            if (packet.destQp == 1 && packet.service() == Opcode.UD) {
                handshakes.datagram(packet);
            }
            return place;
        }
        if (Opcode.isResponse(packet.opcode)) {
            Flow answered = flows.ofResponse(packet);
            return answered == null ? PacketPlace.NOWHERE : answered.response(packet, findings);
        }
        if (packet.opcode == Opcode.CNP) {
            notification();
        }
        return PacketPlace.NOWHERE;
    }

    /**
     * Looks at a frame of which nothing but its addresses can be believed, if those.
     *
     * @param words what to say of it, for those who ask
     */
    public void damaged(long frame, long time, RoceFrame roce, Supplier<String> words) {
        findings.clear();
        findings.damaged(roce.source(), roce.destination(), frame);
        findings.add(new Finding(FindingKind.BAD_ICRC, frame, time, 0, null, words));
    }

    /** Adds what was found elsewhere in the frame at hand. */
    public void found(FindingKind kind, long frame, long time, String words) {
        findings.add(new Finding(kind, frame, time, 0, null, () -> words));
    }

    /** A frame begins that is not one for {@link #packet} or {@link #damaged}. */
    public void other() {
        findings.clear();
    }

    /** Takes note of what two ends agreed on. */
    public void announce(Announcement announcement, long time) {
        flows.announce(announcement);
        findings.add(new Finding(
                FindingKind.CONNECTION,
                announcement.frame(),
                time,
                0,
                null,
                () -> String.format(
                        Locale.ROOT,
                        "%s: QP 0x%06x to QP 0x%06x starts with PSN %d%s",
                        announcement.said(),
                        announcement.answerQp(),
                        announcement.destQp(),
                        announcement.firstPsn(),
                        announcement.mtu() > 0 ? ", path MTU " + announcement.mtu() : "")));
    }

    private void notification() {
        Gid from = packet.source();
        Gid to = packet.destination();
        for (Flow flow : flows.sentBy(to, from, packet.destQp)) {
            flow.figures().cnps++;
        }
        if (notified.size() > MOST_NOTIFIED) {
            notified.clear();
        }
        Notice before = notified.put(new Notified(from, to, packet.destQp), new Notice(packet.frame, packet.time));
        if (before != null && packet.time - before.time < CNP_NANOS) {
            long since = packet.time - before.time;
            findings.add(
                    FindingKind.CNP_FREQUENT,
                    packet,
                    before.frame,
                    null,
                    () -> String.format(
                            Locale.ROOT,
                            "%.1f µs behind the one in frame %d; DCQCN sends one in 50 µs at most",
                            since / 1e3,
                            before.frame));
        }
    }

    /** The capture is over: what only its end shows. */
    public List<Finding> end() {
        findings.clear();
        for (Flow flow : flows.all()) {
            FlowFigures figures = flow.figures();
            if (figures.marked() > 0 && figures.cnps() == 0) {
                findings.add(new Finding(
                        FindingKind.ECN_WITHOUT_CNP,
                        0,
                        figures.lastTime,
                        0,
                        flow,
                        () -> figures.marked() + " packets marked \"congestion experienced\", and no notification"));
            }
        }
        return List.copyOf(findings.latest());
    }

    /** What was found in the frame that was looked at last. */
    public List<Finding> findings() {
        return findings.latest();
    }

    /** How much was found of each kind. */
    public Map<FindingKind, Long> counts() {
        return findings.counts();
    }

    /** The flows that are remembered, in the order in which they began. */
    public List<Flow> flows() {
        return flows.all();
    }
}
