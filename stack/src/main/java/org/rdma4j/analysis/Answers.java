package org.rdma4j.analysis;

import java.util.Locale;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/**
 * The responses of a flow: what they acknowledge, refuse and bring, and what they make the requester do (IBTA volume 1,
 * 9.7.5). A requester takes the responses of READs and atomics in their order only; so does this.
 */
final class Answers {

    private final Flow flow;
    private final PsnLog log;
    private final AethChecks aeth;
    private int acknowledged;
    private long acknowledgedBy;
    private long lastProgress = Long.MIN_VALUE;

    /** The latest NAK or RNR NAK. */
    private Ask ask;

    /** The response that is missing. */
    private Ask hole;

    private int lastResponse;
    private boolean wentBack;

    /** The READ or atomic whose response comes next, and which of its PSNs. */
    private Message awaited;

    private int awaitedPsn;
    private int outstanding;
    private int bytesPerPacket;

    // What made the latest resend.
    private Resend reason = Resend.NONE;
    private long reasonFrame;
    private long waited;
    private int askedPsn;
    private long rnrNanos;

    Answers(Flow flow, int firstPsn) {
        this.flow = flow;
        this.log = new PsnLog(firstPsn);
        this.aeth = new AethChecks(flow);
        this.acknowledged = firstPsn;
        this.lastResponse = firstPsn;
    }

    /** All PSNs in front of this one are acknowledged. */
    int acknowledged() {
        return acknowledged;
    }

    /** The frame that said so. */
    long acknowledgedBy() {
        return acknowledgedBy;
    }

    /** True where a response that the requester has not followed yet makes it send this PSN. */
    boolean asksFor(int psn) {
        return isOpen(ask) && ask.psn == psn || isOpen(hole) && hole.psn == psn;
    }

    private static boolean isOpen(Ask asked) {
        return asked != null && !asked.isDone;
    }

    Resend reason() {
        return reason;
    }

    long reasonFrame() {
        return reasonFrame;
    }

    /** Nanoseconds from what made the requester go back, or from its last sign of life, until it did. */
    long waited() {
        return waited;
    }

    /** The PSN that was asked for. */
    int askedPsn() {
        return askedPsn;
    }

    long rnrNanos() {
        return rnrNanos;
    }

    /** The requester goes back to a packet's PSN: finds out why. */
    void explain(PacketView packet, long lastRequest) {
        askedPsn = packet.psn;
        rnrNanos = 0;
        Ask cause = cause(packet.psn);
        if (cause != null) {
            cause.isDone = true;
            wentBack = false;
            reason = cause.kind;
            reasonFrame = cause.frame;
            waited = packet.time - cause.time;
            askedPsn = cause.psn;
            rnrNanos = cause.nanos;
            return;
        }
        reason = Resend.UNSEEN;
        reasonFrame = 0;
        long since = Math.max(lastProgress, Math.max(lastRequest, flow.requests.time(packet.psn)));
        waited = since == Long.MIN_VALUE ? 0 : packet.time - since;
    }

    /** What asks for a PSN, or for one before it: the nearest. */
    private Ask cause(int psn) {
        Ask nearest = null;
        for (Ask each : new Ask[] {ask, hole}) {
            boolean isBefore = isOpen(each) && Psn.difference(psn, each.psn) >= 0;
            if (isBefore && (nearest == null || Psn.difference(each.psn, nearest.psn) > 0)) {
                nearest = each;
            }
        }
        return nearest;
    }

    /** A READ or an atomic was requested, for the first time or again. */
    void asked(Message message, PacketView packet, Findings findings) {
        message.learnBytesPerPacket(bytesPerPacket);
        if (message.requests != 1) {
            return;
        }
        outstanding++;
        flow.figures().mostOutstandingReads = Math.max(flow.figures().mostOutstandingReads, outstanding);
        if (awaited == null) {
            awaited = message;
            awaitedPsn = message.psn;
        }
        int limit = flow.announcement() == null ? 0 : flow.announcement().readDepth();
        if (limit > 0 && outstanding > limit) {
            int now = outstanding;
            findings.add(
                    FindingKind.READ_OVERCOMMIT,
                    packet,
                    flow.announcement().frame(),
                    flow,
                    () -> now + " READs and atomics outstanding, the responder takes " + limit);
        }
    }

