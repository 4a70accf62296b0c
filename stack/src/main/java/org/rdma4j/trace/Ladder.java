package org.rdma4j.trace;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rdma4j.analysis.Analyzer;
import org.rdma4j.analysis.Finding;
import org.rdma4j.analysis.FindingKind;
import org.rdma4j.analysis.PacketPlace;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.RoceFrame;

/**
 * Draws conversations as ladders in text: one line a packet, in the order in which they are given.
 *
 * <pre>
 *          µs  10.0.0.1                  10.0.0.2 to QP       PSN
 *       0.000  │── SEND only ──────────────────✕│ 0x000012      0  16 B  AckReq
 *              └ RNR-01: no receive is posted: RNR NAK [9.7.5]
 *      15.100  │◀──────────── RNR NAK 0.01 ms ──│ 0x000011      0  MSN 0
 *      27.000  │╌╌ SEND only ╌╌╌╌╌╌╌╌╌╌╌╌╌✕     │ 0x000012      0  16 B  AckReq  again
 *              └ FLT-01: lost on purpose by the fault injector
 * </pre>
 *
 * A broken line is a packet that was sent before, a cross one that did not arrive or was not taken. PSNs count from the
 * first one seen of each connection; behind {@code =} stands one as it is on the wire, where its connection is not known.
 */
public final class Ladder {

    /** Columns that lines keep to. */
    public static final int WIDTH = 100;

    private static final int MOST_PAIRS = 10_000;

    /** Not accepted, and yet what the packet was sent for: no cross. */
    private static final Set<Rule> TAKEN =
            EnumSet.of(Rule.NAK_RECEIVED, Rule.RNR_NAK_RECEIVED, Rule.CNP_IGNORED, Rule.CNP_HANDLED);

    private static final List<String> HEADINGS = List.of("to QP", "PSN");

    private record Ends(Gid left, Gid right) {}

    /**
     * Between whom the arrows are drawn.
     *
     * @param headings of the two columns behind the arrows
     */
    public record Sides(String left, String right, List<String> headings) {

        public Sides {
            headings = List.copyOf(headings);
        }
    }

    private final LadderPainter painter;
    private final Analyzer analyzer = new Analyzer();
    private final Map<Ends, Ends> pairs = new HashMap<>();
    private Sides drawn;
    private long start;
    private boolean started;

    /** @param lines gets each line as it is drawn, without its end */
    public Ladder(Consumer<String> lines) {
        this(new TextPainter(lines, false));
    }

    /** A ladder in another form. */
    public Ladder(LadderPainter painter) {
        this.painter = painter;
    }

    /** A ladder in text, with the numbers of the frames. */
    public static Ladder numbered(Consumer<String> lines) {
        return new Ladder(new TextPainter(lines, true));
    }

    /**
     * Draws a packet.
     *
     * @param nanos when it was seen, by any clock; times are shown from the first packet on
     * @param decision what its receiver decided; null where that is not known
     */
    public void packet(long nanos, RoceFrame frame, Rule decision) {
        Rule known = decision == null && !frame.icrcIsRight() ? Rule.ICRC_MISMATCH : decision;
        // A packet that was damaged on the way says nothing that could be relied on.
        PacketPlace place = known == Rule.ICRC_MISMATCH ? PacketPlace.NOWHERE : analyzer.packet(0, nanos, frame);
        packet(0, nanos, frame, known, place, List.of());
    }

    /**
     * Draws a packet that was analyzed.
     *
     * @param number its frame in the capture
     * @param place where it stands in its conversation
     * @param findings what there is to say about it
     */
    public void packet(
            long number, long nanos, RoceFrame frame, Rule decision, PacketPlace place, List<Finding> findings) {
        Ends ends = endsOf(frame);
        between(new Sides(
                LadderText.end(frame.encapsulation(), ends.left),
                LadderText.end(frame.encapsulation(), ends.right),
                HEADINGS));
        double micros = micros(nanos);
        findings.forEach(finding -> missing(finding, ends, micros));
        switch (frame.packet()) {
            case Packet packet -> draw(number, micros, frame, packet, ends, decision, place);
            case Malformed broken -> {
                String label = Opcode.shortName(frame.opcode());
                painter.arrow(new LadderPainter.Arrow(
                        number,
                        micros,
                        label,
                        isRightward(frame, ends, false),
                        false,
                        LadderPainter.Kind.REQUEST,
                        LadderPainter.Head.REFUSED,
                        "",
                        List.of()));
                painter.below(broken.rule().id() + ": " + broken.reason());
            }
        }
        findings.stream().filter(finding -> finding.count() == 0).forEach(finding -> painter.below(finding.line()));
    }

