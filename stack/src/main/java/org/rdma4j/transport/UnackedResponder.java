package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.trace.Tracing;

/**
 * The responder of the services without acknowledgements, UC and UD (9.8): what it cannot take it drops without a word,
 * and the receive that a dropped message had taken is the next one's.
 */
abstract class UnackedResponder {

    final IbQp qp;
    private Receive receive;

    UnackedResponder(IbQp qp) {
        this.qp = qp;
    }

    /** INIT to RTR. */
    abstract void start();

    /**
     * A request packet.
     *
     * @param header bytes of BTH and extension headers
     * @param payload bytes behind them, without the pad
     */
    abstract Rule onRequest(
            int opcode, MemorySegment packet, long at, int header, int payload, PacketInfo info, long now);

    /** The receive of the message that comes, taken or not. */
    final Receive receive() {
        if (receive == null) {
            receive = new Receive();
        }
        return receive;
    }

    /** @return false where none is posted */
    final boolean takeReceive() {
        return receive().isTaken() || qp.takeReceive(receive);
    }

    final void complete(int status, int opcode, int flags, int bytes, int data, int source, boolean solicited) {
        if (status != Status.SUCCESS) {
            qp.engine.errors().receiveFailed(status);
        }
        if (Tracing.isOn()) {
            qp.traceCompletion(true, receive.wrId(), status, bytes);
        }
        boolean added =
                qp.receiveRing.push(receive.wrId(), status, opcode, flags, qp.qpn, bytes, data, source, solicited);
        receive.clear();
        if (!added && status == Status.SUCCESS) {
            qp.fail(qp.engine.now(), AsyncEventListener.Event.QP_FATAL);
        }
    }

    /** The receive names memory that it may not write: it fails, and the queue pair with it (10.3.1). */
    final Rule receiveFault(long now) {
        complete(Status.LOC_PROT_ERR, Status.WC_RECV, 0, 0, 0, 0, false);
        qp.fail(now, null);
        return Rule.LOCAL_RECEIVE_FAULT;
    }

    /** Completes all receives as flushed, but for those of a shared queue. */
    final void flush() {
        while (receive().isTaken() || qp.receiveQueue.take(receive)) {
            complete(Status.WR_FLUSH_ERR, Status.WC_RECV, 0, 0, 0, 0, false);
        }
    }

    /** Forgets the receives: the QP is RESET. */
    final void discard() {
        do {
            receive().clear();
        } while (qp.receiveQueue.take(receive));
    }
}