    PacketPlace response(PacketView packet, Findings findings) {
        if (Opcode.hasAeth(packet.opcode)) {
            aeth.check(packet, findings);
        }
        boolean isData = Opcode.isReadResponse(packet.opcode) || Opcode.hasAtomicAckEth(packet.opcode);
        if (isData) {
            return data(packet, findings);
        }
        int syndrome = packet.syndrome;
        long cause = flow.requests.wasSeen(packet.psn) ? flow.requests.frame(packet.psn) : 0;
        if (Syndrome.isAck(syndrome)) {
            acknowledge(packet, findings);
        } else if (Syndrome.isRnrNak(syndrome)) {
            rnr(packet, findings);
        } else if (Syndrome.isNak(syndrome)) {
            nak(packet, findings);
        }
        return place(packet, 0, false, cause, PacketPlace.UNKNOWN, PacketPlace.UNKNOWN);
    }

    private void acknowledge(PacketView packet, Findings findings) {
        flow.figures().acks++;
        int psn = packet.psn;
        int relative = flow.relative(psn);
        if (Psn.difference(psn, flow.nextAtMost()) >= 0) {
            findings.add(
                    FindingKind.ACK_AHEAD,
                    packet,
                    0,
                    flow,
                    () -> "acknowledges PSN " + relative + ", which was not sent or not captured");
            return;
        }
        if (Psn.difference(psn, acknowledged) < -1) {
            long by = acknowledgedBy;
            findings.add(
                    FindingKind.GHOST_ACK,
                    packet,
                    by,
                    flow,
                    () -> "acknowledges PSN " + relative + ", which frame " + by
                            + " had acknowledged: the answer to a duplicate, or overtaken");
            return;
        }
        if (flow.requests.sends(psn) == 1 && flow.requests.wasSeen(psn)) {
            flow.figures().ackLatency.add(packet.time - flow.requests.time(psn));
        }
        if (awaited != null && Psn.difference(psn, awaitedPsn) >= 0) {
            hole(packet, Psn.next(psn), findings);
        }
        upTo(Psn.next(psn), packet);
    }

    private void upTo(int behind, PacketView packet) {
        int limit = awaited != null && Psn.difference(behind, awaitedPsn) > 0 ? awaitedPsn : behind;
        if (Psn.difference(limit, acknowledged) > 0) {
            acknowledged = limit;
            acknowledgedBy = packet.frame;
            lastProgress = packet.time;
            close(ask);
            close(hole);
        }
    }

    /** What is acknowledged is asked for no more. */
    private void close(Ask asked) {
        if (asked != null && Psn.difference(acknowledged, asked.psn) > 0) {
            asked.isDone = true;
        }
    }

    private void rnr(PacketView packet, Findings findings) {
        flow.figures().rnrs++;
        upTo(packet.psn, packet);
        long nanos = Syndrome.rnrNanos(Syndrome.value(packet.syndrome));
        ask = new Ask(Resend.RNR, packet.psn, packet, nanos);
        lastProgress = packet.time;
        int relative = flow.relative(packet.psn);
        long frame = flow.requests.frame(packet.psn);
        findings.add(
                FindingKind.RNR,
                packet,
                frame,
                flow,
                () -> String.format(
                        Locale.ROOT,
                        "no receive was posted for PSN %d (frame %d): again after %.2f ms at least",
                        relative,
                        frame,
                        nanos / 1e6));
    }

    private void nak(PacketView packet, Findings findings) {
        flow.figures().naks++;
        int psn = packet.psn;
        int relative = flow.relative(psn);
        boolean wasSeen = flow.requests.wasSeen(psn);
        boolean isRepeated = ask != null && ask.kind == Resend.NAK && ask.psn == psn && !ask.isDone;
        boolean isAssumed = flow.requests.isAssumed(psn);
        long frame = flow.requests.frame(psn);
        upTo(psn, packet);
        if (packet.syndrome != Syndrome.NAK_PSN_SEQUENCE) {
            String cause = Syndrome.toString(packet.syndrome);
            findings.add(
                    FindingKind.NAK_FATAL,
                    packet,
                    frame,
                    flow,
                    () -> cause + " for PSN " + relative + (wasSeen ? " (frame " + frame + ")" : "")
                            + ": the requester ends in the error state, and so does the responder (inferred)");
            return;
        }
        if (!isRepeated) {
            ask = new Ask(Resend.NAK, psn, packet, 0);
        }
        lastProgress = packet.time;
        String what = wasSeen && isAssumed
                ? "sent in frame " + frame + ", and its resend did not come by (inferred)"
                : wasSeen
                        ? "frame " + frame + " brought it: lost or not taken behind this point (inferred)"
                        : frame > 0
                                ? "missing in front of frame " + frame
                                : "it did not come by: lost before the capture (inferred)";
        findings.add(
                FindingKind.NAK,
                packet,
                frame,
                flow,
                () -> "the responder expects PSN " + relative + "; " + what + (isRepeated ? "; asked again" : ""));
    }