    /** What is drawn next is between these two. */
    public void between(Sides sides) {
        if (!sides.equals(drawn)) {
            painter.ends(sides.left, sides.right, sides.headings, drawn == null);
            drawn = sides;
        }
    }

    /** Draws what is no packet of RoCE or InfiniBand; {@link #between} has said whose it is. */
    public void arrow(LadderPainter.Arrow arrow) {
        painter.arrow(arrow);
    }

    /** What there is to say about the arrow before. */
    public void below(String words) {
        painter.below(words);
    }

    /** What an arrow's {@code micros} are for something seen at {@code nanos}. */
    public double micros(long nanos) {
        if (!started) {
            started = true;
            start = nanos;
        }
        return (nanos - start) / 1000.0;
    }

    /** Puts a line of words between the packets. */
    public void note(String words) {
        painter.note(words);
    }

    /** What did not come by, drawn in front of what shows it. */
    private void missing(Finding finding, Ends ends, double micros) {
        if (finding.count() == 0) {
            return;
        }
        boolean isRequest = finding.kind() == FindingKind.GAP;
        boolean isFromLeft = finding.flow().from().equals(ends.left);
        String label = "missing: " + LadderText.psns(finding.psn(), finding.count());
        String why = finding.other() > 0 && isRequest
                ? "frame " + finding.other() + ", damaged, in its place"
                : isRequest ? "lost or overtaken (inferred)" : "lost (inferred): implied NAK";
        painter.arrow(new LadderPainter.Arrow(
                0,
                micros,
                label,
                isFromLeft == isRequest,
                false,
                LadderPainter.Kind.MISSING,
                LadderPainter.Head.LOST,
                "",
                List.of(why)));
    }

    private void draw(
            long number, double micros, RoceFrame frame, Packet packet, Ends ends, Rule decision, PacketPlace place) {
        int opcode = packet.bth().opcode();
        boolean rightward = isRightward(frame, ends, Opcode.isResponse(opcode));
        String psn = place.isKnown()
                ? String.valueOf(place.relativePsn())
                : "=" + packet.bth().psn();
        String columns =
                String.format(Locale.ROOT, " 0x%06x %6s  ", packet.bth().destQp(), psn);
        painter.arrow(new LadderPainter.Arrow(
                number,
                micros,
                LadderText.label(packet),
                rightward,
                place.again() > 0,
                LadderText.kind(packet),
                head(decision),
                columns,
                LadderText.facts(frame, packet, place)));
        LadderText.message(packet).ifPresent(painter::below);
        if (decision != null && decision != Rule.ACCEPTED && decision != Rule.ACCEPTED_ACK) {
            painter.below(RuleComment.of(decision));
        }
    }

    private static LadderPainter.Head head(Rule decision) {
        if (decision == Rule.INJECTED_LOSS) {
            return LadderPainter.Head.LOST;
        }
        boolean isTaken = decision == null || decision.accepted() || TAKEN.contains(decision);
        return isTaken ? LadderPainter.Head.TAKEN : LadderPainter.Head.REFUSED;
    }

    private Ends endsOf(RoceFrame frame) {
        Ends forward = new Ends(frame.source(), frame.destination());
        Ends backward = new Ends(frame.destination(), frame.source());
        if (pairs.size() > MOST_PAIRS) {
            pairs.clear();
        }
        return pairs.containsKey(backward) ? backward : pairs.computeIfAbsent(forward, same -> same);
    }

    /** Where both ends have one address, requests go to the right and responses to the left. */
    private static boolean isRightward(RoceFrame frame, Ends ends, boolean isResponse) {
        return ends.left.equals(ends.right) ? !isResponse : frame.source().equals(ends.left);
    }
}
