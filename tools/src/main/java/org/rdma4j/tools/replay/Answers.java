package org.rdma4j.tools.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Packet;
import org.rdma4j.wire.Psn;

/**
 * Holds what a live peer sends against what its counterpart in the capture sent.
 *
 * <p>A packet is equal to one of the capture's that means the same. Plain ACKs are cumulative, and when they are sent is the
 * responder's choice (9.7.5.1.2): one of the capture's is given by any answer that acknowledges as much; one of the live
 * peer's is right where the capture acknowledges as much and the MSN is that of its PSN. A response to a READ that the
 * capture lacks, for it was lost there, is right where it is what the READ asks for.
 */
final class Answers {

    /** A packet of the capture's. */
    record Expected(int frame, Meaning meaning) {}

    private final int capturedOwnPsn;
    private final int capturedPeerPsn;
    private final SentRequests requests;
    private final List<Expected> captured = new ArrayList<>();
    private final Map<Integer, Set<Integer>> capturedMsns = new HashMap<>(); // of plain ACKs, by PSN
    private final Set<Meaning> capturedMeanings = new LinkedHashSet<>();
    private final Set<Meaning> live = new LinkedHashSet<>();
    private final Set<Ignored> ignored;
    private int liveOwnPsn;
    private int livePeerPsn;
    private int capturedUpTo = Integer.MIN_VALUE;
    private int liveUpTo = Integer.MIN_VALUE;
    private int msnBase;

    Answers(CapturedConnection.End own, CapturedConnection.End peer, Set<Ignored> ignored) {
        this.ignored = ignored;
        capturedOwnPsn = own.psn();
        capturedPeerPsn = peer.psn();
        requests = new SentRequests(own.psn());
    }

    /** The first PSNs of the acted side's requests and of the live peer's. */
    void startWith(int own, int peer) {
        liveOwnPsn = own;
        livePeerPsn = peer;
    }

    /** A request of the acted side's. */
    void requested(Packet packet) {
        requests.add(packet);
    }

    /** A packet of the peer's in the capture. */
    Expected captured(int frame, Packet packet) {
        requests.saw(packet);
        Meaning meaning = meaning(packet, capturedOwnPsn, capturedPeerPsn);
        Expected expected = new Expected(frame, meaning);
        captured.add(expected);
        capturedMeanings.add(meaning);
        if (!meaning.isRequest()) {
            capturedUpTo = Math.max(capturedUpTo, meaning.acknowledges());
        }
        if (meaning.isPlainAck()) {
            capturedMsns
                    .computeIfAbsent(meaning.psn(), any -> new LinkedHashSet<>())
                    .add(meaning.msn());
        }
        return expected;
    }

    /** The capture has been read. */
    void prepared() {
        captured.stream()
                .map(Expected::meaning)
                .filter(Meaning::isPlainAck)
                .findFirst()
                .ifPresent(first -> msnBase = first.msn() - requests.completed(first.psn()));
    }

    /** A packet of the live peer's. */
    void arrived(Packet packet) {
        Meaning meaning = meaning(packet, liveOwnPsn, livePeerPsn);
        live.add(meaning);
        if (!meaning.isRequest()) {
            liveUpTo = Math.max(liveUpTo, meaning.acknowledges());
        }
    }

    private Meaning meaning(Packet packet, int ownPsn, int peerPsn) {
        return Meaning.of(packet, Opcode.isRequest(packet.bth().opcode()) ? peerPsn : ownPsn, ignored);
    }

    private boolean isGiven(Meaning expected) {
        boolean isAcknowledged = expected.isPlainAck() && expected.psn() <= liveUpTo;
        return isAcknowledged || live.contains(expected) || expected.isRnr() && ignored.contains(Ignored.RNR);
    }

    /** Whether the live peer has said this, or something else in its place: there is nothing left to wait for. */
    boolean isSettled(Expected expected) {
        Meaning meaning = expected.meaning();
        return isGiven(meaning) || live.stream().anyMatch(each -> isInPlaceOf(each, meaning) && !isRight(each));
    }

    private static boolean isInPlaceOf(Meaning one, Meaning other) {
        return one.psn() == other.psn() && one.isRequest() == other.isRequest();
    }

    /** Whether the capture allows for this packet of the live peer's. */
    private boolean isRight(Meaning packet) {
        if (capturedMeanings.contains(packet) || packet.isRnr() && ignored.contains(Ignored.RNR)) {
            return true;
        }
        if (packet.isPlainAck()) {
            Set<Integer> msns = capturedMsns.get(packet.psn());
            boolean isMsnRight = packet.msn() == Meaning.NONE
                    || msns == null && packet.msn() == (msnBase + requests.completed(packet.psn()) & Psn.MASK);
            return packet.psn() <= capturedUpTo && isMsnRight;
        }
        return Opcode.isReadResponse(packet.opcode())
                && requests.mayBeAnsweredBy(packet.opcode(), packet.psn())
                && capturedMeanings.stream()
                        .anyMatch(each -> isInPlaceOf(each, packet)
                                && Opcode.isReadResponse(each.opcode())
                                && each.payload().equals(packet.payload()));
    }

    /** How many different things the capture's peer said. */
    int count() {
        return capturedMeanings.size();
    }

    /** Every difference in a line. */
    List<String> differences() {
        List<String> lines = new ArrayList<>();
        for (Meaning packet : live) {
            if (!isRight(packet)) {
                lines.add(place(packet) + inCapture(packet) + "the peer sent " + packet.text()
                        + payloadDifference(packet));
            }
        }
        Set<Meaning> named = new LinkedHashSet<>();
        for (Expected expected : captured) {
            Meaning meaning = expected.meaning();
            if (!isSettled(expected) && named.add(meaning)) {
                lines.add(place(meaning) + has(expected) + "the peer did not send it");
            }
        }
        return lines;
    }

    private static String place(Meaning packet) {
        return String.format(
                Locale.ROOT, "%s PSN %+d: ", packet.isRequest() ? "the peer's request" : "answer to", packet.psn());
    }

    private Expected counterpart(Meaning packet) {
        return captured.stream()
                .filter(each -> isInPlaceOf(each.meaning(), packet))
                .findFirst()
                .orElse(null);
    }

    private String inCapture(Meaning packet) {
        Expected counterpart = counterpart(packet);
        return counterpart == null ? "the capture has none, " : has(counterpart);
    }

    private static String has(Expected expected) {
        return "the capture has " + expected.meaning().text() + " (frame " + expected.frame() + "), ";
    }

    private String payloadDifference(Meaning packet) {
        Expected counterpart = counterpart(packet);
        return counterpart == null ? "" : counterpart.meaning().payloadDifference(packet);
    }
}
