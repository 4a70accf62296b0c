package org.rdma4j.transport;

import java.lang.foreign.MemorySegment;
import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Bth;
import org.rdma4j.wire.Opcode;

/** A queue pair of the unreliable datagram service: no peer of its own, each request says where it goes. */
final class UdQp extends Qp {

    private final UdRequester requester;
    private final UdResponder responder;

    UdQp(Engine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        int portMtu = engine.link().maxPathMtu();
        this.requester = new UdRequester(this, portMtu);
        this.responder = new UdResponder(this, portMtu);
    }

    @Override
    void onEnter(State previous, long now) {
        switch (state()) {
            case RESET -> {
                requester.discard();
                responder.discard();
            }
            case INIT, RTR, SQD -> {}
            case RTS -> {
                if (previous == State.RTR) {
                    requester.start();
                } else {
                    requester.resume();
                }
                engine.activate(this);
            }
            case SQE -> requester.flush();
            case ERR -> {
                requester.flush();
                responder.flush();
                if (srq() != null) {
                    engine.event(this, AsyncEventListener.Event.QP_LAST_WQE_REACHED);
                }
                engine.activate(this); // a receive that another thread posts at this moment is flushed too
            }
        }
    }

    @Override
    public void rerouted() {}

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
        return Opcode.UD;
    }

    @Override
    Rule onPacket(int opcode, MemorySegment packet, long at, int length, PacketInfo info, long now) {
        if (!state().receives()) {
            return Rule.QP_NOT_READY;
        }
        int header = Opcode.headerLength(opcode);
        if (header < 0) {
            return Rule.DATAGRAM_OPCODE;
        }
        int payload = length - header - Bth.padCount(packet, at);
        if (payload < 0) {
            return Rule.TOO_SHORT;
        }
        return responder.onDatagram(opcode, packet, at, header, payload, info, now);
    }

    @Override
    Turn transmit(long now, int budget) {
        switch (state()) {
            case RTS, SQD -> {
                return requester.transmit(engine.transmitter(), now, budget);
            }
            case SQE -> requester.flush();
            case ERR -> {
                // Posted after the fall: flushed as well (10.3.1).
                requester.flush();
                responder.flush();
            }
            case RESET, INIT, RTR -> {}
        }
        return Turn.DONE;
    }

    @Override
    void onDeadline(long now) {}

    @Override
    void updateDeadline() {}
}
