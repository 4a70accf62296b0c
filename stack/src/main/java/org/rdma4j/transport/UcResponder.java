package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.memory.AccessFlags;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.ImmDt;
import org.rdma4j.wire.Opcode;
import org.rdma4j.wire.Psn;

/**
 * The responder of an unreliable connection (9.8.2): executes messages whose packets all come, in order. Behind a gap, or
 * where a packet is refused, the rest of the message is dropped; the next packet that starts a message is where it goes
 * on, whatever its PSN.
 */
final class UcResponder extends UnackedResponder {

    private final WriteTarget target = new WriteTarget();
    private Message message = Message.NONE;
    private int expectedPsn;

    UcResponder(IbQp qp) {
        super(qp);
    }

    @Override
    void start() {
        expectedPsn = qp.config.rqPsn;
        message = Message.NONE;
    }

    @Override
    Rule onRequest(int opcode, MemorySegment packet, long at, int header, int payload, PacketInfo info, long now) {
        int psn = Bth.psn(packet, at);
        if (Opcode.isFirstOrOnly(opcode)) {
            abandon(); // a message that lacks its end is no error of the one that starts here (class D1)
        } else if (message == Message.NONE) {
            return Rule.UC_NO_MESSAGE;
        } else if (psn != expectedPsn) {
            abandon();
            return Rule.UC_GAP;
        } else if (!message.admits(opcode)) {
            abandon();
            return Rule.UC_SEQUENCE;
        }
        expectedPsn = Psn.next(psn);
        Rule decision = Message.payloadFits(opcode, payload, qp.config.pathMtu)
                ? execute(opcode, packet, at, header, payload, now)
                : Rule.UC_LENGTH;
        if (decision == Rule.ACCEPTED) {
            message = Message.behind(opcode);
        } else {
            abandon();
        }
        return decision;
    }

    private Rule execute(int opcode, MemorySegment packet, long at, int header, int payload, long now) {
        return Opcode.isSend(opcode)
                ? executeSend(opcode, packet, at, header, payload, now)
                : executeWrite(opcode, packet, at, header, payload);
    }

    private Rule executeSend(int opcode, MemorySegment packet, long at, int header, int payload, long now) {
        if (!takeReceive()) {
            return Rule.RECEIVE_MISSING;
        }
        Receive current = receive();
        if (!current.fits(payload)) {
            return Rule.UC_RECEIVE_TOO_SMALL;
        }
        if (!current.append(qp.engine.keys(), qp.receivePd(), packet, at + header, payload)) {
            return receiveFault(now);
        }
        if (Opcode.isLastOrOnly(opcode)) {
            complete(Status.WC_RECV, opcode, packet, at, (int) current.filled());
        }
        return Rule.ACCEPTED;
    }

    private Rule executeWrite(int opcode, MemorySegment packet, long at, int header, int payload) {
        if ((qp.config.access & AccessFlags.REMOTE_WRITE) == 0) {
            return Rule.UC_ACCESS;
        }
        boolean immediate = Opcode.hasImm(opcode);
        if (immediate && !takeReceive()) {
            return Rule.RECEIVE_MISSING;
        }
        if (Opcode.isFirstOrOnly(opcode) && !target.begin(packet, at + Opcode.rethOffset(opcode))) {
            return Rule.UC_LENGTH;
        }
        if (!target.expects(payload, Opcode.isLastOrOnly(opcode))) {
            return Rule.UC_LENGTH;
        }
        if (!target.write(qp, packet, at + header, payload)) {
            return Rule.UC_ACCESS;
        }
        if (immediate) {
            complete(Status.WC_RECV_RDMA_WITH_IMM, opcode, packet, at, (int) target.length());
        }
        return Rule.ACCEPTED;
    }

    private void complete(int wcOpcode, int opcode, MemorySegment packet, long at, int bytes) {
        boolean immediate = Opcode.hasImm(opcode);
        complete(
                Status.SUCCESS,
                wcOpcode,
                immediate ? Status.WC_WITH_IMM : 0,
                bytes,
                immediate ? ImmDt.data(packet, at + Opcode.immOffset(opcode)) : 0,
                0,
                Bth.solicited(packet, at));
    }

    /** Drops what has come of a message; its receive is the next one's, to be filled from its start. */
    private void abandon() {
        message = Message.NONE;
        receive().rewind();
    }
}
