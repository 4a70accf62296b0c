package org.rdma4j.trace;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Malformed;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.ParsedPacket;
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

    /** Columns that lines keep to, where what they have to say lets them. */
    public static final int WIDTH = 100;

    private static final int BETWEEN = 32;
    private static final String TO_ARROW = " ".repeat(13);
    private static final int MOST_PAIRS = 10_000;

    /** Not accepted, and yet what the packet was sent for: no cross. */
    private static final Set<Rule> TAKEN = EnumSet.of(Rule.NAK_RECEIVED, Rule.RNR_NAK_RECEIVED, Rule.CNP_IGNORED);

    private record Ends(Gid left, Gid right) {}

    private final Consumer<String> lines;
    private final Streams streams = new Streams();
    private final Map<Ends, Ends> pairs = new HashMap<>();
    private Ends drawn;
    private long start;
    private boolean started;

    /** @param lines gets each line as it is drawn, without its end */
    public Ladder(Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Draws a packet.
     *
     * @param nanos when it was seen, by any clock; times are shown from the first packet on
     * @param decision what its receiver decided; null where that is not known
     */
    public void packet(long nanos, RoceFrame frame, Rule decision) {
        ParsedPacket parsed = frame.packet();
        if (!started) {
            started = true;
            start = nanos;
        }
        Ends ends = endsOf(frame);
        if (!ends.equals(drawn)) {
            header(frame, ends);
            drawn = ends;
        }
        Rule known = decision == null && !frame.icrcIsRight() ? Rule.ICRC_MISMATCH : decision;
        String time = String.format(Locale.ROOT, "%11.3f  ", (nanos - start) / 1000.0);
        switch (parsed) {
            case Packet packet -> draw(time, frame, packet, ends, known);
            case Malformed broken -> {
                String label = Opcode.shortName(Bth.opcode(frame.segment(), frame.bthOffset()));
                lines.accept(time + arrow(label, isRightward(frame, ends, false), false, Rule.TOO_SHORT));
                below(broken.rule().id() + ": " + broken.reason());
            }
        }
    }

    /** Puts a line of words between the packets. */
    public void note(String words) {
        lines.accept(TO_ARROW + words);
    }

    private void draw(String time, RoceFrame frame, Packet packet, Ends ends, Rule decision) {
        // A packet that was damaged on the way says nothing that could be relied on.
        PacketPlace place = decision == Rule.ICRC_MISMATCH ? PacketPlace.NOWHERE : streams.place(frame, packet);
        boolean rightward =
                isRightward(frame, ends, Opcode.isResponse(packet.bth().opcode()));
        String arrow = arrow(LadderText.label(packet), rightward, place.again() > 0, decision);
        String psn = place.isKnown()
                ? String.valueOf(place.relativePsn())
                : "=" + packet.bth().psn();
        String columns =
                String.format(Locale.ROOT, " 0x%06x %6s  ", packet.bth().destQp(), psn);
        lines.accept((time + arrow + columns + LadderText.facts(frame, packet, place)).stripTrailing());
        LadderText.message(packet).ifPresent(this::below);
        if (decision != null && decision != Rule.ACCEPTED && decision != Rule.ACCEPTED_ACK) {
            below(RuleComment.of(decision));
        }
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

    private void header(RoceFrame frame, Ends ends) {
        String left = LadderText.end(frame.encapsulation(), ends.left);
        String right = LadderText.end(frame.encapsulation(), ends.right);
        if (drawn != null) {
            lines.accept("");
        }
        int gap = BETWEEN + 2 - left.length() - right.length();
        if (gap < 1) {
            lines.accept(TO_ARROW + left); // two long IPv6 addresses: one above the other
            left = "";
            gap = Math.max(0, BETWEEN + 2 - right.length());
        }
        String names = left + " ".repeat(gap) + right;
        lines.accept("         µs  " + names + " to QP       PSN");
    }

    private static String arrow(String label, boolean rightward, boolean again, Rule decision) {
        String line = again ? "╌" : "─";
        boolean isLost = decision == Rule.INJECTED_LOSS;
        boolean isTaken = decision == null || decision.accepted() || TAKEN.contains(decision);
        int end = isLost ? BETWEEN - 5 : BETWEEN;
        int length = Math.max(1, end - 5 - label.length());
        String head = isTaken ? rightward ? "▶" : "◀" : "✕";
        String room = " ".repeat(BETWEEN - end);
        return rightward
                ? "│" + line.repeat(2) + " " + label + " " + line.repeat(length) + head + room + "│"
                : "│" + room + head + line.repeat(length) + " " + label + " " + line.repeat(2) + "│";
    }

    /** What a message says or why it was refused, below its arrow; broken between words. */
    private void below(String words) {
        StringBuilder line = new StringBuilder(TO_ARROW).append("└");
        for (String word : words.split(" ")) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.accept(line.toString());
                line.setLength(0);
                line.append(TO_ARROW).append(" ");
            }
            line.append(' ').append(word);
        }
        lines.accept(line.toString());
    }
}
