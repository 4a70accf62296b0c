package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.link.Transmitter;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Aeth;
import org.rdma4j.wire.AtomicAckEth;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** A queue pair of the reliable connected service: a requester and a responder that share a peer. */
public class RcQp extends IbQp {

    private final RcRequester requester;
    private final RcResponder responder;

    RcQp(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        this.requester = new RcRequester(this);
        this.responder = new RcResponder(this);
    }

    final RcResponder responder() {
        return responder;
    }

    @Override
    final void entered(State previous, long now) {
        switch (state()) {
            case RESET -> {
                requester.discard();
                responder.discard();
            }
            case INIT -> {}
            case RTR -> {
                join(engine.flow(config.route.remote()));
                responder.start();
                startPacing(now);
            }
            case RTS -> {
                if (previous == State.RTR) {
                    requester.start();
                } else {
                    requester.reconfigured();
                }
                engine.activate(this);
            }
            case SQD -> {}
            case SQE, ERR -> {
                requester.flush();
                responder.flush();
                if (drawsOnSharedQueues()) {
                    engine.event(this, AsyncEventListener.Event.QP_LAST_WQE_REACHED);
                }
                engine.activate(
                        this); // a receive that another thread posts at this moment is flushed with the next turn
            }
        }
    }

    @Override
    public void rerouted() {
        requester.leavePath();
        join(engine.flow(config.route.remote()));
        startPacing(engine.now());
        if (congestion() != null) {
            engine.activate(this); // it may have waited for the old path's rate
        }
    }

    @Override
    public void notifyWhenDrained() {
        if (requester.isDrained()) {
            engine.event(this, AsyncEventListener.Event.SQ_DRAINED);
        } else {
            requester.wantDrain();
        }
    }

    @Override
    public boolean isDrained() {
        return requester.isDrained();
    }

    @Override
    int service() {
        return Opcode.RC;
    }

    @Override
    Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
        if (!state().receives()) {
            return Rule.QP_NOT_READY;
        }
        if (!isFromPeer(info)) {
            return Rule.WRONG_PEER;
        }
        int header = Opcode.headerLength(opcode);
        if (header < 0) {
            return responder.onRequest(opcode, packet, at, header, 0, now);
        }
        int payload = length - header - Bth.padCount(packet, at);
        if (payload < 0) {
            return Rule.TOO_SHORT;
        }
        if (Opcode.isRequest(opcode)) {
            noteFirstRequest();
            return responder.onRequest(opcode, packet, at, header, payload, now);
        }
        return state().requests() ? onResponse(opcode, packet, at, header, payload, now) : Rule.QP_NOT_READY;
    }

    private Rule onResponse(int opcode, MemorySegment packet, long at, int header, int payload, long now) {
        int psn = Bth.psn(packet, at);
        long aeth = at + Bth.LENGTH;
        if (Opcode.operation(opcode) == Opcode.RC_ACKNOWLEDGE) {
            return requester.onAcknowledge(psn, Aeth.syndrome(packet, aeth), Aeth.msn(packet, aeth), now);
        }
        if (Opcode.operation(opcode) == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
            long original = AtomicAckEth.original(packet, at + Opcode.atomicAckEthOffset(opcode));
            return requester.onAtomicAcknowledge(psn, original, now);
        }
        return requester.onReadResponse(psn, Opcode.isLastOrOnly(opcode), packet, at + header, payload, now);
    }

    @Override
    protected Turn transmit(long now, int budget) {
        return congestion() == null || !state().requests() ? send(now, budget) : sendAtRate(now, budget);
    }

    /** As {@link #send}, and no more than the rate lets out: requests and READ responses share it, other answers need none. */
    private Turn sendAtRate(long now, int budget) {
        Transmitter tx = engine.transmitter();
        QpCongestion rate = congestion();
        int allowed = rate.allowance(now, budget);
        Turn turn = Turn.DONE;
        int spent = 0;
        if (allowed > 0) {
            turn = requester.transmit(tx, now, allowed);
            spent = requester.spent();
            if (requester.hasSent()) {
                responder.onOwnPacket();
            }
        }
        Turn other = state().receives() ? responder.transmit(tx, now, Math.max(0, allowed - spent)) : Turn.DONE;
        if (other.compareTo(turn) > 0) {
            turn = other;
        }
        if (allowed > 0) {
            rate.sent(spent + responder.spent());
            if (turn == Turn.MORE && allowed < budget) {
                rate.waitForRate();
                turn = Turn.DONE;
            }
        } else if (turn == Turn.MORE) {
            turn = Turn.DONE; // a READ's response waits as well
        }
        updateDeadline();
        return turn;
    }

    private Turn send(long now, int budget) {
        Transmitter tx = engine.transmitter();
        Turn turn = Turn.DONE;
        if (state().requests()) {
            turn = requester.transmit(tx, now, budget);
            if (requester.hasSent()) {
                responder.onOwnPacket();
            }
        } else if (state() == State.ERR) {
            // Posted after the fall: flushed as well (10.3.1).
            requester.flush();
            responder.flush();
        }
        if (state().receives()) {
            Turn other = responder.transmit(tx, now, budget);
            if (other.compareTo(turn) > 0) {
                turn = other;
            }
        }
        return turn;
    }

    @Override
    protected void onDeadline(long now) {
        if (state().requests()) {
            requester.onDeadline(now);
        }
        if (congestion() != null && congestion().wakes(now)) {
            engine.activate(this);
        }
        updateDeadline();
    }

    @Override
    void updateDeadline() {
        long own = requester.deadline();
        setDeadline(congestion() == null ? own : Math.min(own, congestion().deadline()));
    }
}
