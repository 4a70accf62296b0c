package org.rdma4j.analysis;

import java.util.Locale;
import java.util.function.Supplier;
import org.rdma4j.wire.Psn;

/**
 * Tells packets that a requester sent again from those that were overtaken or doubled, and finds out what made it go back
 * (go-back-N, IBTA volume 1, 9.7.5 and 9.7.6).
 */
final class Rewinds {

    /** The network makes its copies at once; no requester that nobody asked is so fast. */
    private static final long COPY_NANOS = 50_000;

    /** No network holds a packet back so long: what is missing that long was lost. */
    private static final long LATE_AT_MOST = 20_000_000;

    /** Less than this is no timeout. */
    private static final long TIMEOUT_AT_LEAST = 500_000;

    /** Who acts on a NAK does so earlier. */
    private static final long SURELY_TIMEOUT = 30_000_000;

    /** T_tr to 4 T_tr is what the standard leaves (C9-140). */
    private static final int LATEST_TIMEOUT = 4;

    /** What a request turned out to be. */
    record Verdict(Resend resend, long cause, boolean isLate) {

        static final Verdict NEW = new Verdict(Resend.NONE, 0, false);
        static final Verdict LATE = new Verdict(Resend.NONE, 0, true);
    }

    private final Flow flow;
    private boolean running;
    private int round;
    private Resend reason = Resend.NONE;
    private long reasonFrame;
    private long lastTime = Long.MIN_VALUE;

    Rewinds(Flow flow) {
        this.flow = flow;
    }

    /**
     * @param rest the READ that the packet asks for the rest of, or null
     * @param missing how many packets are missing in front of a new one
     */
    Verdict judge(PacketView packet, boolean isNew, Message rest, int missing, Findings findings) {
        Verdict verdict = decide(packet, isNew, rest, missing, findings);
        lastTime = packet.time;
        return verdict;
    }

    private Verdict decide(PacketView packet, boolean isNew, Message rest, int missing, Findings findings) {
        boolean isRest = rest != null;
        int psn = packet.psn;
        if (isNew) {
            endRun(packet, findings);
            if (missing > 0) {
                gap(packet, Psn.add(psn, -missing), missing, findings);
            }
            return Verdict.NEW;
        }
        if (!flow.isReliable()) {
            return flow.requests.wasSeen(psn) ? Verdict.NEW : Verdict.LATE;
        }
        boolean isAssumed = !isRest && flow.requests.isAssumed(psn);
        if (!isRest && !isAssumed && isCopy(packet)) {
            findings.add(FindingKind.DUPLICATE, packet, flow.requests.frame(psn), flow, copyWords(packet));
            flow.figures().copies++;
            return new Verdict(Resend.COPY, flow.requests.frame(psn), false);
        }
        boolean goesOn = running && Psn.difference(psn, flow.lastPsn()) > 0;
        int before = isRest ? rest.requests : flow.requests.sends(psn) - (isAssumed ? 1 : 0);
        boolean starts = !goesOn || before > round + 1;
        if (isAssumed && !goesOn && isOvertaken(packet)) {
            late(packet, findings);
            return Verdict.LATE;
        }
        if (starts) {
            start(packet, before, findings);
        } else {
            skipped(packet, flow.behind(flow.lastPsn()), psn, findings);
        }
        flow.figures().resent++;
        return new Verdict(reason, reasonFrame, false);
    }

    private boolean isCopy(PacketView packet) {
        int psn = packet.psn;
        if (!flow.requests.wasSeen(psn) || flow.answers.asksFor(psn)) {
            return false;
        }
        long since = packet.time - flow.requests.time(psn);
        int mark = packet.identification();
        return mark == 0
                ? psn == flow.lastPsn() && since < COPY_NANOS
                : mark == flow.requests.mark(psn) && since < LATE_AT_MOST;
    }

    private Supplier<String> copyWords(PacketView packet) {
        int psn = flow.relative(packet.psn);
        long frame = flow.requests.frame(packet.psn);
        return () -> "PSN " + psn + " is there twice, in frame " + frame + " too: the network made a copy (inferred)";
    }

    /** Missing until now, and nobody asked for it: it left before those that came first. */
    private boolean isOvertaken(PacketView packet) {
        boolean isAskedFor = flow.answers.asksFor(packet.psn);
        boolean wasQuiet = packet.time - lastTime > LATE_AT_MOST;
        return !isAskedFor && !wasQuiet;
    }

    private void late(PacketView packet, Findings findings) {
        int psn = flow.relative(packet.psn);
        long noticed = flow.requests.frame(packet.psn);
        findings.add(
                FindingKind.LATE,
                packet,
                noticed,
                flow,
                () -> "PSN " + psn + " was overtaken: frame " + noticed + " came before it");
    }

