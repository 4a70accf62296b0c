package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Deth;
import org.rdma4j.wire.Grh;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;

/**
 * The responder of unreliable datagrams (9.8.3): what fits a receive is received, in any order of PSNs; all else is
 * dropped without a word to the sender. A receive that a dropped datagram would have taken is the next one's.
 */
final class UdResponder {

    private final Qp qp;
    private final int portMtu;
    private Receive receive;

    UdResponder(Qp qp, int portMtu) {
        this.qp = qp;
        this.portMtu = portMtu;
    }

    /**
     * A datagram.
     *
     * @param header bytes of BTH and extension headers
     * @param payload bytes behind them, without the pad
     */
    Rule onDatagram(int opcode, MemorySegment packet, long at, int header, int payload, PacketInfo info, long now) {
        if (Deth.qKey(packet, at + Bth.LENGTH) != qp.config.qKey) {
            return Rule.QKEY_MISMATCH;
        }
        if (payload > portMtu) {
            return Rule.DATAGRAM_TOO_LONG;
        }
        Receive current = receive();
        if (!current.isTaken() && !qp.takeReceive(current)) {
            return Rule.RECEIVE_MISSING;
        }
        if (!current.fits(Grh.LENGTH + payload)) {
            return Rule.DATAGRAM_DOES_NOT_FIT;
        }
        int length = header + payload + Bth.padCount(packet, at);
        MemorySegment grh = qp.engine.grhArea().of(info, length);
        if (!current.append(qp.engine.keys(), qp.receivePd(), grh, 0, Grh.LENGTH)
                || !current.append(qp.engine.keys(), qp.receivePd(), packet, at + header, payload)) {
            complete(Status.LOC_PROT_ERR, 0, 0, 0, 0, false);
            qp.fail(now, null);
            return Rule.DATAGRAM_RECEIVE_FAULT;
        }
        boolean immediate = Opcode.hasImm(opcode);
        int source = Deth.sourceQp(packet, at + Bth.LENGTH) | GrhArea.kind(info) << CompletionRing.NETWORK_SHIFT;
        complete(
                Status.SUCCESS,
                immediate ? Status.WC_GRH | Status.WC_WITH_IMM : Status.WC_GRH,
                (int) current.filled(),
                immediate ? ImmDt.data(packet, at + Opcode.immOffset(opcode)) : 0,
                source,
                Bth.solicited(packet, at));
        return Rule.ACCEPTED;
    }

    /** Completes all receives as flushed, but for those of a shared queue. */
    void flush() {
        while (receive().isTaken() || qp.receiveQueue.take(receive())) {
            complete(Status.WR_FLUSH_ERR, 0, 0, 0, 0, false);
        }
    }

    /** Forgets the receives: the QP is RESET. */
    void discard() {
        do {
            receive().clear();
        } while (qp.receiveQueue.take(receive()));
    }

    private Receive receive() {
        if (receive == null) {
            receive = new Receive();
        }
        return receive;
    }

    private void complete(int status, int flags, int bytes, int data, int source, boolean solicited) {
        if (status != Status.SUCCESS) {
            qp.engine.errors().receiveFailed(status);
        }
        boolean added = qp.receiveRing.push(
                receive.wrId(), status, Status.WC_RECV, flags, qp.qpn, bytes, data, source, solicited);
        receive.clear();
        if (!added && status == Status.SUCCESS) {
            qp.fail(qp.engine.now(), AsyncEventListener.Event.QP_FATAL);
        }
    }
}
