package org.rdma4j.transport;

import org.rdma4j.link.Transmitter;
import org.rdma4j.wire.Psn;

/**
 * The requester of the services without acknowledgements, UC and UD (9.8): requests leave in the order in which they
 * were posted, and one is complete when its last packet is on the wire (9.8.2.2, 9.8.3.1).
 *
 * <pre>
 *   head ............ next ............ tail      requests: left, complete after the flush | leaving | posted
 * </pre>
 *
 * A request that fails here takes the send queue to SQE: the rest is flushed, the receive side goes on (10.3.1).
 */
abstract class UnackedRequester {

    final IbQp qp;
    final SendQueue queue;
    private long next;
    private int index; // packets of `next` that have left
    private int psn;
    private int leftInRound; // the look at the network in which the newest packet left
    private boolean drainWanted;
    private int spentLastTime;

    UnackedRequester(IbQp qp) {
        this.qp = qp;
        this.queue = qp.sendQueue;
    }

    /**
     * Judges the request anew before each of its packets, and carries it out where it is a local one.
     *
     * @return SUCCESS, or the status with which it fails
     */
    abstract int refusal(long request, int packet);

    /** Packets that the request takes; 0 for one that {@link #refusal} has carried out. */
    abstract int packets(long request);

    /** Sends a packet of the request. @return what it counts against the budget, more than 0 */
    abstract int send(Transmitter tx, long request, int packet, int packetPsn);

    /** RTR to RTS: PSNs start at sq_psn. */
    final void start() {
        psn = qp.config.sqPsn;
        next = queue.head();
        index = 0;
    }

    /** SQD or SQE to RTS. */
    final void resume() {
        drainWanted = false;
    }

    final void wantDrain() {
        drainWanted = true;
    }

    /** True where SQD has nothing left to finish. */
    final boolean isDrained() {
        return queue.head() == next && index == 0;
    }

    final Turn transmit(Transmitter tx, long now, int budget) {
        if (leftInRound != qp.engine.round()) {
            completeWhatLeft(); // payload is read no later than at the flush, which has been
        }
        int spent = 0;
        while (spent < budget && hasNext()) {
            int status = refusal(next, index);
            if (status != Status.SUCCESS) {
                if (queue.head() == next) {
                    failHead(status, now);
                    spentLastTime = spent;
                    return Turn.DONE;
                }
                break; // what was posted before it completes first
            }
            if (packets(next) > 0) {
                spent += send(tx, next, index, psn);
                psn = Psn.next(psn);
                index++;
            }
            if (index == packets(next)) {
                index = 0;
                next++;
            }
            leftInRound = qp.engine.round();
        }
        spentLastTime = spent;
        if (spent >= budget) {
            return Turn.MORE;
        }
        return queue.head() == next ? Turn.DONE : Turn.WAITS;
    }

    /** What the last {@link #transmit} used up of its budget. */
    final int spent() {
        return spentLastTime;
    }

    /** True where requests have left that complete with the next look at the network. */
    final boolean hasLeft() {
        return queue.head() != next;
    }

    /** In SQD a message that has begun is sent to its end, and none begins. */
    private boolean hasNext() {
        return next != queue.tail()
                && (qp.state() == State.RTS || index > 0 && qp.state().requests());
    }

    private void completeWhatLeft() {
        while (queue.head() != next) {
            qp.completeHead();
        }
        if (drainWanted && qp.state() == State.SQD && isDrained()) {
            drainWanted = false;
            qp.engine.event(qp, AsyncEventListener.Event.SQ_DRAINED);
        }
    }

    private void failHead(int status, long now) {
        qp.complete(queue.head(), status);
        queue.release();
        next = queue.head();
        index = 0;
        qp.enter(State.SQE, now);
    }

    /** What has left is complete; every other request completes as flushed, in order. */
    final void flush() {
        completeWhatLeft();
        while (queue.head() != queue.tail()) {
            qp.complete(queue.head(), Status.WR_FLUSH_ERR);
            queue.release();
        }
        forget();
    }

    /** Every posted request is forgotten: the QP is RESET. */
    final void discard() {
        while (queue.head() != queue.tail()) {
            queue.release();
        }
        forget();
    }

    private void forget() {
        next = queue.head();
        index = 0;
        drainWanted = false;
    }
}
