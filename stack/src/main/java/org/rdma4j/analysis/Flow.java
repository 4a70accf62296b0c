package org.rdma4j.analysis;

import java.util.Locale;
import org.rdma4j.wire.Gid;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/**
 * One direction's requests of a connection, and the responses that they get, followed by their PSNs. What the requester
 * knows and intends is not on the wire: what is said about it is inferred from what is.
 */
public final class Flow {

    /** How many packets may have been overtaken by the first one that was seen. */
    private static final int MAY_BE_OVERTAKEN = 64;

    private final int number;
    private final Gid from;
    private final Gid to;
    private final int destQp;
    private final int sourceQp;
    private final int service;
    private final int firstPsn;
    private final Announcement announcement;
    private final FlowFigures figures = new FlowFigures();
    private final RequestChecks checks = new RequestChecks(this);
    final PsnLog requests;
    final Messages messages = new Messages();
    final Rewinds rewinds = new Rewinds(this);
    final Answers answers;
    private int answerQp = -1;
    private boolean started;
    private int lastPsn;

    Flow(int number, Gid from, Gid to, PacketView first, Announcement announcement) {
        this.number = number;
        this.from = from;
        this.to = to;
        this.destQp = first.destQp;
        this.sourceQp = first.sourceQp;
        this.service = first.service();
        this.announcement = announcement;
        this.firstPsn = announcement == null ? first.psn : announcement.firstPsn();
        this.requests = new PsnLog(firstPsn);
        this.answers = new Answers(this, firstPsn);
        this.lastPsn = firstPsn;
        figures.firstTime = first.time;
        figures.lastTime = first.time;
    }

    /** Its number among the flows of the capture, from 1 on. */
    public int number() {
        return number;
    }

    /** The requester. */
    public Gid from() {
        return from;
    }

    /** The responder. */
    public Gid to() {
        return to;
    }

    /** The responder's queue pair. */
    public int destQp() {
        return destQp;
    }

    /** The sending queue pair where datagrams name it, else 0. */
    public int sourceQp() {
        return sourceQp;
    }

    /** The opcodes' service bits, see {@link Opcode}. */
    public int service() {
        return service;
    }

    /** The requester's queue pair; -1 where no response and no announcement told it. */
    public int answerQp() {
        return answerQp;
    }

    void answerQp(int queuePair) {
        answerQp = queuePair;
    }

    /** The PSN that relative ones count from. */
    public int firstPsn() {
        return firstPsn;
    }

    /** What the two ends said of it beforehand; null where that is not in the capture. */
    public Announcement announcement() {
        return announcement;
    }

    public FlowFigures figures() {
        return figures;
    }

    /** {@code RC to QP 0x000011}. */
    public String name() {
        String name = Opcode.name(service == Opcode.UD ? Opcode.UD_SEND_ONLY : service);
        return String.format(Locale.ROOT, "%s to QP 0x%06x", name.substring(0, name.indexOf(' ')), destQp);
    }

    int relative(int psn) {
        return Psn.difference(psn, firstPsn);
    }

    /** Services whose packets are acknowledged and sent again. */
    boolean isReliable() {
        return service == Opcode.RC || service == Opcode.XRC;
    }

    /** How far a PSN is ahead of all requests so far. */
    int ahead(int psn) {
        return requests.ahead(psn);
    }

    /** True for a request from this flow's requester to its responder's queue pair. */
    boolean isAskedBy(PacketView packet) {
        return destQp == packet.destQp
                && sourceQp == packet.sourceQp
                && service == packet.service()
                && from.low() == packet.sourceLow
                && to.low() == packet.destinationLow
                && from.high() == packet.sourceHigh
                && to.high() == packet.destinationHigh;
    }

    /** True for a response from its responder to its requester's queue pair. */
    boolean isAnsweredBy(PacketView packet) {
        return answerQp == packet.destQp
                && packet.sourceQp == 0
                && to.low() == packet.sourceLow
                && from.low() == packet.destinationLow
                && to.high() == packet.sourceHigh
                && from.high() == packet.destinationHigh;
    }