    private PacketPlace data(PacketView packet, Findings findings) {
        int psn = packet.psn;
        boolean wasSeen = log.wasSeen(psn);
        boolean isLate = !wasSeen && log.ahead(psn) < 0;
        if (Psn.difference(psn, lastResponse) <= 0) {
            wentBack = true;
        }
        lastResponse = psn;
        log.see(psn, true, packet.frame, packet.time, 0, awaited == null ? psn : awaitedPsn);
        int again = wasSeen ? Math.max(1, log.sends(psn) - 1) : 0;
        if (wasSeen) {
            flow.figures().repeatedResponses++;
        } else {
            flow.figures().payloadBytes += packet.payload;
        }
        Message message = flow.messages.answeredBy(psn);
        if (message == null) {
            return place(packet, again, isLate, 0, PacketPlace.UNKNOWN, PacketPlace.UNKNOWN);
        }
        boolean isEnd = Opcode.isLastOrOnly(packet.opcode);
        if (!isEnd) {
            message.learnBytesPerPacket(packet.payload);
            bytesPerPacket = packet.payload;
        }
        boolean wasLost = isLate && message.requests > 1;
        take(message, packet, isEnd, findings);
        long length = message.isRead ? message.length() : PacketPlace.UNKNOWN;
        long bytes = isEnd ? length : message.bytesUpTo(psn, packet.payload);
        return place(packet, wasLost ? 1 : again, isLate && !wasLost, message.frame, bytes, length);
    }

    private void take(Message message, PacketView packet, boolean isEnd, Findings findings) {
        int psn = packet.psn;
        if (awaited == null) {
            return;
        }
        int ahead = Psn.difference(psn, awaitedPsn);
        if (ahead > 0) {
            hole(packet, psn, findings);
            return;
        }
        if (ahead < 0) {
            return;
        }
        awaitedPsn = Psn.next(psn);
        if (isEnd) {
            outstanding--;
            flow.figures().readLatency.add(packet.time - message.start);
            awaited = flow.messages.answerableFrom(awaitedPsn);
            awaitedPsn = awaited == null ? awaitedPsn : awaited.psn;
            outstanding = awaited == null ? 0 : Math.max(1, outstanding);
        }
        upTo(Psn.next(psn), packet);
    }

    /** A response that says that the one awaited was lost. */
    private void hole(PacketView packet, int behind, Findings findings) {
        boolean isKnown = hole != null && hole.psn == awaitedPsn;
        if (isKnown && (!hole.isDone || !wentBack)) {
            return;
        }
        hole = new Ask(Resend.IMPLIED, awaitedPsn, packet, 0);
        int count = missingResponses(behind);
        flow.figures().lostResponses += count;
        int relative = flow.relative(awaitedPsn);
        long request = awaited.frame;
        findings.missing(
                FindingKind.RESPONSE_GAP,
                packet,
                request,
                flow,
                relative,
                count,
                () -> "the response PSN " + relative + " to frame " + request + " is missing"
                        + (count > 1 ? ", " + count + " responses in all" : "")
                        + ": lost before the capture (inferred); an implied NAK, the requester will ask again");
    }

    private int missingResponses(int behind) {
        int count = 0;
        int most = Math.min(Psn.difference(behind, awaitedPsn), 1 << 12);
        for (int index = 0; index < most; index++) {
            if (flow.messages.answeredBy(Psn.add(awaitedPsn, index)) != null) {
                count++;
            }
        }
        return Math.max(1, count);
    }

    private PacketPlace place(PacketView packet, int again, boolean isLate, long cause, long bytes, long length) {
        return new PacketPlace(
                flow,
                flow.relative(packet.psn),
                flow.firstPsn(),
                false,
                again,
                Resend.NONE,
                cause,
                isLate,
                0,
                bytes,
                length);
    }
}
