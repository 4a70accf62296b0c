package org.rdma4j.ibsim.rmpp;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.rdma4j.ibsim.mad.Mad;

/**
 * Sends one message in segments (IBTA volume 1, 13.6.6.2): as many as the receiver's window admits, which is one at the start,
 * and those that are not acknowledged in time again, but not for ever.
 */
public final class RmppSender {

    /** What it comes to. */
    public enum Outcome {
        GOING_ON,
        DONE,
        FAILED
    }

    private static final int RETRIES = 7;

    private final Mad head;
    private final int classHeader;
    private final byte[] data;
    private final int segments;
    private final long timeout;
    private final Consumer<Mad> out;

    private int wentBackTo = -1;
    private int acknowledged;
    private int windowLast = 1;
    private int sent;
    private int retries;
    private long deadline = Long.MAX_VALUE;
    private Outcome outcome = Outcome.GOING_ON;

    /**
     * @param head the datagram's header and the class's, which each segment has
     * @param classHeader bytes of the class's header, which count as payload
     * @param timeout ps until what is not acknowledged is sent again
     */
    public RmppSender(Mad head, int classHeader, byte[] data, long timeout, Consumer<Mad> out) {
        this.head = head;
        this.classHeader = classHeader;
        this.data = data;
        this.timeout = timeout;
        this.out = out;
        int room = RmppHeader.PAYLOAD_ROOM - classHeader;
        this.segments = Math.max(1, (data.length + room - 1) / room);
    }

    /** Sends what the window admits at the start. */
    public Outcome start(long now) {
        fill(now);
        return outcome;
    }

    /** When {@link #onTime} has something to do, ps; {@link Long#MAX_VALUE}: never. */
    public long deadline() {
        return deadline;
    }

    /** What the receiver says. */
    public Outcome received(Mad mad, long now) {
        if (outcome != Outcome.GOING_ON) {
            return outcome;
        }
        switch (RmppHeader.type(mad)) {
            case RmppHeader.ACK -> acknowledged(RmppHeader.segment(mad), RmppHeader.data2(mad), now);
            case RmppHeader.STOP, RmppHeader.ABORT -> end(Outcome.FAILED);
            default -> {} // nothing that a receiver says
        }
        return outcome;
    }

    private void acknowledged(int segment, int newWindowLast, long now) {
        if (segment > sent || newWindowLast < segment) {
            end(Outcome.FAILED); // an acknowledgement of what was not sent, or a window behind it (13.6.6.2)
            return;
        }
        if (segment < acknowledged) {
            return; // an old one that was overtaken
        }
        if (segment == segments) {
            end(Outcome.DONE);
            return;
        }
        boolean news = segment > acknowledged;
        windowLast = Math.max(windowLast, newWindowLast);
        acknowledged = segment;
        if (news) {
            retries = 0;
        } else if (wentBackTo != acknowledged) {
            sent = acknowledged; // the same again: what came behind it was missed
            wentBackTo = acknowledged; // once: each piece that was on its way is answered so
        }
        fill(now);
    }

    /** The time is over in which an acknowledgement should have come. */
    public Outcome onTime(long now) {
        if (outcome != Outcome.GOING_ON || now < deadline) {
            return outcome;
        }
        if (retries++ == RETRIES) {
            Mad abort = copyOfHead();
            RmppHeader.write(abort, RmppHeader.ABORT, 0, 0, 0);
            abort.setInt8(RmppHeader.STATUS_OFFSET, RmppHeader.TOO_MANY_RETRIES);
            out.accept(abort);
            end(Outcome.FAILED);
            return outcome;
        }
        sent = acknowledged;
        wentBackTo = acknowledged;
        fill(now);
        return outcome;
    }

    private void end(Outcome how) {
        outcome = how;
        deadline = Long.MAX_VALUE;
    }

    private void fill(long now) {
        while (sent < segments && sent < windowLast) {
            sent++;
            out.accept(segment(sent));
        }
        deadline = now + timeout;
    }

    private Mad copyOfHead() {
        Mad mad = Mad.copyOf(head.bytes(), 0);
        mad.sourceLid = head.sourceLid;
        mad.destinationLid = head.destinationLid;
        mad.sourceQp = head.sourceQp;
        mad.destinationQp = head.destinationQp;
        return mad;
    }

    private Mad segment(int number) {
        Mad mad = copyOfHead();
        int room = RmppHeader.PAYLOAD_ROOM - classHeader;
        int from = (number - 1) * room;
        int length = Math.min(room, data.length - from);
        int flags = (number == 1 ? RmppHeader.FIRST : 0) | (number == segments ? RmppHeader.LAST : 0);
        int payload = 0;
        if (number == segments) {
            payload = classHeader + length; // of this segment
        } else if (number == 1) {
            payload = segments * classHeader + data.length; // of all of them
        }
        RmppHeader.write(mad, RmppHeader.DATA, flags, number, payload);
        int at = RmppHeader.PAYLOAD_OFFSET + classHeader;
        MemorySegment.copy(MemorySegment.ofArray(data), from, mad.bytes(), at, length);
        return mad;
    }
}