    /** True where a response with this PSN can belong here. */
    boolean mayAnswer(int wantedService, int psn) {
        return wantedService == service
                && Psn.difference(psn, firstPsn) >= -MAY_BE_OVERTAKEN
                && Psn.difference(psn, nextAtMost()) <= 0;
    }

    /** The PSN of the next new request at most: behind a READ it is not sure how many PSNs its responses take. */
    int nextAtMost() {
        Message newest = messages.newest();
        if (newest == null || !newest.isRead) {
            return requests.next();
        }
        int behind = newest.behind();
        return Psn.difference(behind, requests.next()) > 0 ? behind : requests.next();
    }

    /** The PSN that a requester sends behind this one, or a later one where that is not sure. */
    int behind(int psn) {
        Message message = messages.holding(psn);
        return message != null && message.isRead ? message.behind() : Psn.next(psn);
    }

    int lastPsn() {
        return lastPsn;
    }

    /** Takes note of a request. */
    PacketPlace request(PacketView packet, Findings findings) {
        int psn = packet.psn;
        boolean isFirst = !started;
        started = true;
        Message rest = messages.readThatThisIsTheRestOf(packet);
        boolean isRest = rest != null;
        boolean isNew = !isRest && requests.ahead(psn) >= 0;
        int missing = 0;
        if (isNew) {
            missing = service == Opcode.UD ? 0 : Math.max(0, Psn.difference(psn, nextAtMost()));
        }
        Rewinds.Verdict verdict = rewinds.judge(packet, isNew, rest, missing, findings);
        boolean isRepeat = verdict.resend() != Resend.NONE;
        int oldest = isReliable() ? answers.acknowledged() : requests.next();
        requests.see(
                psn, verdict.resend().isRetransmission(), packet.frame, packet.time, packet.identification(), oldest);
        if (isNew) {
            for (int gone = 1; gone <= missing; gone++) {
                requests.lose(Psn.add(psn, -gone), packet.frame, packet.time);
            }
        }
        Message message = isRest ? rest : messages.of(packet, isNew);
        checks.check(packet, message, isNew && missing == 0, findings);
        count(packet, message, isRepeat, verdict.isLate());
        if (verdict.resend() != Resend.COPY) {
            lastPsn = psn;
        }
        int again = 0;
        if (message != null && packet.isAnswerable() && isReliable()) {
            if (verdict.resend() != Resend.COPY && !verdict.isLate()) {
                message.requests++;
            }
            message.frame = packet.frame;
            answers.asked(message, packet, findings);
        }
        if (isReliable() && isRepeat) {
            again = isRest ? message.requests - 1 : requests.sends(psn) - 1;
            again = Math.max(1, again);
        }
        boolean isKnown = message != null && !message.isRead;
        return new PacketPlace(
                this,
                relative(psn),
                firstPsn,
                isFirst,
                again,
                verdict.resend(),
                verdict.cause(),
                isReliable() && verdict.isLate(),
                missing,
                isKnown ? message.bytesUpTo(psn, packet.payload) : PacketPlace.UNKNOWN,
                isKnown ? message.length() : PacketPlace.UNKNOWN);
    }

    private void count(PacketView packet, Message message, boolean isRepeat, boolean isLate) {
        figures.packets++;
        figures.lastTime = packet.time;
        if (isLate && isReliable()) {
            figures.late++;
            figures.lost--;
        }
        if ((packet.roce.trafficClass() & 3) == 3) {
            figures.marked++;
        }
        if (!isRepeat) {
            figures.payloadBytes += packet.payload;
            if (packet.isRead()) {
                figures.message(packet.length);
            } else if (Opcode.isLastOrOnly(packet.opcode)) {
                figures.message(message == null ? packet.payload : message.length());
            }
        }
    }

    /** Takes note of a response. */
    PacketPlace response(PacketView packet, Findings findings) {
        figures.responses++;
        figures.lastTime = packet.time;
        return answers.response(packet, findings);
    }
}
