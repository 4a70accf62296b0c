package org.rdma4j.transport;

/**
 * What all queue pairs together have on the way to one peer, and how much that may be. The peer's receive buffer is
 * shared by all of them, a socket's buffer is small, and go-back-N turns an overrun into collapse; so the window starts
 * low, grows with every acknowledged byte, and shrinks when something was lost.
 */
final class Flow {

    /** What any peer's socket takes: below the 212 992 bytes that Linux grants by default. */
    private static final int INITIAL_WINDOW = 128 << 10;

    private static final int MIN_WINDOW = 64 << 10;

    /** Growth for each window's worth of acknowledged bytes once a loss has shown where the limit is. */
    private static final int ADDITIVE_STEP = 8 << 10;

    private static final int TRAIN = 60 << 10;

    private final int maxWindow;
    private final Crowd crowd;
    private int window;
    private int slowStartEnds;
    private long inFlight;
    private IbQp firstBlocked;
    private IbQp lastBlocked;

    /**
     * @param maxWindow bytes that may ever be on the way
     * @param crowd counts those that wait for room here, or on the way to other peers
     */
    Flow(int maxWindow, Crowd crowd) {
        this.crowd = crowd;
        this.maxWindow = Math.max(MIN_WINDOW, maxWindow);
        this.window = Math.min(INITIAL_WINDOW, this.maxWindow);
        this.slowStartEnds = this.maxWindow;
    }

    int window() {
        return window;
    }

    /** True where a packet may go: always one, however large, when nothing is on the way. */
    boolean admits(long bytes) {
        return inFlight == 0 || inFlight + bytes <= window;
    }

    void sent(long bytes) {
        inFlight += bytes;
    }

    /** Bytes that are no longer on the way, without a word about the network: a go-back or the end of a QP. */
    void forget(long bytes) {
        inFlight -= bytes;
    }

    /** Bytes that the peer acknowledged. */
    void acknowledged(long bytes) {
        inFlight -= bytes;
        if (window < slowStartEnds) {
            window = (int) Math.min(maxWindow, window + bytes);
        } else {
            window = (int) Math.min(maxWindow, window + Math.max(1, bytes * ADDITIVE_STEP / window));
        }
    }

    /** A packet was lost. The caller says so once a recovery, not once a packet. */
    void lost() {
        slowStartEnds = Math.max(MIN_WINDOW, window / 2);
        window = slowStartEnds;
    }

    /**
     * Notes that a QP waits for room, behind those that wait already.
     *
     * @param bytes what it wants to send; it is woken for no less than a train, as far as the window is not a small one
     */
    void block(IbQp qp, long bytes) {
        if (qp.isBlocked) {
            return;
        }
        qp.neededRoom = Math.max(bytes, Math.min(TRAIN, window / 4));
        qp.isBlocked = true;
        crowd.size++;
        qp.nextBlocked = null;
        qp.previousBlocked = lastBlocked;
        if (lastBlocked == null) {
            firstBlocked = qp;
        } else {
            lastBlocked.nextBlocked = qp;
        }
        lastBlocked = qp;
    }

    /** A QP waits no more: it goes away, or another way. */
    void unblock(IbQp qp) {
        if (!qp.isBlocked) {
            return;
        }
        if (qp.previousBlocked == null) {
            firstBlocked = qp.nextBlocked;
        } else {
            qp.previousBlocked.nextBlocked = qp.nextBlocked;
        }
        if (qp.nextBlocked == null) {
            lastBlocked = qp.previousBlocked;
        } else {
            qp.nextBlocked.previousBlocked = qp.previousBlocked;
        }
        qp.previousBlocked = null;
        qp.nextBlocked = null;
        qp.isBlocked = false;
        crowd.size--;
    }

    /** True where queue pairs wait for room. */
    boolean isCrowded() {
        return firstBlocked != null;
    }

    /** Room that the queue pairs which wait may share now; for the first of them always enough when nothing is on the way. */
    long room() {
        long room = window - inFlight;
        return inFlight == 0 && firstBlocked != null ? Math.max(room, firstBlocked.neededRoom) : room;
    }

    /** The queue pair that waits longest, if what it needs fits; it waits no more. Otherwise {@code null}. */
    IbQp takeBlocked(long room) {
        IbQp qp = firstBlocked;
        if (qp == null || qp.neededRoom > room) {
            return null;
        }
        unblock(qp);
        return qp;
    }
}
