package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** A queue pair of a service without acknowledgements: its two halves know nothing of each other, and of no time. */
abstract class UnackedQp extends IbQp {

    UnackedQp(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
    }

    abstract UnackedRequester requester();

    abstract UnackedResponder responder();

    /** Whom the packet is from, where that matters. @return {@code null} where it may be executed */
    abstract Rule refusal(PacketInfo info);

    /** The drop of an opcode that the service does not have. */
    abstract Rule unknownOpcode();

    @Override
    final void entered(State previous, long now) {
        switch (state()) {
            case RESET -> {
                requester().discard();
                responder().discard();
            }
            case INIT, SQD -> {}
            case RTR -> {
                responder().start();
                if (service() == Opcode.UC) {
                    startPacing(now);
                }
            }
            case RTS -> {
                if (previous == State.RTR) {
                    requester().start();
                } else {
                    requester().resume();
                }
                engine.activate(this);
            }
            case SQE -> requester().flush();
            case ERR -> {
                requester().flush();
                responder().flush();
                if (drawsOnSharedQueues()) {
                    engine.event(this, AsyncEventListener.Event.QP_LAST_WQE_REACHED);
                }
                engine.activate(this); // a receive that another thread posts at this moment is flushed too
            }
        }
    }

    @Override
    public final void rerouted() {
        if (congestion() != null) {
            startPacing(engine.now());
            engine.activate(this); // it may have waited for the old path's rate
        }
    }

    @Override
    public final void notifyWhenDrained() {
        if (requester().isDrained()) {
            engine.event(this, AsyncEventListener.Event.SQ_DRAINED);
        } else {
            requester().wantDrain();
        }
    }

    @Override
    public final boolean isDrained() {
        return requester().isDrained();
    }

    @Override
    final Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
        if (!state().receives()) {
            return Rule.QP_NOT_READY;
        }
        int header = Opcode.headerLength(opcode);
        if (header < 0) {
            return unknownOpcode();
        }
        int payload = length - header - Bth.padCount(packet, at);
        if (payload < 0) {
            return Rule.TOO_SHORT;
        }
        Rule refusal = refusal(info);
        return refusal != null ? refusal : responder().onRequest(opcode, packet, at, header, payload, info, now);
    }

    private Turn sendAtRate(long now, int budget) {
        QpCongestion rate = congestion();
        int allowed = rate.allowance(now, budget);
        Turn turn = requester().transmit(engine.transmitter(), now, allowed);
        rate.sent(requester().spent());
        if (turn == Turn.MORE && allowed < budget) {
            rate.waitForRate();
            turn = requester().hasLeft() ? Turn.WAITS : Turn.DONE;
        }
        setDeadline(rate.deadline());
        return turn;
    }

    @Override
    protected final Turn transmit(long now, int budget) {
        switch (state()) {
            case RTS, SQD -> {
                return congestion() == null
                        ? requester().transmit(engine.transmitter(), now, budget)
                        : sendAtRate(now, budget);
            }
            case SQE -> requester().flush();
            case ERR -> {
                // Posted after the fall: flushed as well (10.3.1).
                requester().flush();
                responder().flush();
            }
            case RESET, INIT, RTR -> {}
        }
        return Turn.DONE;
    }

    @Override
    protected final void onDeadline(long now) {
        if (congestion() != null && congestion().wakes(now)) {
            engine.activate(this);
        }
    }

    @Override
    final void updateDeadline() {}
}