    private void start(PacketView packet, int before, Findings findings) {
        int psn = packet.psn;
        running = true;
        round = Math.max(1, before);
        flow.answers.explain(packet, lastTime);
        reason = flow.answers.reason();
        reasonFrame = flow.answers.reasonFrame();
        long waited = flow.answers.waited();
        if (reason == Resend.UNSEEN && waited >= TIMEOUT_AT_LEAST) {
            reason = Resend.TIMEOUT;
        }
        Resend why = reason;
        long frame = reasonFrame;
        int relative = flow.relative(psn);
        int nth = round;
        flow.figures().rounds.merge(why, 1L, Long::sum);
        boolean isSpurious = Psn.difference(psn, flow.answers.acknowledged()) < 0;
        long acknowledgedBy = flow.answers.acknowledgedBy();
        findings.add(
                isSpurious ? FindingKind.SPURIOUS_RETRANSMISSION : FindingKind.RETRANSMISSION,
                packet,
                isSpurious && acknowledgedBy > 0 ? acknowledgedBy : frame,
                flow,
                () -> "back to PSN " + relative + (nth > 1 ? ", round " + nth : "") + ": " + words(why, frame, waited)
                        + (isSpurious
                                ? "; frame " + acknowledgedBy
                                        + " had acknowledged it: that came too late or was lost behind this point"
                                : ""));
        if (why == Resend.NAK || why == Resend.RNR || why == Resend.IMPLIED) {
            skipped(packet, flow.answers.askedPsn(), psn, findings);
        }
        timer(packet, why, waited, findings);
    }

    private static String words(Resend why, long frame, long waited) {
        String time = String.format(Locale.ROOT, "%.3f ms", waited / 1e6);
        String late = waited > SURELY_TIMEOUT ? "; so late that a timeout may have been needed (inferred)" : "";
        return switch (why) {
            case NAK -> "the NAK in frame " + frame + " asked for it " + time + " ago" + late;
            case RNR -> "the wait that the RNR NAK in frame " + frame + " asked for is over after " + time;
            case IMPLIED -> "frame " + frame + " showed " + time + " ago that a response is missing" + late;
            case TIMEOUT -> "nothing asked for it for " + time + ": a timeout (inferred)";
            default -> "nothing in the capture asked for it: a NAK was lost in front of this point (inferred)";
        };
    }

    private void timer(PacketView packet, Resend why, long waited, Findings findings) {
        long asked = flow.answers.rnrNanos();
        if (why == Resend.RNR && waited < asked) {
            findings.add(
                    FindingKind.RNR_TIMER,
                    packet,
                    reasonFrame,
                    flow,
                    () -> String.format(
                            Locale.ROOT,
                            "sent again after %.3f ms, the RNR NAK asked for %.2f ms at least",
                            waited / 1e6,
                            asked / 1e6));
        }
        Announcement said = flow.announcement();
        long least = said == null ? 0 : said.ackTimeout();
        boolean isOutside = waited < least || waited > LATEST_TIMEOUT * least;
        if (why == Resend.TIMEOUT && least > 0 && isOutside) {
            findings.add(
                    FindingKind.TIMER,
                    packet,
                    0,
                    flow,
                    () -> String.format(
                            Locale.ROOT,
                            "a timeout after %.3f ms; T_tr is %.3f ms, and up to %.3f ms are in order",
                            waited / 1e6,
                            least / 1e6,
                            LATEST_TIMEOUT * least / 1e6));
        }
    }

    /** Of a resend the packets from one PSN up to another did not come by. */
    private void skipped(PacketView packet, int expected, int psn, Findings findings) {
        int count = Psn.difference(psn, expected);
        if (count <= 0 || Psn.difference(psn, flow.requests.next()) > 0) {
            return;
        }
        for (int gone = 0; gone < count; gone++) {
            flow.requests.lose(Psn.add(expected, gone), packet.frame, packet.time);
        }
        gap(packet, expected, count, findings);
    }

    /** New packets again: what of the resend is still missing was lost. */
    private void endRun(PacketView packet, Findings findings) {
        if (running) {
            running = false;
            round = 0;
            skipped(packet, flow.behind(flow.lastPsn()), flow.requests.next(), findings);
        }
    }

    private void gap(PacketView packet, int first, int count, Findings findings) {
        flow.figures().lost += count;
        int relative = flow.relative(first);
        boolean isAgain = running || flow.requests.ahead(first) < 0;
        long damaged = findings.damagedBetween(flow, packet);
        findings.missing(
                FindingKind.GAP,
                packet,
                damaged,
                flow,
                relative,
                count,
                () -> psns(relative, count)
                        + (isAgain ? " of the resend" : "")
                        + (count == 1 ? " is" : " are")
                        + " missing in front of this packet: "
                        + (damaged > 0
                                ? (count == 1 ? "it is frame " : "one of them is frame ") + damaged
                                        + ", damaged (inferred)"
                                : "lost before the capture, or overtaken (inferred)"));
    }

    static String psns(int first, int count) {
        return count == 1 ? "PSN " + first : "PSNs " + first + " to " + (first + count - 1);
    }
}
