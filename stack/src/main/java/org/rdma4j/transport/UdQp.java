package org.rdma4j.transport;

import org.rdma4j.link.PacketInfo;
import org.rdma4j.trace.Rule;
import org.rdma4j.wire.Opcode;

/** A queue pair of the unreliable datagram service: no peer of its own, each request says where it goes. */
final class UdQp extends UnackedQp {

    private final UdRequester requester;
    private final UdResponder responder;

    UdQp(IbEngine engine, int qpn, QpParts parts) {
        super(engine, qpn, parts);
        int portMtu = engine.link().maxPathMtu();
        this.requester = new UdRequester(this, portMtu);
        this.responder = new UdResponder(this, portMtu);
    }

    @Override
    UnackedRequester requester() {
        return requester;
    }

    @Override
    UnackedResponder responder() {
        return responder;
    }

    @Override
    int service() {
        return Opcode.UD;
    }

    @Override
    Rule refusal(PacketInfo info) {
        return null;
    }

    @Override
    Rule unknownOpcode() {
        return Rule.DATAGRAM_OPCODE;
    }
}
