package org.rdma4j.rocev2.ethernet;

import java.util.concurrent.TimeUnit;

/**
 * One station of the link that packets go to: its address and, once it has answered, its MAC. The states, times and
 * counts are those of RFC 4861, 7.3 and 10, for ARP too; there is no DELAY, as a neighbor is only kept where a route
 * leads to it.
 */
final class Neighbor {

    /** How an address is asked for. */
    enum Question {
        NONE,
        OF_ALL,
        OF_ITSELF
    }

    private enum State {
        /** Asked of all; packets wait. */
        INCOMPLETE,
        REACHABLE,
        /** Asked of the neighbor itself whether it is still there; packets go out meanwhile. */
        PROBE,
        /** Nobody answered; packets are lost, and the next one after a pause asks anew. */
        UNREACHABLE,
        /** The address needs no question: it holds the MAC, or is this port's own. */
        KNOWN
    }

    static final long REACHABLE_TIME = TimeUnit.SECONDS.toNanos(30);
    static final long RETRANS_TIMER = TimeUnit.SECONDS.toNanos(1);
    static final int MAX_SOLICITATIONS = 3;

    /** Frames that wait for an answer; Linux holds 212,992 bytes. */
    private static final int HELD_BYTES = 256 << 10;

    final long high;
    final long low;

    /** The port's own address: frames to it do not leave the port. */
    final boolean isSelf;

    private State state;
    private long mac;
    private int asked;
    private long deadline;
    private HeldFrames held;

    private Neighbor(long high, long low, State state, long mac, boolean isSelf, long deadline) {
        this.high = high;
        this.low = low;
        this.state = state;
        this.mac = mac;
        this.isSelf = isSelf;
        this.deadline = deadline;
    }

    /** One that must be asked for. */
    static Neighbor unknown(long high, long low, long now) {
        return new Neighbor(high, low, State.INCOMPLETE, 0, false, now);
    }

    /** One that need not be asked for. */
    static Neighbor known(long high, long low, long mac, boolean isSelf) {
        return new Neighbor(high, low, State.KNOWN, mac, isSelf, Long.MAX_VALUE);
    }

    /** True where frames can go out. */
    boolean hasMac() {
        return state != State.INCOMPLETE && state != State.UNREACHABLE;
    }

    long mac() {
        return mac;
    }

    /** When {@link #onTimer} is to be called; {@link Long#MAX_VALUE}: never. */
    long deadline() {
        return deadline;
    }

    /** The time has come. */
    Question onTimer(long now) {
        return switch (state) {
            case INCOMPLETE -> ask(now, Question.OF_ALL);
            case REACHABLE -> {
                state = State.PROBE;
                asked = 0;
                yield ask(now, Question.OF_ITSELF);
            }
            case PROBE -> ask(now, Question.OF_ITSELF);
            case UNREACHABLE, KNOWN -> {
                deadline = Long.MAX_VALUE;
                yield Question.NONE;
            }
        };
    }

    private Question ask(long now, Question question) {
        deadline = now + RETRANS_TIMER;
        if (asked++ < MAX_SOLICITATIONS) {
            return question;
        }
        state = State.UNREACHABLE;
        return Question.NONE;
    }

    /** It answered, or showed itself. */
    void onAnswer(long itsMac, long now) {
        if (state != State.KNOWN) {
            mac = itsMac;
            state = State.REACHABLE;
            deadline = now + REACHABLE_TIME;
        }
    }

    /** It says, unasked, that its MAC is another one now: true from here on, and asked for at once. */
    void onChange(long itsMac, long now) {
        if (hasMac() && state != State.KNOWN && mac != itsMac) {
            mac = itsMac;
            state = State.PROBE;
            asked = 0;
            deadline = now;
        }
    }

    /** Where a frame can wait; {@code null} where nobody answers, so that the frame is lost. */
    HeldFrames hold(long now) {
        if (state == State.UNREACHABLE) {
            if (deadline != Long.MAX_VALUE) {
                return null; // asked moments ago
            }
            state = State.INCOMPLETE;
            asked = 0;
            deadline = now;
        }
        if (held == null) {
            held = new HeldFrames(HELD_BYTES);
        }
        return held;
    }

    /** The frames that waited; they are the caller's now. {@code null} where there are none. */
    HeldFrames takeHeld() {
        HeldFrames taken = held;
        held = null;
        return taken;
    }
}
