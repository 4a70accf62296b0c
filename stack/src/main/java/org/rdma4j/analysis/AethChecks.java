package org.rdma4j.analysis;

import org.rdma4j.wire.Psn;
import org.rdma4j.wire.Syndrome;

/** What an AETH says besides: its MSN, its credits, whether its syndrome is defined (IBTA volume 1, 9.7.7). */
final class AethChecks {

    private final Flow flow;
    private boolean isKnown;
    private int lastPsn;
    private int lastMsn;
    private long lastFrame;

    AethChecks(Flow flow) {
        this.flow = flow;
    }

    void check(PacketView packet, Findings findings) {
        if (Syndrome.isReserved(packet.syndrome)) {
            int syndrome = packet.syndrome;
            findings.add(
                    FindingKind.SYNDROME,
                    packet,
                    0,
                    flow,
                    () -> String.format("the syndrome 0x%02x is reserved", syndrome));
            return;
        }
        credits(packet);
        msn(packet, findings);
    }

    private void credits(PacketView packet) {
        int code = Syndrome.value(packet.syndrome);
        if (Syndrome.isAck(packet.syndrome) && code != Syndrome.NO_CREDITS) {
            int credits = Syndrome.credits(code);
            FlowFigures figures = flow.figures();
            figures.lastCredits = credits;
            figures.leastCredits = figures.leastCredits < 0 ? credits : Math.min(figures.leastCredits, credits);
        } else if (Syndrome.isAck(packet.syndrome)) {
            flow.figures().lastCredits = -1;
        }
    }

    /** It counts completed messages: it never falls while PSNs rise, nor rises by more than messages can have been sent. */
    private void msn(PacketView packet, Findings findings) {
        int forward = Psn.difference(packet.psn, lastPsn);
        if (isKnown && forward <= 0) {
            return;
        }
        int step = Psn.difference(packet.msn, lastMsn);
        int most = Psn.difference(flow.nextAtMost(), lastPsn);
        if (isKnown && (step < 0 || step > Math.max(1, most))) {
            int from = lastMsn;
            int to = packet.msn;
            long before = lastFrame;
            findings.add(
                    FindingKind.MSN_JUMP,
                    packet,
                    before,
                    flow,
                    () -> "MSN " + to + " behind MSN " + from + " in frame " + before
                            + (step < 0 ? ": it never falls" : ": so many messages were not sent"));
        }
        isKnown = true;
        lastPsn = packet.psn;
        lastMsn = packet.msn;
        lastFrame = packet.frame;
    }
}
